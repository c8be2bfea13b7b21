import { type Static, Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Sql } from "#core/database/database.ts"
import { commaList } from "#core/http/tolerance.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, paginate, pickFields, readDirection, readPage } from "#core/paging.ts"
import { type Restorer, type TrashEntry, trashErrors } from "#core/trash.ts"
import { toT2 } from "#shared/wire-time.ts"
import { findTrash, listTrash } from "./queries.ts"
import { maxRestored, noteRestored, restoreFromTrash, restoreMany } from "./restore-from-trash.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])

const TrashSchema = Type.Object({
  _id: IdSchema("trash"),
  name: Type.String(),
  type: Type.String(),
  dataType: Type.String({
    description: "The type in the plural that the API uses: tasks, flows, hubs, users, …",
  }),
  sourceId: Type.String({ description: "The id of the deleted object" }),
  hubId: NullableText,
  deletedTime: Type.String(),
  deletedBy: NullableText,
  actionId: Type.Union([Type.String(), Type.Null()], {
    description: "The entry of the audit log that deleted it, also as a filter; null for older entries",
  }),
  isRestorable: Type.Boolean(),
  data: Type.Unknown({ description: "The deleted object as the API returned it" }),
})
const TrashParams = Type.Object({ trashId: IdSchema("trash") })

const isObject = (content: unknown): content is Record<string, unknown> =>
  typeof content === "object" && content !== null

/**
 * What was deleted in the last 30 days, as far as the caller could read it while it existed. `restorers` are the kinds
 * of things; what they need to bring a thing back is stored with the entry and never shown.
 */
export function trashRoutes(app: App, restorers: readonly Restorer[]): void {
  const restorerOf = new Map(restorers.map((restorer) => [restorer.type, restorer]))
  const dataOf = async (sql: Sql, caller: Caller, entries: readonly TrashEntry[]) => {
    const shown = new Map<string, unknown>()
    for (const [type, group] of Map.groupBy(entries, (entry) => entry.type)) {
      const contents = group.map(({ content }) => content).filter(isObject)
      const objects = await restorerOf.get(type)?.show(sql, caller, contents, { now: app.clock.now() })
      for (const object of objects ?? []) shown.set(`${type} ${object._id}`, object)
    }
    return shown
  }
  const toWire = async (
    sql: Sql,
    caller: Caller,
    entries: readonly TrashEntry[],
  ): Promise<Static<typeof TrashSchema>[]> => {
    const data = await dataOf(sql, caller, entries)
    return entries.map((entry) => ({
      _id: entry.id,
      name: entry.name,
      type: entry.type,
      dataType: restorerOf.get(entry.type)?.dataType ?? "",
      sourceId: entry.sourceId,
      hubId: entry.hubId,
      deletedTime: toT2(entry.deletedTime),
      deletedBy: entry.deletedBy,
      actionId: entry.actionId,
      isRestorable: restorerOf.has(entry.type),
      data: data.get(`${entry.type} ${entry.sourceId}`) ?? null,
    }))
  }

  app.get("/trash", {
    config: { permission: "view/trash" },
    schema: {
      operationId: "listTrash",
      summary: "List objects deleted in the last 30 days",
      querystring: Type.Object({
        ...ListQuery,
        sortBy: Type.Optional(Type.String({ description: "deletedTime (default), name, type or deletedBy" })),
        type: Type.Optional(
          Type.String({ description: "Comma-separated list of types, for example Task,Hub" }),
        ),
        q: Type.Optional(Type.String({ maxLength: 200, description: "Part of a name" })),
        actionId: Type.Optional(Type.String({ description: "What one action deleted" })),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          code: Type.Literal(200),
          message: Type.String(),
          ...PaginatorSchema(Type.Partial(TrashSchema)).properties,
        }),
      },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "trash")
      const { type, q, actionId } = query
      const filter = {
        ...(type === undefined ? {} : { types: commaList(type) }),
        ...(q === undefined ? {} : { q }),
        ...(actionId === undefined ? {} : { actionId }),
      }
      const { rows, total } = await listTrash(sql, { caller, kinds: restorers }, filter, {
        page,
        sortBy: query.sortBy ?? "deletedTime",
        direction: readDirection(query.sortOrder),
      })
      return {
        status: true as const,
        code: 200 as const,
        message: "Success",
        ...paginate(
          (await toWire(sql, caller, rows)).map((entry) => pickFields(entry, query.fields)),
          total,
          page,
          address,
        ),
      }
    },
  })

  app.get("/trash/:trashId", {
    config: { permission: "view/trash" },
    schema: {
      operationId: "getTrash",
      summary: "Get a deleted object",
      params: TrashParams,
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          code: Type.Literal(200),
          message: Type.String(),
          data: TrashSchema,
        }),
      },
    },
    async handler({ sql, caller, params }) {
      const entry = await findTrash(sql, { caller, kinds: restorers }, params.trashId)
      const [data] = entry ? await toWire(sql, caller, [entry]) : []
      if (!data) throw trashErrors.notFound()
      return { status: true as const, code: 200 as const, message: "Success", data }
    },
  })

  app.post("/trash/restore", {
    config: { body: "bulk", permission: "view/trash" },
    schema: {
      operationId: "restoreTrashEntries",
      summary: "Restore many deleted objects; one that cannot be restored leaves the others",
      description:
        "Objects that belong to others in the list are restored after them: hubs and flows come first.",
      body: Type.Object({
        trashIds: Type.Array(Type.String(), { minItems: 1, maxItems: maxRestored }),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          success: Type.Integer(),
          failed: Type.Integer(),
          data: Type.Array(
            Type.Object({ _id: Type.String(), status: Type.Boolean(), message: Type.String() }),
          ),
        }),
      },
    },
    async handler({ sql, caller, body, ip }) {
      const context = { now: app.clock.now(), live: app.live, publicUrl: app.settings.publicUrl, address: ip }
      const data = await inTransaction(sql, (tx) =>
        restoreMany(tx, { caller, kinds: restorers }, body.trashIds, context),
      )
      const success = data.filter(({ status }) => status).length
      return { status: true as const, message: "Success", success, failed: data.length - success, data }
    },
  })

  app.post("/trash/:trashId/restore", {
    config: { permission: "view/trash" },
    schema: {
      operationId: "restoreTrash",
      summary: "Restore a deleted object under its previous id",
      description:
        "Also requires the permission to create objects of this type. Returns 409 if its name is taken or its parent no longer exists. A person is restored with role, hubs, teams and finished work; open tasks keep their current assignees.",
      params: TrashParams,
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          code: Type.Literal(200),
          message: Type.String(),
          data: Type.Object({
            _id: Type.String(),
            type: Type.String(),
            name: Type.String(),
            isInvited: Type.Boolean({
              description:
                "True if the person's account was deleted: it has no password, and the person is invited again",
            }),
          }),
        }),
      },
    },
    async handler({ sql, caller, params, ip }) {
      const context = { now: app.clock.now(), live: app.live, publicUrl: app.settings.publicUrl, address: ip }
      const restored = await inTransaction(sql, async (tx) => {
        const entry = await restoreFromTrash(tx, { caller, kinds: restorers }, params.trashId, context)
        await noteRestored(tx, caller, [entry], ip)
        return entry
      })
      const { sourceId, type, name, note, isInvited = false } = restored
      return {
        status: true as const,
        code: 200 as const,
        message: note === undefined ? `${type} has been restored` : `${type} has been restored: ${note}`,
        data: { _id: sourceId, type, name, isInvited },
      }
    },
  })
}
