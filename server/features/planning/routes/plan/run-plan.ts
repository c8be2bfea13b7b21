import { randomUUID } from "node:crypto"
import { inTransaction, json, type Sql, type Tx } from "#core/database/database.ts"
import { emit } from "#core/domain-events.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { publish } from "#core/events/publish.ts"
import type { Log } from "#core/telemetry/log.ts"
import { UnplannableError } from "../../../../../packages/route-optimizer/plan-routes.ts"
import type { RoadSupply } from "../../../location/roads/index.ts"
import { type ResultRow, resultColumns } from "../queries.ts"
import type { Routing } from "../result-schemas.ts"
import { assigneesOf, summarize } from "../results/summarize.ts"
import { toWireResult } from "../results/wire.ts"
import { makePlan } from "./make-plan.ts"
import type { RunInput } from "./run-input.ts"

/** A runner that was silent this long is dead; another one takes the run over. */
export const silenceSeconds = 15
/** Runs that killed their process this often are not tried again. */
const maxStarts = 3
const beatMilliseconds = 1000

export interface PlanContext {
  sql: Sql
  live: LiveEvents
  log: Log
  roads: RoadSupply
  /** Ends the work without an outcome: the process stops, and another runner takes over. */
  signal: AbortSignal
  /** False inside a caller's transaction, where nobody could see it before the end. */
  showsProgress: boolean
}

/**
 * Plans a result that is `ongoing`. `busy`: another runner works on it. `ended`: it is done or
 * failed now, or no longer there. A runner says every second that it lives, so a run whose process was killed
 * is taken over after some seconds; one that is cancelled keeps its best plan.
 */
export async function runPlan(
  context: PlanContext,
  organizationId: string,
  resultId: string,
): Promise<"busy" | "ended"> {
  const { sql, signal } = context
  const runner = randomUUID()
  const claimed = await claim(sql, organizationId, resultId, runner)
  if (!claimed) return (await isOngoing(sql, organizationId, resultId)) ? "busy" : "ended"
  const run = { organizationId, resultId, runner }
  const { input, runCount } = claimed
  if (input === null) throw new Error("a result without input cannot be planned")
  if (runCount > maxStarts) {
    await fail(context, run, `Planning was started ${maxStarts} times and never came to an end`)
    return "ended"
  }
  const stop = new AbortController()
  const beat = startHeartbeat(context, run, stop)
  const release = () => stop.abort()
  signal.addEventListener("abort", release, { once: true })
  try {
    const { routing, warnings } = await makePlan(input, {
      organizationId,
      roads: context.roads,
      signal: stop.signal,
      onProgress: ({ share, dropped, vehicles, distance }) =>
        beat.note({ share, dropped, vehicles, distance }),
    })
    if (signal.aborted) {
      await giveBack(sql, run)
      signal.throwIfAborted()
    }
    await finish(context, run, routing, input.settings.capacityConstraint, warnings)
  } catch (error) {
    if (!(error instanceof UnplannableError)) {
      await giveBack(sql, run).catch(() => undefined)
      throw error
    }
    await fail(context, run, error.message)
  } finally {
    signal.removeEventListener("abort", release)
    await beat.end()
  }
  return "ended"
}

interface Run {
  organizationId: string
  resultId: string
  runner: string
}

async function claim(sql: Sql, organizationId: string, resultId: string, runner: string) {
  const rows = await sql<{ input: RunInput | null; runCount: number }[]>`
    update routing_results set runner = ${runner}, runner_seen_at = clock_timestamp(), run_count = run_count + 1
    where organization_id = ${organizationId} and id = ${resultId} and status = 'ongoing'
      and (runner is null or runner_seen_at < clock_timestamp() - make_interval(secs => ${silenceSeconds}))
    returning input, run_count`
  return rows[0]
}

async function isOngoing(sql: Sql, organizationId: string, resultId: string): Promise<boolean> {
  const rows = await sql`
    select from routing_results where organization_id = ${organizationId} and id = ${resultId} and status = 'ongoing'`
  return rows.length > 0
}

const isMine = (sql: Sql, { organizationId, resultId, runner }: Run) =>
  sql`organization_id = ${organizationId} and id = ${resultId} and status = 'ongoing' and runner = ${runner}`

type Progress = NonNullable<ResultRow["progress"]>

/** Says that this runner lives and how far it is, and learns of a cancellation, a deletion, a takeover. */
function startHeartbeat({ sql, live, log, showsProgress }: PlanContext, run: Run, stop: AbortController) {
  let progress: Progress = { share: 0, dropped: 0, vehicles: 0, distance: 0 }
  let beating: Promise<void> = Promise.resolve()
  let isBeating = false
  const beat = async (): Promise<void> => {
    isBeating = true
    try {
      const rows = await inTransaction(sql, async (tx) => {
        const found = await tx<{ hubId: string; isCancelled: boolean }[]>`
          update routing_results set runner_seen_at = clock_timestamp(), progress = ${json(tx, progress)}
          where ${isMine(tx, run)} returning hub_id, is_cancelled`
        const { organizationId, resultId } = run
        if (found[0] && showsProgress)
          await publish(tx, live, "routing.progress", {
            organizationId,
            hubId: found[0].hubId,
            content: { resultId, ...progress },
          })
        return found
      })
      if (!rows[0] || rows[0].isCancelled) stop.abort()
    } catch (error) {
      log.warn(
        { resultId: run.resultId, reason: String(error) },
        "the progress of a plan could not be published",
      )
    } finally {
      isBeating = false
    }
  }
  const timer = setInterval(() => {
    if (!isBeating) beating = beat()
  }, beatMilliseconds)
  return {
    note: (next: Progress) => {
      progress = next
    },
    async end() {
      clearInterval(timer)
      await beating
    },
  }
}

/** Another runner may begin at once. */
async function giveBack(sql: Sql, run: Run): Promise<void> {
  await sql`update routing_results set runner = null, run_count = greatest(run_count - 1, 0) where ${isMine(sql, run)}`
}

function finish(
  context: PlanContext,
  run: Run,
  routing: Routing,
  dimensions: readonly string[],
  warnings: readonly string[],
): Promise<void> {
  return conclude(context, (tx) => {
    const content = json(tx, routing)
    return tx<ResultRow[]>`
      update routing_results set status = 'done', message = '', result = ${content}, original = ${content},
        summary = ${json(tx, summarize(routing, dimensions))}, current_version = 0, assignees = ${assigneesOf(routing)},
        warnings = array(select distinct unnest(warnings || ${[...warnings]}::text[])), runner = null, progress = null,
        finish_time = clock_timestamp(), updated_time = clock_timestamp()
      where ${isMine(tx, run)} returning ${resultColumns(tx)}`
  })
}

function fail(context: PlanContext, run: Run, message: string): Promise<void> {
  return conclude(
    context,
    (tx) => tx<ResultRow[]>`
      update routing_results set status = 'failed', message = ${message.slice(0, 2000)}, runner = null, progress = null,
        finish_time = clock_timestamp(), updated_time = clock_timestamp()
      where ${isMine(tx, run)} returning ${resultColumns(tx)}`,
  )
}

/** Ends a run that nobody works on any more. */
export async function failAbandoned(
  context: PlanContext,
  organizationId: string,
  resultId: string,
  message: string,
): Promise<void> {
  const runner = randomUUID()
  if (await claim(context.sql, organizationId, resultId, runner))
    await fail(context, { organizationId, resultId, runner }, message)
}

/** The end of a run, its event and its news are one: a runner that lost the run to another one publishes nothing. */
function conclude({ sql, live }: PlanContext, write: (tx: Tx) => Promise<ResultRow[]>): Promise<void> {
  return inTransaction(sql, async (tx) => {
    const [row] = await write(tx)
    if (!row) return
    const { organizationId, hubId } = row
    await emit(tx, live, organizationId, "onRoutingResultFinished", [
      { referenceId: row.id, hubId, record: toWireResult(row) },
    ])
    await publish(tx, live, "routing.changed", { organizationId, hubId, content: { resultIds: [row.id] } })
  })
}
