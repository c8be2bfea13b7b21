import { startBackground } from "./background.ts"
import { createAuthenticate } from "./core/access/authenticate.ts"
import { systemClock } from "./core/clock.ts"
import type { Config } from "./core/config.ts"
import { connect } from "./core/database/database.ts"
import { refusePooler } from "./core/database/direct-database.ts"
import { measureDatabase } from "./core/database/measure-database.ts"
import { migrate } from "./core/database/migrate.ts"
import { openReadReplica } from "./core/database/read-replica.ts"
import { startEmbeddedPostgres } from "./core/embedded/embedded-postgres.ts"
import { createLiveEvents } from "./core/events/live-events.ts"
import { localRateLimiter, sharedRateLimiter } from "./core/fairness/rate-limit.ts"
import { drain, type Readiness } from "./core/http/limits/drain.ts"
import type { App } from "./core/http/types.ts"
import { createObjects } from "./core/objects/objects.ts"
import { createSignedLinks } from "./core/objects/signed-links.ts"
import { installationSecret } from "./core/security/secrets.ts"
import { boundHeapGrowth } from "./core/telemetry/heap-growth.ts"
import { countJobs, createMetrics, measureJobs } from "./core/telemetry/metrics.ts"
import type { Telemetry } from "./core/telemetry/telemetry.ts"
import type { FirstOwner } from "./features/platform/onboarding/index.ts"

export interface RunningFieldway {
  app: App
  /** Where it listens, for example http://127.0.0.1:8080. */
  address: string
  firstOwner: FirstOwner | undefined
  /** Finishes requests and the current job steps, then stops everything. Safe to call twice. */
  close(): Promise<void>
}

export interface StartOptions {
  config: Config
  telemetry: Telemetry
}

/** Starts the parts that the configured role needs, in order, and undoes what was started when one fails. */
export async function startFieldway({ config, telemetry }: StartOptions): Promise<RunningFieldway> {
  boundHeapGrowth()
  const { log, recordSpan } = telemetry
  const readiness: Readiness = { isDraining: false }
  const undo: (() => Promise<unknown>)[] = [telemetry.close]
  const close = async () => {
    if (undo.length > 0 && !readiness.isDraining) await drain(readiness, config.drainSeconds)
    for (const step of undo.splice(0).reverse())
      await step().catch((error) => log.warn({ reason: String(error) }, "shutdown step failed"))
  }
  // Loading the features takes as long as starting the database: both at once.
  const loading = Promise.all([
    import("./app.ts"),
    import("./feature-hooks.ts"),
    import("./jobs.ts"),
    import("./core/jobs/worker.ts"),
  ])
  loading.catch(() => undefined)
  try {
    const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres(config.dataDir, { log })
    if (embedded) undo.push(() => embedded.stop())
    if (config.databaseUrl) await refusePooler(config.databaseUrl)
    const databaseUrl = config.databaseUrl ?? embedded?.url ?? ""
    const sql = connect(databaseUrl, { max: 20 })
    undo.push(() => sql.end({ timeout: 5 }))
    await migrate(sql)
    const [{ buildApp }, { startTrackers }, { domainEventListeners, sealStoredSecrets }, { migrateJobs }] =
      await loading
    await migrateJobs(databaseUrl, log)
    const sealed = await sealStoredSecrets({ sql, config })
    if (sealed > 0) log.info({ rows: sealed }, "sealed stored secrets with the current key")
    const { reportBreaksOutside } = await import("./features/work/vehicles/index.ts")
    await reportBreaksOutside(sql, log)
    const { ensureFirstOrganization } = await import("./features/platform/onboarding/index.ts")
    const firstOwner = await ensureFirstOrganization(sql, config)
    const objects = await createObjects(config)
    const links = createSignedLinks(config.publicUrl, await installationSecret(sql, "signed-links"))
    const live = createLiveEvents(sql, log, domainEventListeners)
    await live.start()
    undo.push(() => live.close())
    const limiter = config.redisUrl ? await sharedRateLimiter(config.redisUrl, log) : localRateLimiter()
    undo.push(() => limiter.close())
    const metrics = createMetrics()
    measureJobs(metrics, sql)
    measureDatabase(metrics, sql)
    metrics.gauge("fieldway_event_stream_readers", "Open event streams", () => live.readerCount())

    undo.push(telemetry.exportMetrics(metrics))

    const settings = { config, databaseUrl, isEmbedded: embedded !== undefined }
    const background = startBackground(settings, countJobs(metrics))
    undo.push(() => background.stop())
    const quickSql = connect(databaseUrl, { max: 2, statementTimeoutMilliseconds: 5_000 })
    undo.push(() => quickSql.end({ timeout: 5 }))
    const authenticate = createAuthenticate(quickSql)
    const replica = config.databaseReplicaUrl
      ? openReadReplica(quickSql, config.databaseReplicaUrl, { max: 10 }, metrics)
      : undefined
    if (replica) undo.push(() => replica.end())
    const app = await buildApp({
      config,
      log,
      sql,
      quickSql,
      ...(replica && { replica }),
      clock: systemClock,
      objects,
      links,
      live,
      authenticate,
      limiter,
      metrics,
      readiness,
      recordSpan,
      heavy: background,
    })
    // Thousands of event streams come back at once after a restart: who finds no place in the line is turned away.
    const address = await app.listen({ host: config.host, port: config.port, backlog: 4096 })
    undo.push(() => app.close())
    if (config.trackerPorts.length > 0 && (config.role === "all" || config.role === "tracker")) {
      const { trackerHost: host, trackerPorts: ports, maxConnections } = config
      const positionRateLimit = config.rateLimit === 0 ? 0 : config.positionRateLimit
      const listening = { host, ports, maxConnections, positionRateLimit }
      const trackers = await startTrackers({
        pool: sql,
        live,
        clock: systemClock,
        limiter,
        log,
        metrics,
        ...listening,
      })
      undo.push(() => trackers.close())
    }
    return { app, address, firstOwner, close }
  } catch (error) {
    await close()
    throw error
  }
}
