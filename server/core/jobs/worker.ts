import { EventEmitter } from "node:events"
import { setTimeout as pause } from "node:timers/promises"
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
import type pg from "pg"
import type { Pool } from "../database/database.ts"
import type { Log } from "../telemetry/log.ts"
import type { JobOutcome } from "../telemetry/metrics.ts"
import { readTraceparent, type Trace } from "../telemetry/trace-context.ts"
import { type Job, type JobContext, runJob, traceOf } from "./define-job.ts"
import { freeDeadWorkers, heartbeat } from "./heartbeat.ts"
import { createJobPool } from "./job-pool.ts"

export interface WorkerOptions {
  databaseUrl: string
  sql: Pool
  log: Log
  jobs: readonly Job[]
  /** Of short jobs and of long ones each, instead of the usual numbers. */
  concurrency?: number
  /** How long an idle worker sleeps when nothing wakes it. Default a second. */
  idleMilliseconds?: number
  /** Called with the process id of each connection of the queue itself. */
  onConnect?: (processId: number) => void
  /** Called after every attempt. */
  onAttempt?: (job: string, outcome: JobOutcome, milliseconds: number, trace: Trace | undefined) => void
  context: Omit<JobContext, "signal" | "attempt" | "isLastAttempt">
}

export interface Worker {
  /** Aborts the running jobs, which stop at their next step, waits for them and stops. */
  stop(): Promise<void>
}

/** Short jobs of a process at a time: more than an organization has queues for (two of mails, three of automations). */
const shortJobs = 6
/** Long ones at a time: more than the queues that one organization has for them (`longQueue`). */
const longJobs = 6

const heartbeatMilliseconds = 5_000
const longestLookMilliseconds = 160
/** How long `stop` waits for the library when the database is away. */
const stopMilliseconds = 10_000
const restartMilliseconds = 1_000

/** Creates the queue's own tables. Every node does it before it enqueues anything. */
export async function migrateJobs(databaseUrl: string, log: Log): Promise<void> {
  const pool = createJobPool(databaseUrl, 1, log)
  // At the start nobody waits for a database that is away: the process says so and ends.
  pool.giveUp()
  try {
    await runMigrations({ pgPool: pool, logger: quietLogger(log) })
  } finally {
    await pool.end()
  }
}

/** Starts working on jobs in this process. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { log, jobs } = options
  const stopping = new AbortController()
  const [short, long] = [options.concurrency ?? shortJobs, options.concurrency ?? longJobs]
  const pool = createJobPool(options.databaseUrl, short + long + 4, log, options.onConnect)
  const lanes = await Promise.all(
    [false, true].map((isLong) =>
      startLane({
        options: { ...options, jobs: jobs.filter((job) => (job.isLong === true) === isLong) },
        concurrency: isLong ? long : short,
        pool,
        stopping: stopping.signal,
      }),
    ),
  )
  const stopBeating = await beatHeart(options, () => lanes.flatMap((lane) => [...lane.poolIds]))
  return {
    async stop() {
      stopping.abort(new Error("the process is stopping"))
      stopBeating()
      const isLate = pause(stopMilliseconds, undefined, { ref: false })
      await Promise.race([Promise.all(lanes.map((lane) => lane.stop())), isLate])
      // What still waits for the database is refused from here on.
      pool.giveUp()
      await Promise.race([pool.end().catch(() => undefined), isLate])
    },
  }
}

interface LaneOptions {
  options: WorkerOptions
  concurrency: number
  pool: pg.Pool
  stopping: AbortSignal
}

interface Lane {
  /** What the library locks this lane's jobs with. */
  poolIds: ReadonlySet<string>
  stop(): Promise<void>
}

/**
 * The library at work on some of the jobs. Should it give up, which it does when a part of it fails in a way that it did
 * not expect, it is started again.
 */
async function startLane({ options, concurrency, pool, stopping }: LaneOptions): Promise<Lane> {
  const { log } = options
  const poolIds = new Set<string>()
  const start = async () => {
    const runner = await run({
      pgPool: pool,
      concurrency,
      pollInterval: options.idleMilliseconds ?? 1000,
      noHandleSignals: true,
      events: laneEvents(options, poolIds),
      logger: quietLogger(log),
      ...tasksOf(options, stopping),
    })
    lookAgainAfterQueuedJobs(runner, stopping)
    return runner
  }
  let runner: Runner | undefined = await start()
  const supervised = (async () => {
    while (!stopping.aborted) {
      try {
        runner ??= await start()
        await runner.promise
      } catch (error) {
        log.warn({ reason: String(error) }, "the job queue stopped; restarting it")
      }
      runner = undefined
      // Jobs that it still held are free once no heartbeat names it.
      poolIds.clear()
      if (!stopping.aborted)
        await pause(restartMilliseconds, undefined, { signal: stopping }).catch(() => undefined)
    }
  })()
  return {
    poolIds,
    async stop() {
      await runner?.stop().catch(() => undefined)
      await supervised
    },
  }
}

/** Says every few seconds that this process lives, and frees the jobs of those that do not. */
async function beatHeart({ sql, log }: WorkerOptions, ownIds: () => string[]): Promise<() => void> {
  const beat = async () => {
    try {
      await heartbeat(sql, ownIds())
      const freed = await freeDeadWorkers(sql, ownIds())
      if (freed > 0) log.warn({ workers: freed }, "released the jobs of workers that stopped responding")
    } catch (error) {
      log.warn({ reason: String(error) }, "worker heartbeat failed")
    }
  }
  const timer = setInterval(() => void beat(), heartbeatMilliseconds)
  await beat()
  return () => clearInterval(timer)
}

function laneEvents({ log, onAttempt }: WorkerOptions, poolIds: Set<string>): WorkerEvents {
  const events: WorkerEvents = new EventEmitter()
  // Jobs are locked by the id of their pool, not of a worker in it.
  events.on("pool:create", ({ workerPool }) => poolIds.add(workerPool.id))
  events.on("job:failed", ({ job, error }) => {
    log.error(failureOf(job, error), "job failed after all retries")
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

/** Drops the library's own messages: the events above log what matters. */
function quietLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === "error") log.warn({ detail: message }, "job queue")
    else log.trace({ detail: message }, "job queue")
  })
}
