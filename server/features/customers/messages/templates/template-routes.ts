import { type Static, Type } from "typebox"
import { type Caller, hasHub } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, type Sql, type Tx } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema, newId } from "#core/ids.ts"
import { chooseLanguage } from "#shared/languages.ts"
import { findHub } from "../../../organization/hubs/index.ts"
import { findFlow } from "../../../work/flows/index.ts"
import { findTasks, taskErrors } from "../../../work/tasks/index.ts"
import { contactOf, findSender } from "../../tracking-pages/index.ts"
import { findChannel } from "../channels/channels.ts"
import { messageErrors } from "../errors.ts"
import { fieldsOf } from "../fields.ts"
import { insertMessages } from "../message-queries.ts"
import { addressOf } from "../plan-messages.ts"
import { TemplateBody, TemplateSchema } from "../schemas.ts"
import { enqueue } from "../send-message.ts"
import {
  defaultMessageSettings,
  MessageSettingsSchema,
  readMessageSettings,
  writeMessageSettings,
} from "../settings.ts"
import { defaultText } from "./default-texts.ts"
import { fillTemplate, unknownFields } from "./template-text.ts"
import {
  deleteTemplate,
  findTemplate,
  listTemplates,
  saveTemplate,
  type TemplateInput,
  type TemplateRow,
} from "./templates.ts"

const Params = Type.Object({ messageTemplateId: IdSchema("message-template") })
const TemplateResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: TemplateSchema,
})
const Preview = Type.Object({
  taskId: IdSchema("task"),
  language: Type.Optional(Type.String({ maxLength: 10 })),
})
const targetType = "message-template"
const permission = "edit/organization" as const

export function templateRoutes(app: App): void {
  settingsRoutes(app)
  previewRoutes(app)

  app.get("/customer-message-templates", {
    config: { permission },
    schema: {
      operationId: "listCustomerMessageTemplates",
      summary: "List the templates of messages to customers",
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Array(TemplateSchema),
        }),
      },
    },
    async handler({ sql, caller }) {
      const rows = await listTemplates(sql, caller.organizationId)
      return { status: true as const, message: "Success", data: rows.map(toWire) }
    },
  })

  app.post("/customer-message-template", {
    config: { permission },
    schema: {
      operationId: "createCustomerMessageTemplate",
      summary: "Create a template",
      body: TemplateBody,
      response: { 201: TemplateResponse },
    },
    async handler({ sql, caller, body, ip }, reply) {
      const row = await inTransaction(sql, (tx) => save(tx, caller, undefined, body, ip))
      reply.code(201)
      return { status: true as const, message: "Template created", data: toWire(row) }
    },
  })

  app.put("/customer-message-template/:messageTemplateId", {
    config: { permission },
    schema: {
      operationId: "replaceCustomerMessageTemplate",
      summary: "Replace a template",
      params: Params,
      body: TemplateBody,
      response: { 200: TemplateResponse },
    },
    async handler({ sql, caller, params, body, ip }) {
      const row = await inTransaction(sql, async (tx) => {
        const { id } = await findTemplate(tx, caller.organizationId, params.messageTemplateId)
        return save(tx, caller, id, body, ip)
      })
      return { status: true as const, message: "Saved", data: toWire(row) }
    },
  })

  app.delete("/customer-message-template/:messageTemplateId", {
    config: { permission },
    schema: {
      operationId: "deleteCustomerMessageTemplate",
      summary: "Delete a template",
      params: Params,
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ sql, caller, params, ip }) {
      await inTransaction(sql, async (tx) => {
        if (!(await deleteTemplate(tx, caller.organizationId, params.messageTemplateId)))
          throw messageErrors.notFound()
        await audit(tx, actorOf(caller, ip), {
          action: "message-template.delete",
          targetType,
          targetId: params.messageTemplateId,
        })
      })
      return { status: true as const, message: "Deleted" }
    },
  })
}

/** Unknown placeholders are refused: they would be empty in every message. */
async function save(
  tx: Tx,
  caller: Caller,
  templateId: string | undefined,
  body: Static<typeof TemplateBody>,
  ip: string,
): Promise<TemplateRow> {
  const { subject = "", body: text = "", language = "", hubId = null, flowId = null, isActive = true } = body
  const unknown = unknownFields(`${subject}\n${text}`)
  if (unknown.length > 0)
    throw messageErrors.invalid({ fields: { body: unknown.map((name) => `{{${name}}} is unknown`) } })
  if (hubId !== null && !(hasHub(caller, hubId) && (await findHub(tx, caller, hubId))))
    throw messageErrors.invalid({ fields: { hubId: ["is not one of your hubs"] } })
  if (flowId !== null && !(await findFlow(tx, caller, flowId)))
    throw messageErrors.invalid({ fields: { flowId: ["does not exist"] } })
  const channel = await findChannel(tx, caller.organizationId, body.channelId)
  const input: TemplateInput = {
    event: body.event,
    channelId: channel.id,
    hubId,
    flowId,
    language,
    subject,
    body: text,
    isActive,
  }
  const row = await saveTemplate(tx, caller, templateId, input)
  await audit(tx, actorOf(caller, ip), {
    action: `message-template.${templateId ? "update" : "create"}`,
    targetType,
    targetId: row.id,
    targetName: row.event,
    after: input,
  })
  return row
}

function toWire({
  id,
  event,
  channelId,
  kind,
  hubId,
  flowId,
  language,
  subject,
  body,
  isActive,
}: TemplateRow) {
  return {
    _id: id,
    event,
    channelId,
    kind,
    hubId,
    flowId,
    language,
    subject,
    body,
    isActive,
  }
}

function settingsRoutes(app: App): void {
  const Response = Type.Object({
    status: Type.Literal(true),
    message: Type.String(),
    data: MessageSettingsSchema,
  })
  app.get("/customer-message-settings", {
    config: { permission },
    schema: {
      operationId: "getMessageSettings",
      summary: "Get when messages are sent",
      response: { 200: Response },
    },
    handler: async ({ sql, caller }) => ({
      status: true as const,
      message: "Success",
      data: await readMessageSettings(sql, caller.organizationId),
    }),
  })

  app.put("/customer-message-settings", {
    config: { permission },
    schema: {
      operationId: "replaceMessageSettings",
      summary: "Replace when messages are sent",
      body: Type.Partial(MessageSettingsSchema),
      response: { 200: Response },
    },
    async handler({ sql, caller, body, ip }) {
      const data = { ...defaultMessageSettings, ...body }
      await inTransaction(sql, async (tx) => {
        await writeMessageSettings(tx, caller, data)
        await audit(tx, actorOf(caller, ip), {
          action: "message-settings.update",
          targetType: "organization",
          targetId: caller.organizationId,
          after: data,
        })
      })
      return { status: true as const, message: "Saved", data }
    },
  })
}

function previewRoutes(app: App): void {
  app.post("/customer-message-template/:messageTemplateId/preview", {
    config: { permission, idempotent: false },
    schema: {
      operationId: "previewCustomerMessage",
      summary: "Show the message that a template makes of a task",
      params: Params,
      body: Preview,
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
      const data = {
        language,
        recipient: recipient ?? null,
        subject: fillTemplate(template.subject || builtIn.subject, fields),
        body: fillTemplate(template.body || builtIn.body, fields),
      }
      return { status: true as const, message: "Success", data }
    },
  })

  app.post("/customer-message-template/:messageTemplateId/test", {
    config: { permission },
    schema: {
      operationId: "testCustomerMessage",
      summary: "Send the message that a template makes of a task to an address of your own",
      description:
        "Counts as a message of the channel and is in the log. `recipient` is an e-mail address or a telephone number.",
      params: Params,
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
