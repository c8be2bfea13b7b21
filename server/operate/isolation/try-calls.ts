import { setTimeout as pause } from "node:timers/promises"
import type { Pool } from "#core/database.ts"
import { bodies, foreignAnswers } from "#testing/path-values.ts"
import { sampleOf } from "#testing/sample-body.ts"
import type { DescribedCall } from "./description.ts"
import { freshToken, type ThrowAway } from "./throw-away.ts"

export interface Verdict {
  call: string
  /** What was tried: a foreign id in the path, foreign ids in query and body, or a list. */
  tried: string
  status: number | undefined
  isIsolated: boolean
  note: string
}

/** One organization, and another that everything of it is kept from. */
export interface Pair {
  intruder: ThrowAway
  victim: ThrowAway
  /** What only the victim has; none of it may be in an answer. */
  secrets: ReadonlySet<string>
  /** Of the victim's rows. */
  digest: string
  digestStatement: string
}

/** Tries one call as a member of the intruder with everything that the victim has. */
export async function tryCall(sql: Pool, address: string, call: DescribedCall, pair: Pair): Promise<Verdict> {
  const { intruder, victim, secrets } = pair
  const foreign = (name: string) => victim.values[`${call.key.split(" ")[1]}#${name}`] ?? victim.values[name]
  const unknown = call.pathParameters.filter((name) => foreign(name) === undefined)
  const given = { call: call.key, status: undefined, isIsolated: true }
  if (call.isPublic) return { ...given, tried: "nothing", note: "public by contract" }
  if (unknown.length > 0)
    return { ...given, isIsolated: false, tried: "nothing", note: `no value for ${unknown.join(", ")}` }
  const body =
    call.body === undefined
      ? undefined
      : withForeignIds(bodies[call.key] ?? sampleOf(call.body), call.body, foreign)
  const query = new URLSearchParams()
  for (const { name, required, schema } of call.queryParameters) {
    const value = foreign(name)
    if (value !== undefined && /Id$|^email$/.test(name)) query.set(name, value)
    else if (required) query.set(name, String(sampleOf(schema)))
  }
  const isInPath = call.pathParameters.length > 0
  const sent = `${JSON.stringify(body ?? null)} ${query}`
  const hasForeign = [...secrets].some((secret) => sent.includes(secret))
  if (call.method !== "GET" && !isInPath && !hasForeign)
    return { ...given, tried: "nothing", note: "takes no reference" }

  const path = call.path.replace(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(foreign(name) ?? ""),
  )
  const reply = await send(`${address}${path}${query.size > 0 ? `?${query}` : ""}`, {
    method: call.method,
    headers: {
      authorization: `Bearer ${await freshToken(sql, intruder)}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const tried = isInPath ? "foreign id in the path" : hasForeign ? "foreign ids in query or body" : "list"
  const answered = { call: call.key, tried, status: reply.status }
  if (await hasChanged(sql, pair))
    return { ...answered, isIsolated: false, note: "CHANGED the other organization" }
  const known = `${sent} ${path}`
  const shown = [...secrets].filter((secret) => reply.text.includes(secret) && !known.includes(secret))
  if (shown.length > 0)
    return { ...answered, isIsolated: false, note: `SHOWED ${shown.slice(0, 3).join(", ")}` }
  const wanted = foreignAnswers[call.key] ?? 404
  if (isInPath && reply.status !== wanted)
    return { ...answered, isIsolated: false, note: `answered ${reply.status} where ${wanted} was due` }
  if (reply.status >= 500) return { ...answered, isIsolated: false, note: "failed" }
  return { ...answered, isIsolated: true, note: reply.status < 300 ? "own things only" : "refused" }
}

async function hasChanged(sql: Pool, pair: Pair): Promise<boolean> {
  const rows = await sql.unsafe<{ digest: string }[]>(pair.digestStatement)
  const before = pair.digest
  pair.digest = rows[0]?.digest ?? ""
  return before !== pair.digest
}

/** A body in which everything that may hold a reference refers to the other organization. */
function withForeignIds(
  sample: unknown,
  schema: unknown,
  foreign: (name: string) => string | undefined,
): unknown {
  const { type, properties } = (schema ?? {}) as {
    type?: string
    properties?: Record<string, { type?: string }>
  }
  if (type !== "object" || !properties) return sample
  const body = { ...(sample as Record<string, unknown>) }
  for (const [name, shape] of Object.entries(properties)) {
    const value = /Id$/.test(name) ? foreign(name) : undefined
    if (value !== undefined) body[name] = shape.type === "array" ? [value] : value
  }
  return body
}

const mostTries = 20

/** Waits its turn when the rate limit says so. The event stream never ends: its head is enough here. */
async function send(url: string, options: RequestInit): Promise<{ status: number; text: string }> {
  for (let tries = 1; ; tries += 1) {
    const stopping = new AbortController()
    const reply = await fetch(url, { ...options, signal: stopping.signal })
    if (reply.headers.get("content-type")?.startsWith("text/event-stream")) {
      stopping.abort()
      return { status: reply.status, text: "" }
    }
    const text = await reply.text()
    if (reply.status !== 429 || tries === mostTries) return { status: reply.status, text }
    await pause(1000 * Number(reply.headers.get("retry-after") ?? 1))
  }
}
