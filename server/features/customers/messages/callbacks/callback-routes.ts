import { Type } from "typebox"
import { addressGroup } from "#core/address-group.ts"
import { coreErrors } from "#core/errors.ts"
import { type App, inScope } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { callbackUrl, findChannelOfCallback, openSecrets } from "../channels/channels.ts"
import { messageErrors } from "../errors.ts"
import { presetOf } from "../templates/presets.ts"
import { type Callback, isGenuine, isSame, readCallback } from "./callbacks.ts"
import { receiveCallback } from "./receive-callback.ts"

const Params = Type.Object({ channelId: IdSchema("channel") })
const maxMissesPerHour = 60

/** Where providers report: states of messages, and what customers write back. */
export function callbackRoutes(app: App): void {
  const sealing = { sql: app.sql, config: app.settings }
  const misses = (ip: string) => `message-callback:${addressGroup(ip)}`

  /** The channel, as long as the address has not guessed too often. */
  async function find(channelId: string, ip: string) {
    if (!(await app.limiter.hasRoom(misses(ip), maxMissesPerHour, 3600)))
      throw coreErrors.tooManyRequests({ headers: { "retry-after": "3600" } })
    const channel = await findChannelOfCallback(app.sql, channelId)
    if (!channel) throw await refusal(ip)
    return { channel, secrets: await openSecrets(sealing, channel) }
  }

  async function refusal(ip: string): Promise<Error> {
    await app.limiter.take(misses(ip), maxMissesPerHour, 3600)
    return messageErrors.notFound()
  }

  inScope(app, (scope) => {
    // Signatures cover the bytes that were sent.
    for (const type of ["application/json", "application/x-www-form-urlencoded"])
      scope.addContentTypeParser(type, { parseAs: "string", bodyLimit: 64 * 1024 }, (_request, body, done) =>
        done(null, { raw: body }),
      )

    scope.post("/customer-message-callback/:channelId", {
      config: { public: true },
      schema: {
        operationId: "receiveMessageCallback",
        summary: "Receive the state of a message, or a reply, from a provider",
        description:
          "The address of a channel has a secret; calls of Twilio, Vonage and Meta must also be signed by them.",
        consumes: ["application/json", "application/x-www-form-urlencoded"],
        params: Params,
        querystring: Type.Object({ secret: Type.Optional(Type.String({ maxLength: 100 })) }),
        response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
      },
      async handler({ params, query, headers, body, ip }) {
        const { channel, secrets } = await find(params.channelId, ip)
        const preset = presetOf(channel.preset)
        const raw = (body as { raw?: unknown } | undefined)?.raw
        const callback: Callback = {
          url: callbackUrl(app.settings.publicUrl, channel, secrets),
          headers,
          secret: query.secret ?? "",
          isForm: String(headers["content-type"]).startsWith("application/x-www-form-urlencoded"),
          raw: typeof raw === "string" ? raw : "",
        }
        if (!isGenuine(preset.callback, callback, secrets)) throw await refusal(ip)
        const context = { sql: app.sql, live: app.live, now: app.clock.now() }
        await receiveCallback(context, channel, readCallback(callback, preset.paths))
        return { status: true as const, message: "Received" }
      },
    })

    scope.get("/customer-message-callback/:channelId", {
      config: { public: true, produces: "other" },
      schema: {
        operationId: "verifyMessageCallback",
        summary: "Confirm the address of callbacks to Meta",
        params: Params,
        querystring: Type.Object({
          "hub.mode": Type.Optional(Type.String({ maxLength: 50 })),
          "hub.verify_token": Type.Optional(Type.String({ maxLength: 500 })),
          "hub.challenge": Type.Optional(Type.String({ pattern: "^[\\w-]{1,100}$" })),
        }),
        response: { 200: Type.String() },
      },
      async handler({ params, query, ip }, reply) {
        const { secrets } = await find(params.channelId, ip)
        const given = query["hub.verify_token"] ?? ""
        if (!secrets.verifyToken || !isSame(given, secrets.verifyToken)) throw await refusal(ip)
        return reply.type("text/plain; charset=utf-8").send(query["hub.challenge"] ?? "")
      },
    })
  })
}
