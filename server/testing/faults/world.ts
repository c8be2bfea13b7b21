import { checkPayload } from "#core/jobs/define-job.ts"
import type { Objects } from "#core/objects/objects.ts"
import { jobs } from "../../jobs.ts"
import { type Reply, type TestApp, testApp } from "../test-app.ts"
import { type Counted, Faults } from "./faults.ts"
import { type StepLine, stepLine } from "./step-line.ts"
import { countedObjects, stepObjects } from "./step-objects.ts"

/** The whole application with every statement and every call of its object store counted. */
export interface World extends TestApp {
  faults: Faults
  /** Where steps are counted: database and object store, and what an operation adds. */
  places: readonly Counted[]
  /** The object store without faults, as the test looks at it. */
  store: Objects
  /** Runs what waits in the queue, through the line that fails. Throws what the first failing job threw; that job stays. */
  runJobs(options?: { twice?: boolean }): Promise<void>
  /** Runs one job now, and then what waits in the queue; for those that a calendar starts. */
  runJob(name: string, payload?: Record<string, unknown>): Promise<undefined>
}

let callers = 0

/** Each call of nobody from an address of its own: sign-up and forgotten passwords are throttled by address. */
export function fromAnywhere(): Record<string, string> {
  callers += 1
  return { "x-forwarded-for": `10.${callers >> 16}.${(callers >> 8) & 255}.${callers & 255}` }
}

let shared: Promise<World> | undefined

/** One for all tests of a file, as `testApp` is. */
export function aWorld(): Promise<World> {
  shared ??= start()
  return shared
}

async function start(): Promise<World> {
  const faults = new Faults()
  let line: StepLine | undefined
  let store: Objects | undefined
  const app = await testApp(
    undefined,
    { WEBHOOK_ALLOW: "127.0.0.1", TRUST_PROXY: "127.0.0.1" },
    {
      async database(url) {
        line = await stepLine(url, faults)
        return line
      },
      objects(objects) {
        store = objects
        return stepObjects(objects, faults)
      },
    },
  )
  if (!line || !store) throw new Error("testApp was started before aWorld")
  return {
    ...app,
    faults,
    store,
    places: [line, countedObjects],
    runJobs: (options) => runQueued(app, options),
    async runJob(name, payload = {}) {
      const job = jobs.find((candidate) => candidate.name === name)
      if (!job) throw new Error(`jobs.ts lists no job ${name}`)
      await job.handle(app.jobContext(), checkPayload(job, payload))
      await runQueued(app)
    },
  }
}

interface QueuedJob {
  id: string
  name: string
  payload: unknown
  attempts: number
  maxAttempts: number
}

/** One job after the other, as a worker does: a job leaves the queue when its handler has succeeded. */
async function runQueued(
  { sql, jobContext }: TestApp,
  { twice = false }: { twice?: boolean } = {},
): Promise<void> {
  for (;;) {
    const due = await sql<QueuedJob[]>`
      select jobs.id::text, tasks.identifier as name, jobs.payload, jobs.attempts, jobs.max_attempts
      from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
      where jobs.run_at <= now() order by jobs.id limit 1`
    const [next] = due
    if (!next) return
    const job = jobs.find(({ name }) => name === next.name)
    if (!job) throw new Error(`jobs.ts lists no job ${next.name}`)
    const context = {
      ...jobContext(),
      attempt: next.attempts + 1,
      isLastAttempt: next.attempts + 1 >= next.maxAttempts,
    }
    await sql`update graphile_worker._private_jobs set attempts = attempts + 1 where id = ${next.id}`
    const payload = checkPayload(job, job.cron ? {} : next.payload)
    await job.handle(context, payload)
    // A worker that died before it could say so: the job is run again.
    if (twice) await job.handle(context, payload)
    await sql`delete from graphile_worker._private_jobs where id = ${next.id}`
  }
}

/** For operations that are not one HTTP call: the response of whatever went wrong, as a caller would see it. */
export type Outcome = Reply | undefined
