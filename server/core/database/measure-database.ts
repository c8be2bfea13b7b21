import { Gauge } from "prom-client"
import type { Metrics } from "../telemetry/metrics.ts"
import type { Pool, Sql } from "./database.ts"

interface Readings {
  connections: { application: string; state: string; count: number }[]
  partitions: { name: string; bytes: number }[]
  databaseBytes: number
  oldestTransactionSeconds: number
  pointsInserted: number
  importsRunning: number
  importRowsWaiting: number
  webhookFailures: number
  webhookCalls: number
  mailsUnsent: number
}

/** How long a response of the database may take before a scrape goes on without it. */
const patienceMilliseconds = 3_000
/** Gauges of one scrape share one reading. */
const freshMilliseconds = 1_000

/**
 * Metrics that are read from the database at each scrape. Without a database `fieldway_database_up` is 0 and the
 * others are absent: a scrape never fails, least of all during an incident.
 */
export function measureDatabase(metrics: Metrics, sql: Pool): void {
  let last: { at: number; readings: Promise<Readings | undefined> } | undefined
  const read = (): Promise<Readings | undefined> => {
    if (!last || performance.now() - last.at > freshMilliseconds)
      last = { at: performance.now(), readings: withPatience(readAll(sql)) }
    return last.readings
  }
  const gauge = (
    name: string,
    help: string,
    labelNames: string[],
    set: (gauge: Gauge, readings: Readings) => void,
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [metrics.registry],
      async collect() {
        const readings = await read()
        this.reset()
        if (readings) set(this, readings)
        else if (labelNames.length === 0) this.remove()
      },
    })
  metrics.gauge("fieldway_database_up", "1 when the database responds", async () => ((await read()) ? 1 : 0))
  const plain = (name: string, help: string, pick: (readings: Readings) => number) =>
    gauge(name, help, [], (self, readings) => self.set(pick(readings)))

  gauge(
    "fieldway_database_connections",
    "Connections by application and state",
    ["application", "state"],
    (self, { connections }) => {
      for (const { application, state, count } of connections) self.set({ application, state }, count)
    },
  )
  gauge(
    "fieldway_location_partition_bytes",
    "Size of each month of positions, with indexes",
    ["partition"],
    (self, { partitions }) => {
      for (const { name, bytes } of partitions) self.set({ partition: name }, bytes)
    },
  )
  plain("fieldway_database_bytes", "Size of the database", (readings) => readings.databaseBytes)
  plain(
    "fieldway_database_oldest_transaction_seconds",
    "Age of the oldest open transaction: it holds back vacuum and live events",
    (readings) => readings.oldestTransactionSeconds,
  )
  plain(
    "fieldway_location_points_inserted_total",
    "Positions stored by all nodes since the database's statistics were last reset",
    (readings) => readings.pointsInserted,
  )
  plain("fieldway_imports_running", "Imports in progress", (readings) => readings.importsRunning)
  plain(
    "fieldway_import_rows_waiting",
    "Remaining rows of running imports",
    (readings) => readings.importRowsWaiting,
  )
  plain(
    "fieldway_webhook_calls_recent",
    "Webhook attempts in the last 5 minutes",
    (readings) => readings.webhookCalls,
  )
  plain(
    "fieldway_webhook_failures_recent",
    "Failed webhook attempts in the last 5 minutes",
    (readings) => readings.webhookFailures,
  )
  plain(
    "fieldway_mails_unsent",
    "Mails of the last day that have not been accepted by a mail server",
    (readings) => readings.mailsUnsent,
  )
}

async function readAll(sql: Sql): Promise<Readings> {
  const [connections, partitions, rows] = await Promise.all([
    sql<Readings["connections"]>`
      select application_name as application, coalesce(state, 'starting') as state, count(*)::int as count
      from pg_stat_activity where datname = current_database() group by 1, 2`,
    sql<Readings["partitions"]>`
      select c.relname as name, pg_total_relation_size(c.oid) as bytes from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'location_points'::regclass`,
    sql<Omit<Readings, "connections" | "partitions">[]>`
      select pg_database_size(current_database()) as database_bytes,
        (select coalesce(extract(epoch from max(now() - xact_start)), 0)::float8 from pg_stat_activity
          where datname = current_database() and xact_start is not null) as oldest_transaction_seconds,
        (select coalesce(sum(s.n_tup_ins), 0)::bigint from pg_stat_user_tables s join pg_inherits i on i.inhrelid = s.relid
          where i.inhparent = 'location_points'::regclass) as points_inserted,
        (select count(*) from imports where status = 'onprocess') as imports_running,
        (select coalesce(sum(greatest(total_rows - total_valid - total_invalid, 0)), 0)::bigint from imports
          where status = 'onprocess') as import_rows_waiting,
        (select count(*) from automation_log where finished_time > now() - interval '5 minutes') as webhook_calls,
        (select count(*) from automation_log where finished_time > now() - interval '5 minutes' and not is_success)
          as webhook_failures,
        (select count(*) from mails where sent_time is null and created_time > now() - interval '1 day') as mails_unsent`,
  ])
  const [numbers] = rows
  if (!numbers) throw new Error("the database returned no statistics")
  return { ...numbers, connections: [...connections], partitions: [...partitions] }
}

async function withPatience<T>(work: Promise<T>): Promise<T | undefined> {
  const late = new Promise<undefined>((resolve) => {
    setTimeout(resolve, patienceMilliseconds, undefined).unref()
  })
  return Promise.race([work.catch(() => undefined), late])
}
