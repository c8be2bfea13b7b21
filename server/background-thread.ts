import { setPriority } from "node:os"
import { setTimeout as pause } from "node:timers/promises"
import { parentPort, workerData } from "node:worker_threads"
import { buildApi } from "./app.ts"
import { createAuthenticate } from "./core/access/authenticate.ts"
import { systemClock } from "./core/clock.ts"
import type { Config } from "./core/config.ts"
import { connect } from "./core/database/database.ts"
import { openReadReplica } from "./core/database/read-replica.ts"
import { backgroundPriority, lowerPriority } from "./core/embedded/lower-priority.ts"
import { createLiveEvents } from "./core/events/live-events.ts"
import { localRateLimiter } from "./core/fairness/rate-limit.ts"
import { type ForwardedRequest, type ForwardedResponse, join } from "./core/http/limits/heavy-requests.ts"
import type { App } from "./core/http/types.ts"
import { startWorker } from "./core/jobs/worker.ts"
import { createObjects } from "./core/objects/objects.ts"
import { createSignedLinks } from "./core/objects/signed-links.ts"
import { installationSecret } from "./core/security/secrets.ts"
import { createMetrics, type JobOutcome } from "./core/telemetry/metrics.ts"
import { createTelemetry } from "./core/telemetry/telemetry.ts"
import { domainEventListeners, jobs } from "./jobs.ts"
import { version } from "./version.ts"

export interface BackgroundSettings {
  config: Config
  databaseUrl: string
  /** The database is on this machine and belongs to us: the thread's share of it gets the thread's priority. */
  isEmbedded: boolean
}

export type BackgroundTask =
  | { kind: "request"; number: number; request: ForwardedRequest }
  | { kind: "abort"; number: number }
  | { kind: "stop" }

export type BackgroundReport =
  | { kind: "response"; number: number; response: ForwardedResponse }
  | { kind: "failed"; number: number; reason: string }
  | { kind: "attempt"; job: string; outcome: JobOutcome }

const port = parentPort
if (!port) throw new Error("this module runs in a thread")
const { config, databaseUrl, isEmbedded } = workerData as BackgroundSettings
const telemetry = createTelemetry(config, version)
const { log, recordSpan } = telemetry
const undo: (() => Promise<unknown>)[] = []
const running = new Map<number, AbortController>()
let buildApp: (() => Promise<App>) | undefined
let app: Promise<App> | undefined
/** The application is built by the first request, or some time after the start, which it would slow down. */
const idleMilliseconds = 5_000

/** Tries to start, a second apart: requests are served already, and the database may go away and come back. */
const maxStarts = 60
let isStopping = false

const starting = startPatiently()

port.on("message", (task: BackgroundTask) => {
  if (task.kind === "request") void respond(task.number, task.request)
  else if (task.kind === "abort") running.get(task.number)?.abort()
  else void stop()
})

function report(message: BackgroundReport, transfer: ArrayBuffer[] = []): void {
  port?.postMessage(message, transfer)
}

async function startPatiently(): Promise<void> {
  for (let attempt = 1; !isStopping; attempt += 1) {
    try {
      return await start()
    } catch (error) {
      await undoAll()
      if (attempt === maxStarts) throw error
      log.warn({ reason: String(error) }, "background work could not start; retrying")
      await pause(1_000)
    }
  }
}

async function start(): Promise<void> {
  const priority = isEmbedded ? { onConnect: lowerPriority } : {}
  const options = { applicationName: "fieldway-background", ...priority }
  const sql = connect(databaseUrl, { ...options, max: 8 })
  undo.push(() => sql.end({ timeout: 5 }))
  const replica = config.databaseReplicaUrl
    ? {
        replica: openReadReplica(sql, config.databaseReplicaUrl, {
          applicationName: options.applicationName,
          max: 8,
        }),
      }
    : {}
  undo.push(async () => replica.replica?.end())
  const objects = await createObjects(config)
  const links = createSignedLinks(config.publicUrl, await installationSecret(sql, "signed-links"))
  // Streams are open on the request thread; from here events are only published.
  const live = createLiveEvents(sql, log, domainEventListeners)
  undo.push(() => live.close())
  if (config.role === "all" || config.role === "worker") {
    // Connections of their own: jobs and requests never wait for each other's.
    const jobsSql = connect(databaseUrl, { ...options, max: 10 })
    undo.push(() => jobsSql.end({ timeout: 5 }))
    const worker = await startWorker({
      ...priority,
      onAttempt(job, outcome, milliseconds, trace) {
        report({ kind: "attempt", job, outcome })
        recordSpan({
          name: job,
          kind: 5,
          startedAt: Date.now() - milliseconds,
          milliseconds,
          isFailed: outcome !== "done",
          parent: trace?.traceparent,
          attributes: {
            "fieldway.job": job,
            "fieldway.outcome": outcome,
            "fieldway.request_id": trace?.requestId ?? undefined,
          },
        })
      },
      databaseUrl,
      sql: jobsSql,
      log,
      jobs,
      context: { ...replica, sql: jobsSql, clock: systemClock, config, objects, links, live, log },
    })
    undo.push(() => worker.stop())
  }
  buildApp = async () => {
    const built = await buildApi({
      // Calls are counted before they come here.
      config: { ...config, rateLimit: 0 },
      log,
      sql,
      ...replica,
      quickSql: sql,
      clock: systemClock,
      objects,
      links,
      live,
      authenticate: createAuthenticate(sql),
      limiter: localRateLimiter(),
      metrics: createMetrics(),
      requestIdOf: (headers) => String(headers["x-request-id"]),
    })
    await built.ready()
    return built
  }
  undo.push(async () => (await app)?.close())
  setTimeout(() => void openApp(), idleMilliseconds).unref()
  // On Linux this is about the calling thread alone; elsewhere it would slow the whole process.
  if (process.platform === "linux") setPriority(0, backgroundPriority)
}

function openApp(): Promise<App> {
  if (!buildApp) throw new Error("the background thread has not been started")
  app ??= buildApp()
  return app
}

async function respond(number: number, request: ForwardedRequest): Promise<void> {
  const left = new AbortController()
  running.set(number, left)
  try {
    const response = await handle(request, left.signal)
    report({ kind: "response", number, response }, [response.body.buffer as ArrayBuffer])
  } catch (error) {
    report({ kind: "failed", number, reason: String(error) })
  } finally {
    running.delete(number)
  }
}

async function handle(request: ForwardedRequest, signal: AbortSignal): Promise<ForwardedResponse> {
  await starting
  const opened = await openApp()
  // Streams given a signal that is aborted already fail before anything listens to them, which ends the thread.
  signal.throwIfAborted()
  const response = await opened.inject({
    method: request.method as "GET",
    url: request.url,
    headers: {
      ...(request.headers as Record<string, string>),
      "x-request-id": request.id,
      traceparent: request.traceparent,
    },
    remoteAddress: request.remoteAddress,
    ...(request.body && { payload: Buffer.from(request.body) }),
    payloadAsStream: true,
    signal,
  })
  const chunks: Buffer[] = []
  for await (const chunk of response.stream()) chunks.push(chunk)
  const headers = response.headers as ForwardedResponse["headers"]
  return { status: response.statusCode, headers, body: join(chunks) }
}

async function stop(): Promise<void> {
  isStopping = true
  await starting
  await undoAll()
  await telemetry.close()
  process.exit(0)
}

async function undoAll(): Promise<void> {
  for (const step of undo.splice(0).reverse())
    await step().catch((error) => log.warn({ reason: String(error) }, "shutdown step failed"))
}
