import { Type } from "typebox"
import type { App } from "#core/http/types.ts"
import { ListQuery, PaginatorSchema, paginate, readDirection, readPage } from "#core/paging.ts"
import { parseTimeBound, toT1 } from "#shared/wire-time.ts"
import { listAuditLog } from "./queries.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])

const Entry = Type.Object(
  {
    _id: Type.String(),
    time: Type.String(),
    actor: Type.Union([Type.String(), Type.Null()], {
      description: "E-mail; null for callers who are not signed in and for the system",
    }),
    address: NullableText,
    action: Type.String({ description: "For example role.update or session.refuse" }),
    targetType: Type.String(),
    targetId: NullableText,
    targetName: NullableText,
    before: Type.Unknown(),
    after: Type.Unknown(),
  },
  { title: "AuditLogEntry" },
)

/** Who changed what, when, from where, before and after; kept for one year. */
export function auditLogRoutes(app: App): void {
  app.get("/audit-log", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "listAuditLog",
      summary: "List changes of people, roles, tokens and settings, and sign-ins, newest first",
      querystring: Type.Object({
        page: ListQuery.page,
        limit: ListQuery.limit,
        sortOrder: ListQuery.sortOrder,
        actor: Type.Optional(Type.String({ description: "E-mail" })),
        action: Type.Optional(
          Type.String({
            description: "One action, or a prefix with a trailing dot for a group of actions: session.",
          }),
        ),
        targetType: Type.Optional(Type.String()),
        targetId: Type.Optional(Type.String()),
        q: Type.Optional(Type.String({ maxLength: 200, description: "Part of the target's name" })),
        dateFrom: Type.Optional(Type.String({ format: "wire-time-bound" })),
        dateTo: Type.Optional(Type.String({ format: "wire-time-bound" })),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: PaginatorSchema(Entry),
        }),
      },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "org")
      const bound = (text: string | undefined, end: "from" | "to") => {
        const milliseconds = text === undefined ? undefined : parseTimeBound(text, end)
        return milliseconds === undefined ? undefined : Temporal.Instant.fromEpochMilliseconds(milliseconds)
      }
      const [from, to] = [bound(query.dateFrom, "from"), bound(query.dateTo, "to")]
      const direction = readDirection(query.sortOrder)
      const { rows, total } = await listAuditLog(sql, caller, { ...query, from, to }, { ...page, direction })
      const data = rows.map(({ id, time, actorEmail, ...rest }) => ({
        _id: id,
        time: toT1(time),
        actor: actorEmail,
        ...rest,
      }))
      return { status: true as const, message: "Success", data: paginate(data, total, page, address) }
    },
  })
}
