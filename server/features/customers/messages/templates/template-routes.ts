import { type Static, Type } from "typebox"
import { type Caller, hasHub } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, type Tx } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { findHub } from "../../../organization/hubs/index.ts"
import { findFlow } from "../../../work/flows/index.ts"
import { findChannel } from "../channels/channels.ts"
import { messageErrors } from "../errors.ts"
import { TemplateBody, TemplateParams, TemplateSchema } from "../schemas.ts"
import {
  defaultMessageSettings,
  MessageSettingsSchema,
  readMessageSettings,
  writeMessageSettings,
} from "../settings.ts"
import { previewRoutes } from "./preview-routes.ts"
import {
  deleteTemplate,
  findTemplate,
  listTemplates,
  requireKnownFields,
  saveTemplate,
  type TemplateInput,
  type TemplateRow,
} from "./templates.ts"

const TemplateResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: TemplateSchema,
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
      params: TemplateParams,
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
      params: TemplateParams,
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

async function save(
  tx: Tx,
  caller: Caller,
  templateId: string | undefined,
  body: Static<typeof TemplateBody>,
  ip: string,
): Promise<TemplateRow> {
  const { subject = "", body: text = "", language = "", hubId = null, flowId = null, isActive = true } = body
  requireKnownFields({ subject, body: text })
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
