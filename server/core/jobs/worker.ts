import { EventEmitter } from "node:events"
import {
  type Worker as LibraryWorker,
  Logger,
  parseCronItems,
  type Runner,
  run,
  runMigrations,
  type TaskList,
  type WorkerEvents,
} from "graphile-worker"
import { RETRYABLE_ERROR_CODES } from "graphile-worker/dist/lib.js"
import pg from "pg"
import type { Pool } from "../database.ts"
import type { Log } from "../log.ts"
import type { JobOutcome } from "../metrics.ts"
import { readTraceparent, type Trace } from "../trace-context.ts"
import { type Job, type JobContext, runJob, traceOf } from "./define-job.ts"
import { freeDeadWorkers, heartbeat } from "./heartbeat.ts"

export interface WorkerOptions {
  databaseUrl: string
  sql: Pool
  log: Log
  jobs: readonly Job[]
  /** Of short jobs and of long ones each, instead of the usual numbers. */
  concurrency?: number
  /** How long an idle worker sleeps when nothing wakes it. Default a second. */
  idleMilliseconds?: number
  /** Told of every try that ended. */
  onAttempt?: (job: string, outcome: JobOutcome, milliseconds: number, trace: Trace | undefined) => void
  context: Omit<JobContext, "signal" | "attempt" | "isLastAttempt">
}

export interface Worker {
  /** Finishes the jobs in hand (they are told to stop at their next step), then leaves. */
  stop(): Promise<void>
}

/**
 * The library stores how a job ended without waiting for it: an error there that it does not try again ends the process.
 * It knows few codes; these are of a database that is away or full for a while, and of the driver, whose words for a
 * lost connection carry no code.
 */
const passing = [
  ...["ECONNRESET", "ECONNREFUSED", "ENOENT", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", String(undefined)],
  ...["08000", "08001", "08003", "08006", "25006", "53100", "53200", "53300", "57P01", "57P02", "57P03"],
]
for (const code of passing) RETRYABLE_ERROR_CODES[code] = { minDelay: 200, maxDelay: 10_000 }

/** Short jobs of a process at a time. */
const shortJobs = 4
/** Long ones at a time: more than the queues that one organization has for them (`longQueue`). */
const longJobs = 6

const heartbeatMilliseconds = 5_000
const longestLookMilliseconds = 160

/** Creates the queue's own tables. Every node does it before it enqueues anything. */
export async function migrateJobs(databaseUrl: string, log: Log): Promise<void> {
  const pool = newPool(databaseUrl, 1, log)
  try {
    await runMigrations({ pgPool: pool, logger: quietLogger(log) })
  } finally {
    await pool.end()
  }
}

/** Starts working on jobs in this process. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { log, sql, jobs } = options
  const stopping = new AbortController()
  const [short, long] = [options.concurrency ?? shortJobs, options.concurrency ?? longJobs]
  const pool = newPool(options.databaseUrl, short + long + 4, log)
  const workerIds = new Set<string>()
  const startLane = (isLong: boolean, concurrency: number) =>
    run({
      pgPool: pool,
      concurrency,
      pollInterval: options.idleMilliseconds ?? 1000,
      noHandleSignals: true,
      events: laneEvents(options, workerIds),
      logger: quietLogger(log),
      ...tasksOf(
        { ...options, jobs: jobs.filter((job) => (job.isLong === true) === isLong) },
        stopping.signal,
      ),
    })
  const runners = await Promise.all([startLane(false, short), startLane(true, long)])
  for (const runner of runners) lookAgainAfterQueuedJobs(runner, stopping.signal)
  const beat = async () => {
    try {
      await heartbeat(sql, [...workerIds])
      const freed = await freeDeadWorkers(sql, [...workerIds])
      if (freed > 0) log.warn({ workers: freed }, "freed the jobs of workers that died")
    } catch (error) {
      log.warn({ reason: String(error) }, "worker heartbeat failed")
    }
  }
  const timer = setInterval(() => void beat(), heartbeatMilliseconds)
  await beat()
  return {
    async stop() {
      stopping.abort(new Error("the process is stopping"))
      clearInterval(timer)
      await Promise.all(runners.map((runner) => runner.stop().catch(() => undefined)))
      await pool.end().catch(() => undefined)
    },
  }
}

function laneEvents({ log, onAttempt }: WorkerOptions, workerIds: Set<string>): WorkerEvents {
  const events: WorkerEvents = new EventEmitter()
  events.on("worker:create", ({ worker }) => workerIds.add(worker.workerId))
  events.on("job:failed", ({ job, error }) => {
    log.error(failureOf(job, error), "job failed for the last time")
  })
  events.on("job:error", ({ job, error }) => {
    log.warn(failureOf(job, error), "job attempt failed")
  })
  events.on("job:complete", ({ job, error }) => {
    const outcome = !error ? "done" : job.attempts >= job.max_attempts ? "failed" : "again"
    const milliseconds = job.locked_at ? Date.now() - job.locked_at.getTime() : 0
    onAttempt?.(job.task_identifier, outcome, Math.max(0, milliseconds), traceOf(job.payload))
  })
  return events
}

function tasksOf(options: WorkerOptions, stopping: AbortSignal) {
  const items = options.jobs.flatMap((job) =>
    job.cron
      ? [
          {
            task: job.name,
            match: job.cron,
            options: { backfillPeriod: 3_600_000, maxAttempts: job.maxAttempts },
          },
        ]
      : [],
  )
  return { taskList: taskListOf(options, stopping), parsedCronItems: parseCronItems(items) }
}

/**
 * The library looks for the next job before the end of the last one is stored. Of a queue it finds none then, since the
 * last job still holds it, and would sleep a second: one job a second and worker, however many wait. So it looks again
 * a few milliseconds later.
 */
function lookAgainAfterQueuedJobs(runner: Runner, stopping: AbortSignal): void {
  const pauses = new WeakMap<LibraryWorker, number>()
  runner.events.on("job:complete", ({ worker, job }) => {
    if (job.job_queue_id !== null) pauses.set(worker, 5)
  })
  // A worker that has left refuses to be woken.
  runner.events.on("worker:release", ({ worker }) => pauses.delete(worker))
  runner.events.on("worker:getJob:empty", ({ worker }) => {
    const milliseconds = pauses.get(worker) ?? Infinity
    if (milliseconds > longestLookMilliseconds) return
    pauses.set(worker, milliseconds * 2)
    setTimeout(() => {
      if (!stopping.aborted && pauses.has(worker)) worker.nudge()
    }, milliseconds)
  })
}

function newPool(databaseUrl: string, max: number, log: Log): pg.Pool {
  const url = new URL(databaseUrl)
  const host = url.searchParams.get("host")
  const socket = host
    ? { host, user: url.searchParams.get("user") ?? "fieldway", database: url.pathname.slice(1) }
    : { connectionString: databaseUrl }
  const pool = new pg.Pool({
    ...socket,
    max,
    application_name: "fieldway-jobs",
    connectionTimeoutMillis: 10_000,
  })
  const lost = (error: unknown) => log.warn({ reason: String(error) }, "job database connection lost")
  pool.on("error", lost)
  pool.on("connect", (client) => client.on("error", lost))
  return pool
}

function taskListOf(options: WorkerOptions, stopping: AbortSignal): TaskList {
  const entries = options.jobs.map((job) => [
    job.name,
    async (payload: unknown, helpers: { job: { attempts: number; max_attempts: number; id: string } }) => {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(job.timeoutSeconds * 1000)])
      const { attempts, max_attempts: maxAttempts } = helpers.job
      const contextOf = (trace: Trace) => ({
        ...options.context,
        log: options.log.child({ job: job.name, jobId: helpers.job.id, ...fieldsOf(trace) }),
        signal,
        attempt: attempts,
        isLastAttempt: attempts >= maxAttempts,
      })
      const work = runJob(job, payload, contextOf)
      await Promise.race([work, rejectOn(signal, job.name)])
    },
  ])
  return Object.fromEntries(entries)
}

/** What every line of a job's log has of the request that caused it. */
function fieldsOf(trace: Trace | undefined) {
  return { requestId: trace?.requestId ?? undefined, traceId: readTraceparent(trace?.traceparent)?.traceId }
}

function failureOf(
  job: { id: string; task_identifier: string; attempts: number; payload: unknown },
  error: unknown,
) {
  return {
    jobId: job.id,
    job: job.task_identifier,
    attempt: job.attempts,
    ...fieldsOf(traceOf(job.payload)),
    reason: String(error),
  }
}

/** A handler that ignores its signal loses its turn some seconds after the limit; its effect must be safe anyway. */
function rejectOn(signal: AbortSignal, name: string): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => {
      setTimeout(() => reject(new Error(`job ${name} was stopped: ${String(signal.reason)}`)), 5_000).unref()
    })
  })
}

/** The library tells much; what matters of it is logged by the events above. */
function quietLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === "error") log.warn({ detail: message }, "job queue")
    else log.trace({ detail: message }, "job queue")
  })
}
