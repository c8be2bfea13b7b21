import { setTimeout as pause } from "node:timers/promises"
import type { Pool } from "#core/database/database.ts"
import { referenceFor, withReferences } from "#samples/foreign-references.ts"
import { publicShows, refusedByShape } from "#samples/isolation-expectations.ts"
import { bodies, foreignResponses } from "#samples/path-values.ts"
import { sampleOf } from "#samples/sample-body.ts"
import type { DescribedCall } from "./description.ts"
import { freshToken, type ThrowAway } from "./throw-away.ts"

export interface Verdict {
  call: string
  /** What was tried: a foreign id in the path, foreign ids in query and body, or the call alone. */
  tried: string
  status: number | undefined
  isIsolated: boolean
  note: string
}

/** One organization, and another that everything of it is kept from. */
export interface Pair {
  intruder: ThrowAway
  victim: ThrowAway
  /** What only the victim has; none of it may be in a response. */
  secrets: ReadonlySet<string>
  /** Of the victim's rows. */
  digest: string
  digestStatement: string
}

/** Tries one call as a member of the intruder, or as a stranger where it is public, with everything that the victim has. */
export async function tryCall(sql: Pool, address: string, call: DescribedCall, pair: Pair): Promise<Verdict> {
  const { intruder, victim, secrets } = pair
  const ownPath = call.key.split(" ")[1] ?? ""
  const foreign = (name: string) => referenceFor({ ...strangers, ...victim.values }, ownPath, name)
  const query = queryOf(call, foreign)
  const body = bodyOf(call, foreign)
  const path = call.path.replace(/\{([^{}]+)\}/g, (_match, name: string) =>
    encodeURIComponent(foreign(name) ?? "1"),
  )
  const url = `${address}${path}${query.size > 0 ? `?${query}` : ""}`
  const send = async (content: unknown) =>
    sendOnce(url, {
      method: call.method,
      headers: {
        ...(call.isPublic ? {} : { authorization: `Bearer ${await freshToken(sql, intruder)}` }),
        ...(content === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(content === undefined ? {} : { body: JSON.stringify(content) }),
    })
  let reply = await send(body)
  const isInPath = call.pathParameters.length > 0 && !call.isPublic
  const wanted = foreignResponses[call.key] ?? 404
  // References in the body may be refused before the path is looked at: then without them.
  if (isInPath && reply.status === 400 && wanted !== 400)
    reply = await send(call.body === undefined ? undefined : (bodies[call.key] ?? sampleOf(call.body)))
  const sent = `${JSON.stringify(body ?? null)} ${decodeURIComponent(url)}`
  const tried = call.isPublic
    ? "without a token"
    : isInPath
      ? "foreign id in the path"
      : [...secrets].some((secret) => sent.includes(secret))
        ? "foreign ids in query or body"
        : "no foreign id to send"
  const answered = { call: call.key, tried, status: reply.status }
  if (await hasChanged(sql, pair))
    return { ...answered, isIsolated: false, note: "CHANGED the other organization" }
  const shown = [...secrets].filter((secret) => reply.text.includes(secret) && !sent.includes(secret))
  if (shown.length > 0 && !(call.key in publicShows))
    return { ...answered, isIsolated: false, note: `SHOWED ${shown.slice(0, 3).join(", ")}` }
  if (isInPath && reply.status !== wanted)
    return { ...answered, isIsolated: false, note: `returned ${reply.status} instead of ${wanted}` }
  if (reply.status >= 500 && reply.status !== 503) return { ...answered, isIsolated: false, note: "failed" }
  return {
    ...answered,
    isIsolated: true,
    note: publicShows[call.key] ?? (reply.status < 300 ? "own data only" : "refused"),
  }
}

/** Nobody's address: nothing that strangers call sends a mail to somebody who is there. */
const strangers = { email: "nobody@isolation.invalid" }

function queryOf(call: DescribedCall, foreign: (name: string) => string | undefined): URLSearchParams {
  const query = new URLSearchParams()
  for (const { name, required, schema } of call.queryParameters) {
    const value = foreign(name)
    if (value !== undefined && !/^(page|limit|fields|q)$/.test(name)) query.set(name, value)
    else if (required) query.set(name, String(sampleOf(schema)))
  }
  return query
}

function bodyOf(call: DescribedCall, foreign: (name: string) => string | undefined): unknown {
  if (call.body === undefined || call.key in refusedByShape) return call.body === undefined ? undefined : {}
  const references = call.isPublic
    ? (name: string) => (name === "email" ? strangers.email : foreign(name))
    : foreign
  return withReferences(call.body, references, bodies[call.key] ?? sampleOf(call.body))
}

async function hasChanged(sql: Pool, pair: Pair): Promise<boolean> {
  const rows = await sql.unsafe<{ digest: string }[]>(pair.digestStatement)
  const before = pair.digest
  pair.digest = rows[0]?.digest ?? ""
  return before !== pair.digest
}

const maxTries = 20

/** Waits its turn when the rate limit says so. The event stream never ends: its head is enough here. */
async function sendOnce(url: string, options: RequestInit): Promise<{ status: number; text: string }> {
  for (let tries = 1; ; tries += 1) {
    const stopping = new AbortController()
    const reply = await fetch(url, { ...options, signal: stopping.signal })
    if (reply.headers.get("content-type")?.startsWith("text/event-stream")) {
      stopping.abort()
      return { status: reply.status, text: "" }
    }
    const text = await reply.text()
    if (reply.status !== 429 || tries === maxTries) return { status: reply.status, text }
    await pause(1000 * Number(reply.headers.get("retry-after") ?? 1))
  }
}
