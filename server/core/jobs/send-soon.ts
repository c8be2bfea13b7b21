import type { TSchema } from "typebox"
import type { Pool } from "../database/database.ts"
import { ownedState } from "../owned-state.ts"
import { type Job, send } from "./define-job.ts"

interface Waiting {
  isPausing: boolean
  /** Changes since the job was last sent. */
  changes: number
}

const waitingOf = ownedState((_pool: Pool) => new Map<string, Waiting>())

/**
 * Notes a change that a job without payload works on. The job is sent once there are `changes` of them: immediately
 * after a pause, otherwise at the end of the pause, however many come meanwhile. Nothing is lost without it, because such
 * a job also runs each minute.
 */
export function sendSoon(
  pool: Pool,
  job: Omit<Job<TSchema>, "handle">,
  options: { pauseMilliseconds: number; changes?: number },
): void {
  const jobs = waitingOf(pool)
  const state = jobs.get(job.name) ?? { isPausing: false, changes: 0 }
  jobs.set(job.name, state)
  state.changes += 1
  sendIfDue(pool, job, options, state)
}

function sendIfDue(
  pool: Pool,
  job: Omit<Job<TSchema>, "handle">,
  options: { pauseMilliseconds: number; changes?: number },
  state: Waiting,
): void {
  if (state.isPausing || state.changes < (options.changes ?? 1)) return
  state.isPausing = true
  state.changes = 0
  send(pool, job, {}, { key: job.name }).catch(() => undefined)
  setTimeout(() => {
    state.isPausing = false
    sendIfDue(pool, job, options, state)
  }, options.pauseMilliseconds).unref()
}
