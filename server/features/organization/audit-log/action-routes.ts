import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { findEntriesOf, findUndone } from "#core/audit-trail/action-objects.ts"
import {
  type EntryRow,
  findEntry,
  listAuditLogAfter,
  listHistory,
  listParts,
} from "#core/audit-trail/entries.ts"
import { isAuditor } from "#core/audit-trail/visible-parts.ts"
import { cutPage, readCursor } from "#core/cursor-paging.ts"
import type { Sql } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { auditErrors } from "./errors.ts"
import {
  EntryParams,
  EntrySchema,
  HistorySchema,
  PartSchema,
  toWireEntry,
  toWireHistory,
  toWirePart,
} from "./schemas.ts"
import { type UndoOptions, undoAction, undoMinutes } from "./undo.ts"

const ActionSchema = Type.Object(
  {
    ...EntrySchema.properties,
    isUndoable: Type.Boolean(),
    undoneBy: Type.Union([Type.String(), Type.Null()], { description: "The entry that undid this one" }),
  },
  { title: "Action" },
)
const success = { status: true as const, message: "Success" }
const Success = { status: Type.Literal(true), message: Type.String() }
const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 }))
const NextNumber = Type.Union([Type.Integer(), Type.Null()], { description: "null after the last" })
/** What these routes show follows from the objects, so a token must have a permission that shows some. */
const access = { signedIn: true, scopedToken: ["edit/organization", "view/task", "view/data"] } as const

/** Actions of the last days with what they changed, and their undoing; the history of one object. */
export function actionRoutes(app: App, options: UndoOptions): void {
  const { objects } = options
  const types = objects.map(({ type }) => type)
  const since = () => app.clock.now().subtract({ minutes: undoMinutes })
  const toActions = async (sql: Sql, caller: Caller, rows: readonly EntryRow[]) => {
    const undone = await findUndone(sql, caller.organizationId, since())
    const open = rows.filter(
      ({ id, time }) => !undone.has(id) && Temporal.Instant.compare(time, since()) >= 0,
    )
    const openIds = open.map(({ id }) => id)
    const undoable = await findEntriesOf(sql, caller.organizationId, openIds, types)
    return rows.map((row) => ({
      ...toWireEntry(row),
      isUndoable: undoable.has(row.id),
      undoneBy: undone.get(row.id) ?? null,
    }))
  }

  app.get("/actions", {
    config: access,
    schema: {
      operationId: "listActions",
      summary: "List what the caller changed, newest first",
      querystring: Type.Object({
        limit: Limit,
        cursor: Type.Optional(Type.String({ description: "nextCursor of the page before" })),
        everyone: Type.Optional(
          Type.Boolean({ description: "Actions of everybody; with the permission edit/organization" }),
        ),
      }),
      response: {
        200: Type.Object({
          ...Success,
          data: Type.Array(ActionSchema),
          nextCursor: Type.Union([Type.String(), Type.Null()]),
        }),
      },
    },
    async handler({ sql, caller, query }) {
      const { limit = 50, cursor, everyone } = query
      const order = { sortBy: "time", direction: "desc" } as const
      const place = cursor === undefined ? undefined : readCursor(order, cursor)
      if (cursor !== undefined && !place) throw auditErrors.badCursor()
      const filter = { from: undefined, to: undefined, hasParts: true }
      const own =
        everyone && isAuditor(caller) ? filter : { ...filter, actor: caller.email, actorId: caller.userId }
      const read = await listAuditLogAfter(sql, { caller, objects }, own, { place, direction: "desc", limit })
      const { rows, nextCursor } = cutPage(read, order, limit)
      return { ...success, data: await toActions(sql, caller, rows), nextCursor }
    },
  })

  app.get("/action/:actionId", {
    config: access,
    schema: {
      operationId: "getAction",
      summary: "Get an entry of the audit log; people who may not read all of it get their own",
      params: EntryParams,
      response: { 200: Type.Object({ ...Success, data: ActionSchema }) },
    },
    async handler({ sql, caller, params }) {
      const entry = await findEntry(sql, { caller, objects }, params.actionId)
      const [data] = entry ? await toActions(sql, caller, [entry]) : []
      if (!data) throw auditErrors.notFound()
      return { ...success, data }
    },
  })

  app.get("/action/:actionId/parts", {
    config: access,
    schema: {
      operationId: "listActionParts",
      summary: "List the changes of an entry in their order, object by object",
      params: EntryParams,
      querystring: Type.Object({
        limit: Limit,
        after: Type.Optional(Type.Integer({ description: "next of the page before" })),
      }),
      response: { 200: Type.Object({ ...Success, data: Type.Array(PartSchema), next: NextNumber }) },
    },
    async handler({ sql, caller, params, query }) {
      const { limit = 100, after = 0 } = query
      const entry = await findEntry(sql, { caller, objects }, params.actionId)
      if (!entry) throw auditErrors.notFound()
      const parts = await listParts(sql, { caller, objects }, entry.id, { after, limit: limit + 1 })
      const page = parts.slice(0, limit)
      return {
        ...success,
        data: page.map(toWirePart),
        next: parts.length > limit ? (page.at(-1)?.number ?? null) : null,
      }
    },
  })

  app.post("/action/:actionId/undo", {
    config: { ...access, admission: "light" },
    schema: {
      operationId: "undoAction",
      summary: "Undo an action of the last ten minutes",
      description:
        "Runs the usual operations with the caller's permissions. Objects that were changed since, and those that an operation refuses, are left alone and listed. The undo is an action itself and can be undone. An action of more than 2,000 objects takes several calls.",
      params: EntryParams,
      body: Type.Optional(
        Type.Object({ before: Type.Optional(Type.Integer({ description: "next of the call before" })) }),
      ),
      response: {
        200: Type.Object({
          ...Success,
          data: Type.Object(
            {
              done: Type.Integer({ description: "Objects that were restored to their earlier state" }),
              leftAlone: Type.Array(
                Type.Object({
                  objectType: Type.String(),
                  objectId: Type.String(),
                  objectName: Type.Union([Type.String(), Type.Null()]),
                  reason: Type.String(),
                }),
              ),
              next: NextNumber,
            },
            { title: "UndoResult" },
          ),
        }),
      },
    },
    async handler({ sql, caller, params, body, ip }) {
      const request = { caller, actionId: params.actionId, before: body?.before, address: ip }
      return { ...success, data: await undoAction(app, sql, request, options) }
    },
  })

  app.get("/history", {
    config: access,
    schema: {
      operationId: "listHistory",
      summary: "List the changes of an object, newest first; empty for an object that the caller cannot see",
      querystring: Type.Object({
        objectType: Type.String({ description: "task, record, vehicle, user, hub, flow or schedule" }),
        objectId: Type.String(),
        limit: Limit,
        before: Type.Optional(Type.Integer({ description: "next of the page before" })),
      }),
      response: { 200: Type.Object({ ...Success, data: Type.Array(HistorySchema), next: NextNumber }) },
    },
    async handler({ sql, caller, query }) {
      const { limit = 50, before, objectType: type, objectId: id } = query
      const rows = await listHistory(sql, { caller, objects }, { type, id }, { before, limit: limit + 1 })
      const page = rows.slice(0, limit)
      return {
        ...success,
        data: page.map(toWireHistory),
        next: rows.length > limit ? (page.at(-1)?.number ?? null) : null,
      }
    },
  })
}
