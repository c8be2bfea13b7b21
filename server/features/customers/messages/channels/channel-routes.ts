import { type Static, Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, type Sql } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { messageErrors } from "../errors.ts"
import { ChannelBody, ChannelSchema } from "../schemas.ts"
import { usageOf } from "../usage.ts"
import {
  type ChannelInput,
  type ChannelRow,
  callbackUrl,
  deleteChannel,
  findChannel,
  insertChannel,
  listChannels,
  openSecrets,
  updateChannel,
} from "./channels.ts"

const Params = Type.Object({ channelId: IdSchema("channel") })
const ChannelResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: ChannelSchema,
})
const targetType = "message-channel"

/** Through what customers are reached. Secrets go in and never come out. */
export function channelRoutes(app: App): void {
  const sealing = { sql: app.sql, config: app.settings }

  app.get("/customer-message-channels", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "listMessageChannels",
      summary: "List the channels of messages to customers",
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Array(ChannelSchema),
        }),
      },
    },
    async handler({ sql, caller }) {
      const rows = await listChannels(sql, caller.organizationId)
      const data = await Promise.all(rows.map((row) => toWire(sql, caller, row)))
      return { status: true as const, message: "Success", data }
    },
  })

  app.post("/customer-message-channel", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "createMessageChannel",
      summary: "Create a channel",
      body: ChannelBody,
      response: { 201: ChannelResponse },
    },
    async handler({ sql, caller, body, ip }, reply) {
      const input = inputOf(body)
      const row = await inTransaction(sql, async (tx) => {
        const made = await insertChannel(tx, sealing, caller, input)
        await audit(tx, actorOf(caller, ip), {
          action: "message-channel.create",
          targetType,
          targetId: made.id,
          targetName: made.name,
          after: visible(input),
        })
        return made
      })
      reply.code(201)
      return { status: true as const, message: "Channel created", data: await toWire(sql, caller, row) }
    },
  })

  app.put("/customer-message-channel/:channelId", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "replaceMessageChannel",
      summary: "Replace a channel; secrets that are left out stay",
      params: Params,
      body: ChannelBody,
      response: { 200: ChannelResponse },
    },
    async handler({ sql, caller, params, body, ip }) {
      const input = inputOf(body)
      const row = await inTransaction(sql, async (tx) => {
        const before = await findChannel(tx, caller.organizationId, params.channelId)
        const made = await updateChannel(tx, sealing, caller, before, input)
        await audit(tx, actorOf(caller, ip), {
          action: "message-channel.update",
          targetType,
          targetId: made.id,
          targetName: made.name,
          before: visible(before),
          after: visible(input),
        })
        return made
      })
      return { status: true as const, message: "Saved", data: await toWire(sql, caller, row) }
    },
  })

  app.delete("/customer-message-channel/:channelId", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "deleteMessageChannel",
      summary: "Delete a channel and its templates; the log stays",
      params: Params,
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ sql, caller, params, ip }) {
      await inTransaction(sql, async (tx) => {
        const before = await findChannel(tx, caller.organizationId, params.channelId)
        await deleteChannel(tx, caller.organizationId, before.id)
        await audit(tx, actorOf(caller, ip), {
          action: "message-channel.delete",
          targetType,
          targetId: before.id,
          targetName: before.name,
          before: visible(before),
        })
      })
      return { status: true as const, message: "Deleted" }
    },
  })

  async function toWire(
    sql: Sql,
    { timeZone }: Caller,
    row: ChannelRow,
  ): Promise<Static<typeof ChannelSchema>> {
    const today = app.clock.now().toZonedDateTimeISO(timeZone).toPlainDate().toString()
    const [secrets, usage] = await Promise.all([openSecrets(sealing, row), usageOf(sql, row, today)])
    const { id, name, kind, preset, settings, isActive, cost, dailyCap } = row
    return {
      _id: id,
      name,
      kind,
      preset,
      variables: settings.variables,
      secretNames: Object.keys(secrets).filter((secret) => secret !== "callback"),
      request: settings.request ?? null,
      onUncertain: settings.onUncertain,
      isActive,
      cost: Number(cost),
      dailyCap,
      callbackUrl: kind === "email" ? null : callbackUrl(app.settings.publicUrl, row, secrets),
      ...usage,
    }
  }
}

function inputOf(body: Static<typeof ChannelBody>): ChannelInput {
  const { kind, request, variables = {}, secrets = {}, onUncertain = "stop" } = body
  const preset = kind === "email" ? "mail" : (body.preset ?? "http")
  if (kind !== "email" && preset === "mail")
    throw messageErrors.invalid({ fields: { preset: ["must be a provider of messages to telephones"] } })
  if (preset === "http" && !request?.url)
    throw messageErrors.invalid({ fields: { request: ["needs a url"] } })
  return {
    name: body.name,
    kind,
    preset,
    settings: { variables, onUncertain, ...(request ? { request } : {}) },
    isActive: body.isActive ?? true,
    cost: body.cost ?? 0,
    dailyCap: body.dailyCap ?? 1000,
    secrets,
  }
}

/** What the audit log keeps of a channel: headers and addresses of a request can hold secrets. */
function visible({
  name,
  kind,
  preset,
  isActive,
  dailyCap,
}: Pick<ChannelRow, "name" | "kind" | "preset" | "isActive" | "dailyCap">) {
  return { name, kind, preset, isActive, dailyCap }
}
