import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { newToken } from "#core/access/token.ts"
import { readConfig } from "#core/config.ts"
import type { Pool } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { newId } from "#core/ids.ts"
import { createTelemetry } from "#core/telemetry/telemetry.ts"
import type { Person } from "#samples/builders.ts"
import { startFieldway } from "../../server/start.ts"
import type { LoadOrder, LoadOutcome } from "./load-worker.ts"

/** A whole Fieldway in a folder of its own: embedded database with production settings, no rate limit. */
export interface Bench {
  app: App
  sql: Pool
  /** Where it listens, such as http://127.0.0.1:40123. */
  address: string
  /** A session of somebody made by the builders. */
  tokenOf(person: Person): Promise<string>
  /** Sends a fixed number of requests from another thread and returns how fast they were answered. */
  load(request: LoadRequest): Promise<Measured>
  /**
   * The rates of two requests, in requests a second. They take turns in rounds and the medians count, so that
   * whatever else the machine does meets both. Throws when a response is not 2xx.
   */
  compare(
    measured: Omit<LoadRequest, "requests">,
    base: Omit<LoadRequest, "requests">,
    requests: number,
  ): Promise<{ measured: number; base: number }>
  /** Stops everything and removes the folder, unless DATA_DIR names it. */
  close(): Promise<void>
}

export interface LoadRequest {
  /** Path with the /api/v3, where it belongs to the API. Several are asked for in turn. */
  path: string | readonly string[]
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  token?: string
  /** Sent as JSON; the same with every request. */
  body?: unknown
  /** JSON texts that are sent in turn to the first path, each once if there are as many as requests. */
  bodies?: readonly string[]
  /** Requests in all, spread over the connections. */
  requests: number
  /** Keep-alive connections, each with one request in flight. Default 20. */
  connections?: number
  /** Requests sent before the clock starts. Default a tenth. */
  warmUp?: number
}

export interface Measured {
  requests: number
  seconds: number
  perSecond: number
  /** Responses other than 2xx; a figure with any is worth nothing. */
  refused: number
  /** Milliseconds from sending a request to receiving its whole response. */
  p50Milliseconds: number
  p99Milliseconds: number
}

export async function startBench(environment: Record<string, string> = {}): Promise<Bench> {
  const kept = environment.DATA_DIR
  const folder = kept ?? (await mkdtemp(join(tmpdir(), "fieldway-bench-")))
  await mkdir(folder, { recursive: true })
  // Where root runs this, PostgreSQL runs as somebody else, who must get in: else its data would lie elsewhere and stay.
  await chmod(folder, 0o711)
  const config = readConfig({
    DATA_DIR: folder,
    PORT: "0",
    RATE_LIMIT: "0",
    LOG_LEVEL: "error",
    ...environment,
  })
  const running = await startFieldway({ config, telemetry: createTelemetry(config, "bench") })
  const { app, address } = running
  const sql = app.sql
  return {
    app,
    sql,
    address,
    tokenOf: (person) => makeToken(sql, person),
    load: (request) => load(address, request),
    compare: (measured, base, requests) => compare(address, measured, base, requests),
    async close() {
      await running.close()
      if (kept === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function makeToken(sql: Pool, person: Person): Promise<string> {
  const { token, hash } = newToken(person.organizationId)
  await sql`
    insert into access_tokens (organization_id, hash, id, user_id, kind, expires_at)
    values (${person.organizationId}, ${hash}, ${newId()}, ${person.id}, 'session', now() + interval '1 year')`
  return token
}

/** The route that does the least: routing, hooks and one small JSON object, without token or database. */
export const trivialPath = "/health/live"

async function load(address: string, request: LoadRequest): Promise<Measured> {
  const order: LoadOrder = {
    address,
    paths: [request.path].flat(),
    method: request.method ?? "GET",
    headers: request.token ? { authorization: `Bearer ${request.token}` } : {},
    body: request.body === undefined ? undefined : JSON.stringify(request.body),
    bodies: request.bodies,
    requests: request.requests,
    connections: request.connections ?? 20,
    warmUp: request.warmUp ?? Math.ceil(request.requests / 10),
  }
  const worker = new Worker(new URL("./load-worker.ts", import.meta.url), { workerData: order })
  const outcome = await new Promise<LoadOutcome>((resolve, reject) => {
    worker.once("message", resolve)
    worker.once("error", reject)
  })
  await worker.terminate()
  const sorted = outcome.milliseconds.toSorted()
  return {
    requests: request.requests,
    seconds: outcome.seconds,
    perSecond: request.requests / outcome.seconds,
    refused: outcome.refused,
    p50Milliseconds: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
    p99Milliseconds: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
  }
}

const rounds = 5

async function compare(
  address: string,
  measured: Omit<LoadRequest, "requests">,
  base: Omit<LoadRequest, "requests">,
  requests: number,
): Promise<{ measured: number; base: number }> {
  const rates: { measured: number[]; base: number[] } = { measured: [], base: [] }
  for (let round = 0; round < rounds; round += 1) {
    for (const side of ["measured", "base"] as const) {
      const request = side === "measured" ? measured : base
      const outcome = await load(address, { ...request, requests: Math.ceil(requests / rounds) })
      if (outcome.refused > 0)
        throw new Error(`${[request.path].flat()[0]}: ${outcome.refused} responses were not 2xx`)
      rates[side].push(outcome.perSecond)
    }
  }
  return { measured: median(rates.measured), base: median(rates.base) }
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

/** For few long rounds, of which each meets another mood of the machine. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export interface Ratio {
  name: string
  /** What is judged and what it is judged by, in the same unit. */
  measured: number
  base: number
  unit: string
  /** The budget: `atLeast` for rates, `atMost` for times. */
  atLeast?: number
  atMost?: number
}

/** Prints both sides, their ratio and whether it keeps the budget. Returns whether it does. */
export function printRatio({ name, measured, base, unit, atLeast, atMost }: Ratio): boolean {
  const ratio = measured / base
  const isKept = (atLeast === undefined || ratio >= atLeast) && (atMost === undefined || ratio <= atMost)
  const budget =
    atLeast === undefined ? `at most ${shortNumber(atMost ?? 0)}` : `at least ${shortNumber(atLeast)}`
  process.stdout.write(
    `${isKept ? "kept  " : "MISSED"} ${name}: ${shortNumber(measured)} against ${shortNumber(base)} ${unit}, ratio ${ratio.toFixed(2)} (${budget})\n`,
  )
  return isKept
}

function shortNumber(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toPrecision(3)
}

/** The median of how long `work` takes, in milliseconds, after some unmeasured rounds. */
export async function medianMilliseconds(
  work: () => Promise<unknown>,
  { rounds = 15, warmUp = 3 }: { rounds?: number; warmUp?: number } = {},
): Promise<number> {
  for (let round = 0; round < warmUp; round += 1) await work()
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return median(times)
}
