import { Type } from "typebox"
import { actsAsOwner } from "#core/access/caller.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, paginate, readDirection, readPage } from "#core/paging.ts"
import { orNull, toT1 } from "#shared/wire-time.ts"
import { openText } from "./kept-text.ts"
import { listMails, type MailRow } from "./queries.ts"
import { openingKinds } from "./texts/texts.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])

const OutboxMail = Type.Object(
  {
    _id: IdSchema("mail"),
    recipient: Type.String(),
    kind: Type.String(),
    subject: Type.String(),
    text: NullableText,
    html: NullableText,
    error: NullableText,
    createdTime: Type.String(),
    sentTime: NullableText,
  },
  { title: "OutboxMail" },
)

/** The mails of the organization. Their texts only where no mail server would deliver them. */
export function outboxRoutes(app: App): void {
  app.get("/outbox", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "listOutbox",
      summary: "List waiting and sent mails of the last 30 days",
      description:
        "The text of a mail is returned if no mail server is configured. Only owners receive texts that give access to an account (invitation, reset, code).",
      querystring: Type.Object({
        page: ListQuery.page,
        limit: ListQuery.limit,
        sortOrder: ListQuery.sortOrder,
        recipient: Type.Optional(Type.String()),
        kind: Type.Optional(Type.String()),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: PaginatorSchema(OutboxMail),
        }),
      },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "org")
      const direction = readDirection(query.sortOrder)
      const { rows, total } = await listMails(sql, caller, query, { ...page, direction })
      const mayRead = (mail: MailRow) =>
        !app.settings.mailUrl &&
        !mail.isPrivate &&
        (!openingKinds.has(mail.kind) || (actsAsOwner(caller) && caller.tokenKind === "session"))
      const data = await Promise.all(
        rows.map(async (mail) => {
          const body = mayRead(mail) ? await openText({ sql, config: app.settings }, mail) : undefined
          return {
            _id: mail.id,
            recipient: mail.recipient,
            kind: mail.kind,
            subject: mail.subject,
            text: body?.text ?? null,
            html: body?.html ?? null,
            error: mail.error,
            createdTime: toT1(mail.createdTime),
            sentTime: orNull(mail.sentTime, toT1),
          }
        }),
      )
      return { status: true as const, message: "Success", data: paginate(data, total, page, address) }
    },
  })
}
