import type { Static, TSchema } from "typebox"
import { Value } from "typebox/value"
import { originOfJob } from "../audit-trail/origin.ts"
import type { Clock } from "../clock.ts"
import type { Config } from "../config.ts"
import { json, type Pool, type Sql } from "../database/database.ts"
import type { ReadReplica } from "../database/read-replica.ts"
import type { LiveEvents } from "../events/live-events.ts"
import type { Objects } from "../objects/objects.ts"
import type { SignedLinks } from "../objects/signed-links.ts"
import type { Log } from "../telemetry/log.ts"
import { beginTrace, currentTrace, runInTrace, type Trace } from "../telemetry/trace-context.ts"

/** What a job's handler works with. `signal` fires at the time limit and when the process shuts down. */
export interface JobContext {
  sql: Pool
  /** For long reads; absent where there is none. */
  replica?: ReadReplica
  clock: Clock
  config: Config
  objects: Objects
  links: SignedLinks
  live: LiveEvents
  log: Log
  signal: AbortSignal
  /** 1 for the first try. */
  attempt: number
  isLastAttempt: boolean
}

export interface Job<Payload extends TSchema = TSchema> {
  name: string
  payload: Payload
  maxAttempts: number
  timeoutSeconds: number
  /** Five-field cron expression in UTC, for recurring work; its payload is then `{}`. */
  cron?: string
  /** May take minutes: runs on slots of its own, so that the others never wait for it. Sent with `longQueue`. */
  isLong?: true
  /** Must be safe to run twice: a job whose worker died is run again. */
  handle(context: JobContext, payload: Static<Payload>): Promise<void>
}

/** Declares a job beside its resource. Its name is stored with waiting jobs: never reuse it for another thing. */
export function defineJob<Payload extends TSchema>(job: Job<Payload>): Job<Payload> {
  return job
}

export interface SendOptions {
  runAt?: Temporal.Instant
  /** Jobs of one queue run one after the other. */
  queue?: string
  /** A waiting job with the same key is replaced by this one. */
  key?: string
  /** Smaller runs earlier. */
  priority?: number
}

/**
 * The queue of an organization's long jobs of one kind. An organization has four, which is fewer than the slots for long
 * jobs (`worker.ts`): whatever it asks for, another organization's long job starts beside it.
 */
export function longQueue(
  kind: "export" | "readingImportDatasource" | "routing" | "outside",
  organizationId: string,
): string {
  return `${kind}:${organizationId}`
}

/** Enqueues a job in the transaction of the change that causes it. */
export async function send<Payload extends TSchema>(
  sql: Sql,
  job: Omit<Job<Payload>, "handle">,
  payload: Static<Payload>,
  options: SendOptions = {},
): Promise<void> {
  if (job.isLong && options.queue === undefined) throw new Error(`job ${job.name} is long and needs a queue`)
  const stored = json(sql, traced(payload, options.runAt !== undefined))
  // A worker may take the waiting job of the same key while the library replaces it: the library then stores nothing.
  for (let tries = 0; tries < maxTries; tries += 1) {
    const [sent] = await sql<{ id: string | null }[]>`
      select id from graphile_worker.add_job(
        identifier => ${job.name}, payload => ${stored}::json, queue_name => ${options.queue ?? null},
        run_at => ${options.runAt ?? null}::timestamptz, max_attempts => ${job.maxAttempts},
        job_key => ${options.key ?? null}, priority => ${options.priority ?? 0})`
    if (sent?.id) return
  }
  throw new Error(`job ${job.name} could not be queued under its key`)
}

const maxTries = 10

/** Enqueues many jobs of one kind with one statement; `queueField` names the payload's field that is the queue. */
export async function sendAll<Payload extends TSchema>(
  sql: Sql,
  job: Job<Payload>,
  payloads: readonly Static<Payload>[],
  queueField: string | null = null,
): Promise<void> {
  if (payloads.length === 0) return
  await sql`
    select graphile_worker.add_jobs(array(
      select row(${job.name}, payload, payload ->> ${queueField}, now(), ${job.maxAttempts}, null, 0, null)::graphile_worker.job_spec
      from jsonb_array_elements(${json(
        sql,
        payloads.map((payload) => traced(payload)),
      )}::jsonb) with ordinality as payloads (payload, place) order by place))`
}

/** Beside the payload's own keys: the request that the job follows from. */
const traceKey = "_trace"

/** What runs later, as a schedule does, is no longer the act of the person whose request set it off. */
function traced(payload: unknown, isLater = false): unknown {
  const trace = currentTrace()
  if (!trace) return payload
  const { origin: _origin, ...rest } = trace
  return { ...(payload as object), [traceKey]: isLater ? rest : trace }
}

/** The trace that a stored payload carries; undefined for jobs that no request caused. */
export function traceOf(payload: unknown): Trace | undefined {
  const trace = (payload as { [traceKey]?: Partial<Trace> } | null)?.[traceKey]
  if (typeof trace?.traceparent !== "string") return undefined
  const { traceparent, requestId = null, origin } = trace
  return { traceparent, requestId, ...(origin && { origin }) }
}

/** Runs a job as part of the request that it follows from, or of a trace of its own. */
export function runJob(job: Job, payload: unknown, contextOf: (trace: Trace) => JobContext): Promise<void> {
  const cause = traceOf(payload) ?? beginTrace(null)
  const trace = { ...cause, origin: originOfJob(job.name, cause.origin) }
  const checked = checkPayload(job, job.cron ? {} : payload)
  return runInTrace(trace, () => job.handle(contextOf(trace), checked))
}

/** A stored payload that is not of the job's shape is a fault of ours: say so instead of half working. */
export function checkPayload<Payload extends TSchema>(job: Job<Payload>, payload: unknown): Static<Payload> {
  if (Value.Check(job.payload, payload)) return payload as Static<Payload>
  throw new Error(`job ${job.name} was queued with an invalid payload`)
}
