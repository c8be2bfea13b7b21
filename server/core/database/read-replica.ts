import { setTimeout as pause } from "node:timers/promises"
import type { Counter } from "prom-client"
import type { Metrics } from "../telemetry/metrics.ts"
import { batchReads } from "./batch-reads.ts"
import { type ConnectOptions, connect, type Pool } from "./database.ts"

/**
 * A streaming replica of the database, for reads that may take long. It is used for a read only once it shows everything
 * that was committed before the read began, so callers see their own writes and each other's, on every node.
 */
export interface ReadReplica {
  /** The replica's pool; undefined where it is too far behind or away: then the primary is read. */
  caughtUp(): Promise<Pool | undefined>
  end(): Promise<void>
}

/** How long a read waits for the replica before it goes to the primary. */
const patienceMilliseconds = 100
const stepMilliseconds = 5
/** After a replica did not respond, reads go to the primary for so long without asking it. */
const backOffMilliseconds = 2_000

export function openReadReplica(
  primary: Pool,
  url: string,
  options: Pick<ConnectOptions, "max" | "applicationName">,
  metrics?: Metrics,
): ReadReplica {
  const replica = connect(url, options)
  const reads: Counter | undefined = metrics?.counter(
    "fieldway_replica_reads_total",
    "Reads that may use the replica, by the database that they were sent to",
    ["database"],
  )
  if (metrics) measureLag(metrics, replica)
  let awayUntil = 0
  const check = async (): Promise<boolean> => {
    if (performance.now() < awayUntil) return false
    const deadline = performance.now() + patienceMilliseconds
    try {
      const [now] = await primary<
        { position: string }[]
      >`select pg_current_wal_insert_lsn()::text as position`
      while (!(await shows(replica, now?.position ?? ""))) {
        if (performance.now() > deadline) return false
        await pause(stepMilliseconds)
      }
      return true
    } catch {
      awayUntil = performance.now() + backOffMilliseconds
      return false
    }
  }
  // Reads that arrive together share a check, but never one that began before them.
  const isCaughtUp = batchReads({ read: async () => [await check()], keyOf: () => "" })
  return {
    async caughtUp() {
      const isUsed = await isCaughtUp(undefined)
      reads?.inc({ database: isUsed ? "replica" : "primary" })
      return isUsed ? replica : undefined
    },
    end: () => replica.end({ timeout: 5 }),
  }
}

/** A replica that was promoted has a history of its own: it no longer counts. */
async function shows(replica: Pool, position: string): Promise<boolean> {
  const [row] = await replica<{ isThere: boolean }[]>`
    select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${position}::text::pg_lsn as is_there`
  return row?.isThere ?? false
}

function measureLag(metrics: Metrics, replica: Pool): void {
  metrics.gauge(
    "fieldway_replica_lag_seconds",
    "Age of the newest transaction that the replica shows",
    async () => {
      const [row] = await replica<{ lag: number }[]>`
      select case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn()
          and exists (select from pg_stat_wal_receiver where status = 'streaming') then 0
        else coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp()), 0) end::float8 as lag`
      return row?.lag ?? 0
    },
  )
}
