import type { Config } from "#core/config.ts"
import { connect, type Pool } from "#core/database.ts"
import { refusePooler } from "#core/direct-database.ts"
import { runningEmbeddedUrl, startEmbeddedPostgres } from "#core/embedded-postgres.ts"
import type { Log } from "#core/log.ts"

export interface OpenDatabase {
  sql: Pool
  url: string
  close(): Promise<void>
}

/**
 * The installation's database for a command: the one of DATABASE_URL, the embedded one of a service that runs
 * beside us, or else the embedded one started for the time of the command. No statement is timed out.
 */
export async function openDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  if (config.databaseUrl) await refusePooler(config.databaseUrl)
  const running = config.databaseUrl ?? (await runningEmbeddedUrl(config.dataDir))
  if (running) return open(running, async () => undefined)
  return openAlone(config, log)
}

/** As `openDatabase`, but refuses an embedded database that a service is using. */
export async function openAlone(config: Config, log: Log): Promise<OpenDatabase> {
  if (config.databaseUrl) return openDatabase(config, log)
  const embedded = await startEmbeddedPostgres(config.dataDir, { log })
  return open(embedded.url, () => embedded.stop())
}

function open(url: string, stop: () => Promise<void>): OpenDatabase {
  const sql = connect(url, {
    max: 3,
    applicationName: "fieldway-operate",
    statementTimeoutMilliseconds: 0,
    idleSeconds: 0,
  })
  return {
    sql,
    url,
    async close() {
      await sql.end({ timeout: 5 })
      await stop()
    },
  }
}
