import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import { isDatabaseAway } from "../database/database.ts"
import { connectionConfig } from "../postgres/connection-config.ts"
import { toConnectionError } from "../postgres/errors.ts"
import type { Log } from "../telemetry/log.ts"

const firstPauseMilliseconds = 100
const longestPauseMilliseconds = 2_000

/** Of the codes that the library tries again by itself, the one with the shortest pauses. */
const triedAgain = "40001"

/** Refusals of a server that is there: read-only, without room on its disk, without memory. */
const refusal = /^(25006|53)/

export interface JobPool extends pg.Pool {
  /** From now on waiting queries are refused. */
  giveUp(): void
}

/**
 * The pool that the queue library gets. It stores how a job ended without waiting for it, and an error there which it
 * does not try again would end the process. So a connection is waited for until the database is back, a statement
 * that the server refuses for the time being is repeated, and one whose connection is lost fails with a code that the
 * library tries again. It commits asynchronously: a job whose end is lost in a crash is run again, as any job can be.
 */
export function createJobPool(
  databaseUrl: string,
  max: number,
  log: Log,
  onConnect?: (processId: number) => void,
): JobPool {
  const pool = new PatientPool({
    ...connectionConfig(databaseUrl, { applicationName: "fieldway-jobs", asynchronousCommit: true }),
    max,
  })
  const lost = (error: unknown) => log.warn({ reason: String(error) }, "job database connection lost")
  pool.on("error", lost)
  pool.on("connect", (client) => {
    client.on("error", lost)
    const { processID } = client as pg.PoolClient & { processID?: number | null }
    if (processID) onConnect?.(processID)
  })
  return pool
}

class PatientPool extends pg.Pool implements JobPool {
  readonly #giving = new AbortController()

  giveUp(): void {
    this.#giving.abort()
  }

  override connect(): Promise<pg.PoolClient>
  override connect(
    callback: (
      err: Error | undefined,
      client: pg.PoolClient | undefined,
      done: (release?: unknown) => void,
    ) => void,
  ): void
  override connect(
    callback?: (
      err: Error | undefined,
      client: pg.PoolClient | undefined,
      done: (release?: unknown) => void,
    ) => void,
  ): Promise<pg.PoolClient> | undefined {
    // The library's listener, and the pool's own statements, which the schedule of recurring jobs repeats.
    if (callback) super.connect(callback)
    else return this.#connected()
    return undefined
  }

  async #connected(): Promise<pg.PoolClient> {
    // Nobody waits for what is sent after the end, and its hundred tries would hold the process.
    if (this.ending) return new Promise(() => undefined)
    const client = await this.#persist(
      () => super.connect(),
      (error) => isDatabaseAway(toConnectionError(error)),
    ).catch((error: unknown) => {
      throw forLibrary(error)
    })
    const query = (...given: Parameters<pg.PoolClient["query"]>) =>
      this.#persist(
        async () => client.query(...given),
        (error) => error instanceof pg.DatabaseError && refusal.test(error.code ?? ""),
      ).catch((error: unknown) => {
        throw forLibrary(error)
      })
    return new Proxy(client, {
      get: (target, name) => (name === "query" ? query : Reflect.get(target, name)),
    })
  }

  async #persist<T>(work: () => Promise<T>, isPassing: (error: unknown) => boolean): Promise<T> {
    const { signal } = this.#giving
    for (let milliseconds = firstPauseMilliseconds; ; ) {
      try {
        return await work()
      } catch (error) {
        if (signal.aborted || this.ending || !isPassing(error)) throw error
      }
      await pause(milliseconds, undefined, { signal }).catch(() => undefined)
      milliseconds = Math.min(milliseconds * 2, longestPauseMilliseconds)
    }
  }
}

function forLibrary(error: unknown): unknown {
  const known = toConnectionError(error)
  return isDatabaseAway(known)
    ? Object.assign(new Error(known.message, { cause: error }), { code: triedAgain })
    : error
}
