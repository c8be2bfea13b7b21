import { Type } from "typebox"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, paginate, readPage } from "#core/paging.ts"
import { orNull, toT1 } from "#shared/wire-time.ts"
import { messageErrors } from "./errors.ts"
import { listMessages, type MessageRow, messageStatuses, takeForResend } from "./message-queries.ts"
import { addOptOut, listOptOuts, removeOptOut } from "./opt-outs.ts"
import { MessageSchema } from "./schemas.ts"
import { enqueue } from "./send-message.ts"

/** What was sent, or was not, and why; and who wants no messages. */
export function logRoutes(app: App): void {
  app.get("/customer-messages", {
    config: { permission: "view/task" },
    schema: {
      operationId: "listCustomerMessages",
      summary: "List messages to customers of tasks in your hubs, newest first",
      querystring: Type.Object({
        page: ListQuery.page,
        limit: ListQuery.limit,
        taskId: Type.Optional(IdSchema("task")),
        status: Type.Optional(Type.String({ enum: [...messageStatuses] })),
        event: Type.Optional(Type.String()),
        recipient: Type.Optional(Type.String({ description: "Exact address" })),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: PaginatorSchema(MessageSchema),
        }),
      },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "cumsg")
      const { rows, total } = await listMessages(sql, caller, query, page)
      return {
        status: true as const,
        message: "Success",
        data: paginate(rows.map(toWire), total, page, address),
      }
    },
  })

  app.post("/customer-message/:messageId/resend", {
    config: { permission: "edit/task" },
    schema: {
      operationId: "resendCustomerMessage",
      summary: "Send a message again",
      description:
        "One that failed, was skipped or is uncertain is sent after all. Of one that was sent, a new message is made whose " +
        "`resendOf` names it; a template's text is rewritten with the current times.",
      params: Type.Object({ messageId: IdSchema("customer-message") }),
      response: {
        202: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Object({
            _id: Type.String({ description: "The message that will be sent: the same one, or its copy" }),
          }),
        }),
      },
    },
    async handler({ sql, caller, params, ip }, reply) {
      const now = app.clock.now()
      const data = await inTransaction(sql, async (tx) => {
        const { found, message } = await takeForResend(tx, caller, params.messageId, now)
        if (!found) throw messageErrors.notFound()
        if (!message) throw messageErrors.notResendable()
        await enqueue(tx, { organizationId: message.organizationId, messageId: message.id, runAt: undefined })
        await audit(tx, actorOf(caller, ip), {
          action: "customer-message.resend",
          targetType: "customer-message",
          targetId: message.id,
          after: { messageId: message.id, resendOf: params.messageId.toLowerCase() },
        })
        return { _id: message.id }
      })
      reply.code(202)
      return { status: true as const, message: "The message will be sent", data }
    },
  })

  app.get("/customer-opt-outs", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "listOptOuts",
      summary: "List addresses that receive no messages, newest first (at most 1,000)",
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Array(
            Type.Object(
              { address: Type.String(), source: Type.String(), createdTime: Type.String() },
              { title: "OptOut" },
            ),
          ),
        }),
      },
    },
    async handler({ sql, caller }) {
      const rows = await listOptOuts(sql, caller.organizationId)
      const data = rows.map((row) => ({ ...row, createdTime: toT1(row.createdTime) }))
      return { status: true as const, message: "Success", data }
    },
  })

  app.put("/customer-opt-out", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "setOptOut",
      summary: "Add an address to those that receive no messages, or remove it",
      body: Type.Object({
        address: Type.String({
          minLength: 3,
          maxLength: 255,
          description: "E-mail address in lower case, or +6281234567890",
        }),
        hasOptedOut: Type.Boolean(),
      }),
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ sql, caller, body, ip }) {
      const address = body.address.trim().toLowerCase()
      await inTransaction(sql, async (tx) => {
        if (body.hasOptedOut)
          await addOptOut(tx, caller.organizationId, [address], "console", app.clock.now())
        else await removeOptOut(tx, caller.organizationId, [address])
        await audit(tx, actorOf(caller, ip), {
          action: "opt-out.update",
          targetType: "opt-out",
          targetName: address,
          after: { hasOptedOut: body.hasOptedOut },
        })
      })
      return { status: true as const, message: "Saved" }
    },
  })
}

function toWire(row: MessageRow) {
  return {
    _id: row.id,
    taskId: row.taskId,
    event: row.event,
    kind: row.kind,
    channelId: row.channelId,
    recipient: row.recipient,
    language: row.language,
    subject: row.subject,
    body: row.body,
    status: row.status,
    reason: row.reason,
    attempts: row.attempts,
    providerId: row.providerId,
    providerStatus: row.providerStatus,
    cost: Number(row.cost),
    createdTime: toT1(row.createdTime),
    runTime: toT1(row.runAt),
    sentTime: orNull(row.sentTime, toT1),
    resendOf: row.resendOf,
  }
}
