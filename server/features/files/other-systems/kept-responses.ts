import { createHash } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { gunzip, gzip } from "node:zlib"
import { inTransaction } from "#core/database/database.ts"
import type { JobContext } from "#core/jobs/define-job.ts"
import { ReadingError } from "./problem.ts"
import { noteProgress, type ReadingRow } from "./queries.ts"
import { type Ask, exchange, parseResponse, type Question } from "./reader.ts"

/** Ends this run of the job: the reading goes on at `until`. */
export class Postponed extends Error {
  readonly until: Temporal.Instant
  constructor(until: Temporal.Instant) {
    super("the reading goes on later")
    this.until = until
  }
}

/** The reading has ended meanwhile. */
export class Ended extends Error {}

export interface ReadingLimits {
  rows: number
  bytes: number
  requests: number
  hours: number
  /** Of one run of the job; other jobs of the organization get their turn then. */
  runMinutes: number
  /** A longer wait is left to the job's schedule. */
  waitMilliseconds: number
  /** Pauses after responses that may be better next time. */
  pausesMilliseconds: readonly number[]
}

export const readingLimits: ReadingLimits = {
  rows: 500_000,
  bytes: 1024 ** 3,
  requests: 20_000,
  hours: 6,
  runMinutes: 10,
  waitMilliseconds: 10_000,
  pausesMilliseconds: [1_000, 5_000, 15_000, 30_000],
}

const zip = promisify(gzip)
const unzip = promisify(gunzip)

/**
 * Asks the other system and keeps each answer until the reading ends. A run after a stop gets what was answered before
 * from the database, in the same order, and asks only for the rest.
 */
export function askAndKeep(
  context: JobContext,
  reading: ReadingRow,
  address: string,
  counts: () => { rowCount: number; emptyCount: number },
  limits: ReadingLimits,
): Ask {
  const { sql, clock, signal, config } = context
  const runEnds = clock.now().add({ minutes: limits.runMinutes })
  const lastMoment = reading.createdTime.add({ hours: limits.hours })
  let number = 0
  let byteCount = 0

  async function pause(milliseconds: number): Promise<void> {
    const until = clock.now().add({ milliseconds: Math.ceil(milliseconds) })
    if (Temporal.Instant.compare(until, lastMoment) >= 0)
      throw new ReadingError(
        "busy",
        "The other system asks to wait longer than a reading may take. Try again when it is less busy",
      )
    const progress = { ...counts(), requestCount: number - 1, byteCount, waitsUntil: until }
    if (!(await noteProgress(sql, reading, progress, clock.now()))) throw new Ended()
    if (milliseconds > limits.waitMilliseconds) throw new Postponed(until)
    await setTimeout(milliseconds, undefined, { signal })
  }

  async function askNow(path: string, question: Question): Promise<Buffer> {
    for (let failures = 0; ; ) {
      const now = clock.now()
      if (Temporal.Instant.compare(now, lastMoment) >= 0 || number > limits.requests)
        throw new ReadingError(
          "too-long",
          "Reading takes too long. Choose a shorter range of dates, or a file that the other system exports",
        )
      if (Temporal.Instant.compare(now, runEnds) >= 0) throw new Postponed(now)
      const reply = await exchange(address, path, question, { allow: config.webhookAllow, signal })
      if (reply.kind === "response") return reply.body
      const wait = reply.kind === "busy" ? reply.waitMilliseconds : limits.pausesMilliseconds[failures++]
      if (wait === undefined) throw reply.kind === "failed" ? reply.error : new Error("no wait")
      await pause(Math.max(100, wait))
    }
  }

  return async function ask(path, question = {}) {
    signal.throwIfAborted()
    number++
    const fingerprint = fingerprintOf(path, question)
    const kept = await keptResponse(context, reading, number, fingerprint)
    const body = kept ?? (await askNow(path, question))
    byteCount += body.length
    if (byteCount > limits.bytes)
      throw new ReadingError("too-large", "The list is larger than 1 GB. Choose a shorter range of dates")
    const parsed = parseResponse(body)
    if (kept) return parsed
    const stored = { number, fingerprint, byteCount: body.length, response: await zip(body) }
    const progress = { ...counts(), requestCount: number, byteCount, waitsUntil: null }
    await inTransaction(sql, async (tx) => {
      if (!(await noteProgress(tx, reading, progress, clock.now()))) throw new Ended()
      await tx`
        insert into other_system_answers (organization_id, reading_id, number, question, byte_count, answer)
        values (${reading.organizationId}, ${reading.id}, ${stored.number}, ${stored.fingerprint}, ${stored.byteCount},
          ${stored.response})
        on conflict (organization_id, reading_id, number) do nothing`
    })
    return parsed
  }
}

/** Undefined where nothing was answered yet. What was answered to another question, as by an older version, is removed. */
async function keptResponse(
  { sql }: JobContext,
  { organizationId, id }: ReadingRow,
  number: number,
  fingerprint: Buffer,
): Promise<Buffer | undefined> {
  const [kept] = await sql<{ question: Buffer; answer: Buffer }[]>`
    select question, answer from other_system_answers
    where organization_id = ${organizationId} and reading_id = ${id} and number = ${number}`
  if (!kept) return undefined
  if (kept.question.equals(fingerprint)) return unzip(kept.answer)
  await sql`
    delete from other_system_answers
    where organization_id = ${organizationId} and reading_id = ${id} and number >= ${number}`
  return undefined
}

/** Without the headers, which hold the key: the same key sealed twice is still the same question. */
function fingerprintOf(path: string, { body }: Question): Buffer {
  return createHash("sha256")
    .update(`${path}\n${JSON.stringify(body ?? null)}`)
    .digest()
}
