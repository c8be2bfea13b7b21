import { type Static, Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Sql } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema, newId } from "#core/ids.ts"
import { chooseLanguage } from "#shared/languages.ts"
import { findFlow } from "../../../work/flows/index.ts"
import { findTasks, taskErrors } from "../../../work/tasks/index.ts"
import { contactOf, findSender } from "../../tracking-pages/index.ts"
import { messageErrors } from "../errors.ts"
import { fieldsOf } from "../fields.ts"
import { insertMessages } from "../message-queries.ts"
import { addressOf } from "../plan-messages.ts"
import { TemplateParams } from "../schemas.ts"
import { enqueue } from "../send-message.ts"
import { defaultText } from "./default-texts.ts"
import { fillTemplate } from "./template-text.ts"
import { findTemplate, requireKnownFields, type TemplateRow } from "./templates.ts"

const Preview = Type.Object({
  taskId: IdSchema("task"),
  language: Type.Optional(Type.String({ maxLength: 10 })),
})

/** What a template makes of a task: shown, and sent to the person who tries it. */
export function previewRoutes(app: App): void {
  app.post("/customer-message-template/:messageTemplateId/preview", {
    config: { permission: "edit/organization", idempotent: false },
    schema: {
      operationId: "previewCustomerMessage",
      summary: "Show the message that a template makes of a task",
      params: TemplateParams,
      body: Type.Object({
        ...Preview.properties,
        subject: Type.Optional(Type.String({ maxLength: 200, description: "Instead of the template's" })),
        body: Type.Optional(Type.String({ maxLength: 4000, description: "Instead of the template's" })),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Object({
            language: Type.String(),
            recipient: Type.Union([Type.String(), Type.Null()]),
            subject: Type.String(),
            body: Type.String(),
          }),
        }),
      },
    },
    async handler({ sql, caller, params, body }) {
      const template = await findTemplate(sql, caller.organizationId, params.messageTemplateId)
      const { language, recipient, fields } = await inTransaction(sql, (tx) =>
        read(tx, caller, template, body),
      )
      const builtIn = defaultText(template.event, language)
      const draft = { ...template, ...body }
      requireKnownFields(draft)
      const data = {
        language,
        recipient: recipient ?? null,
        subject: fillTemplate(draft.subject || builtIn.subject, fields),
        body: fillTemplate(draft.body || builtIn.body, fields),
      }
      return { status: true as const, message: "Success", data }
    },
  })

  app.post("/customer-message-template/:messageTemplateId/test", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "testCustomerMessage",
      summary: "Send the message that a template makes of a task to an address of your own",
      description:
        "Counts as a message of the channel and is in the log. `recipient` is an e-mail address or a telephone number.",
      params: TemplateParams,
      body: Type.Object({ ...Preview.properties, recipient: Type.String({ minLength: 3, maxLength: 255 }) }),
      response: { 202: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ sql, caller, params, body }, reply) {
      const now = app.clock.now()
      const sender = await findSender(app.sql, caller.organizationId)
      await inTransaction(sql, async (tx) => {
        const template = await findTemplate(tx, caller.organizationId, params.messageTemplateId)
        const { language, task } = await read(tx, caller, template, body)
        const recipient = addressOf(template.kind, { phone: body.recipient, email: body.recipient }, sender)
        if (recipient === undefined)
          throw messageErrors.invalid({ fields: { recipient: ["is not an address of this channel"] } })
        const made = await insertMessages(
          tx,
          [
            {
              organizationId: task.organizationId,
              taskId: task.id,
              hubId: task.hubId,
              event: template.event,
              eventKey: `test:${newId()}`,
              kind: template.kind,
              channelId: template.channelId,
              templateId: template.id,
              recipient,
              language,
              body: null,
              runAt: now,
            },
          ],
          now,
        )
        for (const message of made) await enqueue(tx, message)
      })
      reply.code(202)
      return { status: true as const, message: "The message will be sent" }
    },
  })

  async function read(tx: Sql, caller: Caller, template: TemplateRow, body: Static<typeof Preview>) {
    const [task] = await findTasks(tx, caller, [body.taskId])
    if (!task) throw taskErrors.notFound()
    const sender = await findSender(app.sql, caller.organizationId)
    const flow = await findFlow(app.sql, task, task.flowId)
    const contact = contactOf(task.values, flow?.pages ?? [], sender.settings.fields)
    const language = chooseLanguage(
      body.language || template.language,
      contact.language,
      sender.settings.language,
      sender.language,
    )
    const context = {
      sql: tx,
      pool: app.sql,
      links: app.links,
      publicUrl: app.settings.publicUrl,
      now: app.clock.now(),
    }
    const fields = await fieldsOf(context, sender, task, language, null)
    return { task, language, recipient: addressOf(template.kind, contact, sender), fields }
  }
}
