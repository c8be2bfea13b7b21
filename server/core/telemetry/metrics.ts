import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client"
import type { Pool } from "../database/database.ts"

export interface Metrics {
  registry: Registry
  observeRequest(method: string, route: string, statusCode: number, seconds: number): void
  /** A gauge read at scrape time. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  counter(name: string, help: string, labelNames?: string[]): Counter
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: "fieldway_http_request_duration_seconds",
    help: "Response time by route and status",
    labelNames: ["method", "route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  return {
    registry,
    observeRequest: (method, route, statusCode, seconds) =>
      requests.observe({ method, route, status: statusCode }, seconds),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          // Without a database the other metrics are still returned.
          const value = await Promise.resolve(read()).catch(() => undefined)
          if (value === undefined) this.remove()
          else this.set(value)
        },
      })
    },
    counter: (name, help, labelNames = []) => new Counter({ name, help, labelNames, registers: [registry] }),
  }
}

/** Counts what became of each try of a job. */
export function countJobs(metrics: Metrics): (job: string, outcome: JobOutcome) => void {
  const counter = metrics.counter("fieldway_job_attempts_total", "Job attempts by outcome", [
    "job",
    "outcome",
  ])
  return (job, outcome) => counter.inc({ job, outcome })
}

export type JobOutcome = "done" | "again" | "failed"

/** Queue depth, age and failures, read when somebody asks. */
export function measureJobs(metrics: Metrics, sql: Pool): void {
  const read = async (column: "waiting" | "age" | "failed") => {
    const rows = await sql<{ waiting: number; age: number; failed: number }[]>`
      select count(*) filter (where attempts < max_attempts and run_at <= now()) as waiting,
        coalesce(extract(epoch from now() - min(run_at) filter (where attempts < max_attempts and run_at <= now() and locked_at is null)), 0)::float8 as age,
        count(*) filter (where attempts >= max_attempts) as failed
      from graphile_worker.jobs`
    return rows[0]?.[column] ?? 0
  }
  metrics.gauge("fieldway_jobs_waiting", "Due jobs that are not finished", () => read("waiting"))
  metrics.gauge("fieldway_jobs_oldest_seconds", "Age of the oldest due job that is not in progress", () =>
    read("age"),
  )
  metrics.gauge("fieldway_jobs_failed", "Jobs that failed after all retries", () => read("failed"))
}
