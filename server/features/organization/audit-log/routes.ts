import { PassThrough } from "node:stream"
import { type Static, Type } from "typebox"
import { actorOf, audit } from "#core/audit.ts"
import type { AuditedObject } from "#core/audit-trail/audited-object.ts"
import {
  type AuditFilter,
  entryOrder,
  listAuditLog,
  listAuditLogAfter,
  readEntryPlace,
} from "#core/audit-trail/entries.ts"
import { defaultRetentionDays, readRetention, writeRetention } from "#core/audit-trail/retention.ts"
import { CursorPageKeys, CursorQuery, cutPage, paginateAfter } from "#core/cursor-paging.ts"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { ListQuery, PaginatorSchema, paginate, readDirection, readPage } from "#core/paging.ts"
import { parseTimeBound } from "#shared/wire-time.ts"
import { auditErrors } from "./errors.ts"
import { exportTypes, writeAuditExport } from "./export-entries.ts"
import { EntrySchema, toWireEntry } from "./schemas.ts"

const Filter = {
  actor: Type.Optional(Type.String({ description: "E-mail" })),
  action: Type.Optional(
    Type.String({
      description: "One action, or a prefix with a trailing dot for a group of actions: session.",
    }),
  ),
  targetType: Type.Optional(Type.String({ description: "The type of an object that was changed" })),
  targetId: Type.Optional(
    Type.String({ description: "The id of an object that was changed, also within a mass action" }),
  ),
  via: Type.Optional(Type.String({ description: "console, phone, api, job, command or database" })),
  operation: Type.Optional(
    Type.String({ description: "The operationId of the call, or the name of the job" }),
  ),
  q: Type.Optional(Type.String({ maxLength: 200, description: "Part of a name, an e-mail or an action" })),
  dateFrom: Type.Optional(Type.String({ format: "wire-time-bound" })),
  dateTo: Type.Optional(Type.String({ format: "wire-time-bound" })),
}
const FilterSchema = Type.Object(Filter)

const Settings = Type.Object(
  {
    retentionDays: Type.Integer({
      minimum: 30,
      maximum: 3650,
      description: `Entries are removed after so many days; ${defaultRetentionDays} unless set`,
    }),
  },
  { title: "AuditLogSettings" },
)

function readFilter(query: Static<typeof FilterSchema>): AuditFilter {
  const bound = (text: string | undefined, end: "from" | "to") => {
    const milliseconds = text === undefined ? undefined : parseTimeBound(text, end)
    return milliseconds === undefined ? undefined : Temporal.Instant.fromEpochMilliseconds(milliseconds)
  }
  return { ...query, from: bound(query.dateFrom, "from"), to: bound(query.dateTo, "to") }
}

/** Who changed what, when, from where, before and after. */
export function auditLogRoutes(app: App, objects: readonly AuditedObject[]): void {
  app.get("/audit-log", {
    config: { permission: "edit/organization", reads: "replica" },
    schema: {
      operationId: "listAuditLog",
      summary: "List changes of all objects, and sign-ins, newest first",
      querystring: Type.Object({
        page: ListQuery.page,
        limit: ListQuery.limit,
        sortOrder: ListQuery.sortOrder,
        ...CursorQuery,
        ...Filter,
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Object({ ...PaginatorSchema(EntrySchema).properties, ...CursorPageKeys }),
        }),
      },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "org")
      const direction = readDirection(query.sortOrder)
      const filter = readFilter(query)
      const success = { status: true as const, message: "Success" }
      if (query.lazyLoad !== 1) {
        const { rows, total } = await listAuditLog(sql, { caller, objects }, filter, { ...page, direction })
        return { ...success, data: paginate(rows.map(toWireEntry), total, page, address) }
      }
      const order = entryOrder(sql, direction)
      const { cursor } = query
      const place = cursor === undefined ? undefined : await readEntryPlace(sql, caller, direction, cursor)
      if (cursor !== undefined && !place) throw auditErrors.badCursor()
      const read = await listAuditLogAfter(sql, { caller, objects }, filter, {
        place,
        direction,
        limit: page.limit,
      })
      const { rows, nextCursor } = cutPage(read, order, page.limit)
      const wire = rows.map(({ placeId: _id, placeType: _type, placeValue: _value, ...row }) =>
        toWireEntry(row),
      )
      return { ...success, data: paginateAfter(wire, nextCursor, page.limit, address) }
    },
  })

  app.get("/audit-log/export", {
    config: { permission: "edit/organization", produces: "other", admission: "heavy" },
    schema: {
      operationId: "exportAuditLog",
      summary: "Download entries with their changes field by field, oldest first",
      querystring: Type.Object({
        download: Type.Unsafe<keyof typeof exportTypes>(Type.String({ enum: Object.keys(exportTypes) })),
        ...Filter,
      }),
      response: { 200: Type.Unsafe<unknown>(Type.String({ description: "The file" })) },
    },
    async handler({ caller, query }, reply) {
      const format = query.download
      const out = new PassThrough()
      const written = writeAuditExport(app.sql, out, { caller, objects }, readFilter(query), format)
      written.then(
        () => out.end(),
        (error: Error) => out.destroy(error),
      )
      reply.header("content-disposition", `attachment; filename="audit-log.${format}"`)
      return reply.type(exportTypes[format]).send(out)
    },
  })

  app.get("/audit-log/settings", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "getAuditLogSettings",
      summary: "Get how long entries of the audit log are kept",
      response: { 200: Type.Object({ status: Type.Literal(true), data: Settings }) },
    },
    async handler({ sql, caller }) {
      return { status: true as const, data: { retentionDays: await readRetention(sql, caller) } }
    },
  })

  app.put("/audit-log/settings", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "setAuditLogSettings",
      summary: "Set how long entries of the audit log are kept",
      body: Settings,
      response: { 200: Type.Object({ status: Type.Literal(true), data: Settings }) },
    },
    async handler({ sql, caller, body, ip }) {
      await inTransaction(sql, async (tx) => {
        const before = { retentionDays: await readRetention(tx, caller) }
        await writeRetention(tx, caller, body.retentionDays)
        await audit(tx, actorOf(caller, ip), {
          ...{ action: "audit-log.update", targetType: "organization", targetId: caller.organizationId },
          ...{ before, after: body },
        })
      })
      return { status: true as const, data: body }
    },
  })
}
