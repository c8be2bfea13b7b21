import { type Config, ConfigError } from "#core/config.ts"
import { connect, type Pool } from "#core/database/database.ts"
import { refusePooler } from "#core/database/direct-database.ts"
import {
  hasEmbeddedDatabase,
  runningEmbeddedUrl,
  startEmbeddedPostgres,
} from "#core/embedded/embedded-postgres.ts"
import type { Log } from "#core/telemetry/log.ts"

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
  if (running)
    return holdingFieldway(
      open(running, async () => undefined),
      config,
    )
  if (!(await hasEmbeddedDatabase(config.dataDir)))
    throw new ConfigError([
      `DATA_DIR: there is no database in ${config.dataDir}. Run the command with the variables of the service`,
    ])
  return holdingFieldway(await openAlone(config, log), config)
}

/** As `openDatabase`, but refuses an embedded database that a service is using. */
export async function openAlone(config: Config, log: Log): Promise<OpenDatabase> {
  if (config.databaseUrl) {
    await refusePooler(config.databaseUrl)
    return open(config.databaseUrl, async () => undefined)
  }
  const embedded = await startEmbeddedPostgres(config.dataDir, { log })
  return open(embedded.url, () => embedded.stop())
}

/** Refuses a database that no service has used yet: the command was given other variables than the service. */
async function holdingFieldway(opened: OpenDatabase, config: Config): Promise<OpenDatabase> {
  const [row] = await opened.sql<
    { isThere: boolean }[]
  >`select to_regclass('organizations') is not null as is_there`
  if (row?.isThere) return opened
  await opened.close()
  const where = config.databaseUrl ? "DATABASE_URL" : "DATA_DIR"
  throw new ConfigError([
    `${where}: this database is not a Fieldway database. Start the service with it first`,
  ])
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
