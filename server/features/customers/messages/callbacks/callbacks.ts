import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import type { ChannelSecrets } from "../channels/channels.ts"
import { textAt } from "../channels/provider.ts"
import type { CallbackKind, CallbackPaths } from "../templates/presets.ts"

/** A provider's call as it came. */
export interface Callback {
  /** The address that the provider was given. */
  url: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  secret: string
  isForm: boolean
  raw: string
}

export function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

/** The secret of the address, and the signature of providers that sign. */
export function isGenuine(kind: CallbackKind, callback: Callback, secrets: ChannelSecrets): boolean {
  if (!isSame(callback.secret, secrets.callback)) return false
  switch (kind) {
    case "secret":
      return true
    case "twilio":
      return isSame(
        header(callback, "x-twilio-signature"),
        twilioSignature(callback, secrets.authToken ?? ""),
      )
    case "meta": {
      const digest = createHmac("sha256", secrets.appSecret ?? "")
        .update(callback.raw)
        .digest("hex")
      return isSame(header(callback, "x-hub-signature-256"), `sha256=${digest}`)
    }
    case "vonage":
      return isSignedJwt(header(callback, "authorization"), callback.raw, secrets.signatureSecret ?? "")
  }
}

const header = ({ headers }: Callback, name: string) => String(headers[name] ?? "")

function twilioSignature({ url, raw }: Callback, authToken: string): string {
  const fields = [...new URLSearchParams(raw)].toSorted(([one], [other]) =>
    one < other ? -1 : one > other ? 1 : 0,
  )
  const text = url + fields.map(([name, value]) => name + value).join("")
  return createHmac("sha1", authToken).update(text).digest("base64")
}

/** HS256 over header and claims; `payload_hash` binds the token to the body. */
function isSignedJwt(authorization: string, raw: string, secret: string): boolean {
  const [, head = "", claims = "", signature = ""] =
    /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(authorization) ?? []
  const wanted = createHmac("sha256", secret).update(`${head}.${claims}`).digest("base64url")
  if (secret === "" || !isSame(signature, wanted)) return false
  const { payload_hash: hash } = (parse(Buffer.from(claims, "base64url").toString()) ?? {}) as {
    payload_hash?: unknown
  }
  return hash === createHash("sha256").update(raw).digest("hex")
}

export interface CallbackContent {
  providerId: string | null
  status: string | null
  from: string | null
  text: string | null
}

export function readCallback({ raw, isForm }: Callback, paths: CallbackPaths): CallbackContent {
  const body = isForm ? Object.fromEntries(new URLSearchParams(raw)) : parse(raw)
  const first = (places: readonly string[]) =>
    places.map((place) => textAt(body, place)).find((text) => text !== null) ?? null
  return {
    providerId: first(paths.id),
    status: first(paths.status),
    from: first(paths.from),
    text: first(paths.text),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const words: readonly (readonly [RegExp, "read" | "delivered" | "failed"])[] = [
  [/read|seen/i, "read"],
  [/undeliver|fail|reject|expired|error/i, "failed"],
  [/deliver/i, "delivered"],
]

/** What a provider's word means; undefined for intermediate states. */
export function statusOf(word: string): "read" | "delivered" | "failed" | undefined {
  return words.find(([pattern]) => pattern.test(word))?.[1]
}
