import { ConfigError } from "../config.ts"
import { connect, databaseErrorOf, type Sql } from "./database.ts"

/**
 * Live events wait on LISTEN, migrations and schedules hold session locks, statements are prepared once a
 * session: none of it survives a pooler that hands each transaction another session of PostgreSQL. It would
 * start, and lose things quietly. So such a pooler is found before anything else happens.
 */
export const poolerProblem =
  "DATABASE_URL: the address is that of a connection pooler (such as PgBouncer), which does not provide persistent sessions; use the address of PostgreSQL itself, each node keeps a small pool of its own"

/** Any other value than PostgreSQL's default, so that one who drops it is seen. */
export const timeoutMilliseconds = 29_999
const tries = 5

/** Throws a ConfigError when the server at `url` is not PostgreSQL itself. Other errors are passed on. */
export async function refusePooler(url: string): Promise<void> {
  const sql = connect(url, {
    max: 2,
    applicationName: "fieldway-start",
    statementTimeoutMilliseconds: timeoutMilliseconds,
  })
  try {
    const one = await sql.reserve()
    const other = await sql.reserve()
    const isPooled = (await dropsSettings(one)) || (await sharesSessions(one, other))
    one.release()
    other.release()
    if (isPooled) throw new ConfigError([poolerProblem])
  } catch (error) {
    // A protocol violation is how poolers refuse settings of a session, and PostgreSQL never sends at the start.
    if (databaseErrorOf(error)?.code === "08P01") throw new ConfigError([poolerProblem])
    throw error
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function dropsSettings(session: Sql): Promise<boolean> {
  const rows = await session.unsafe("select setting from pg_settings where name = 'statement_timeout'")
  return rows[0]?.setting !== String(timeoutMilliseconds)
}

/**
 * Two connections that ever show the same server process share it. While one of them holds a transaction,
 * the other has to be given another process: several tries, as other clients of a pooler take processes too.
 */
async function sharesSessions(one: Sql, other: Sql): Promise<boolean> {
  const seen = new Set<number>()
  for (let attempt = 0; attempt < tries; attempt += 1) {
    seen.add(await serverProcess(one))
    await other.unsafe("begin")
    const held = await serverProcess(other)
    await other.unsafe("rollback")
    if (seen.has(held) || seen.size > 1) return true
  }
  return false
}

async function serverProcess(session: Sql): Promise<number> {
  const rows = await session.unsafe("select pg_backend_pid() as pid")
  return Number(rows[0]?.pid)
}
