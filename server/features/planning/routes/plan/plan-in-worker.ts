import { runInThread, type ThreadTask } from "#core/threads/run-in-thread.ts"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import type { CrossDocked, CrossDockRequest } from "../../../../../packages/route-optimizer/cross-dock.ts"
import type { PlannedRoutes, PlanRequest } from "../../../../../packages/route-optimizer/plan-routes.ts"
import { UnplannableError } from "../../../../../packages/route-optimizer/plan-routes.ts"
import type { Plan, PlanProblem } from "../../../../../packages/route-optimizer/problem/problem.ts"
import type { Complaint } from "../../../../../packages/route-optimizer/problem/problem-check.ts"
import type { Budget } from "../../../../../packages/route-optimizer/solve.ts"
import type { DayRequest, ReplannedDay } from "../replan/replan-day.ts"

export type PlanJob = (
  | { readonly kind: "routes"; readonly request: PlanRequest }
  | { readonly kind: "crossDock"; readonly request: CrossDockRequest }
  /** The order in which one vehicle best makes all of its visits, see order-visits.ts. */
  | { readonly kind: "order"; readonly request: { readonly problem: PlanProblem } }
) & {
  readonly seed: number
  readonly budget: Budget
  /** Position of each location: the thread fills the matrices with great-circle distances. Without it they are given. */
  readonly positions?: readonly LngLat[]
}

export type ReplanJob = {
  readonly kind: "replan"
  readonly request: DayRequest
  /** As of a plan. */
  readonly positions?: readonly LngLat[]
}

export type PlanProgress = {
  /** 0 to 1 of the budget. */
  readonly share: number
  readonly rounds: number
  readonly cost: number
  readonly dropped: number
  readonly vehicles: number
  readonly distance: number
  /** The best plan so far, when it is better than the one reported before; not for cross docking. */
  readonly plan?: Plan
}

export type PlanReport =
  | { readonly kind: "routes"; readonly planned: PlannedRoutes }
  | { readonly kind: "crossDock"; readonly planned: CrossDocked }
  | { readonly kind: "order"; readonly order: readonly number[] }
  | { readonly kind: "unplannable"; readonly complaints: readonly Complaint[] }

export type PlanOutcome = Exclude<PlanReport, { kind: "unplannable" }>

const solver = { module: new URL("./solver-thread.ts", import.meta.url), name: "planning" }
/** Far above the longest budget, for a search that does not come to its end. */
const planning: ThreadTask<PlanJob, PlanReport, PlanProgress> = { ...solver, pool: "plans", seconds: 1_200 }
/** The field worker who asks for an order waits for it. */
const ordering: ThreadTask<PlanJob, PlanReport, PlanProgress> = { ...solver, pool: "quick", seconds: 30 }
/** Seconds at most, unless a large part of a tight fleet breaks down. */
const replanning: ThreadTask<ReplanJob, ReplannedDay> = {
  ...solver,
  name: "planning again",
  pool: "proposals",
  seconds: 60,
}

/**
 * Plans in a worker thread, so that this thread keeps serving requests.
 *
 * The same job and seed give the same plan when the budget counts rounds. Aborting the signal ends the search
 * early; the promise still resolves, with the best plan so far. Problems come back without their matrices, which
 * would cost more to copy than everything else.
 *
 * @throws UnplannableError when the problem as a whole cannot be planned
 */
export async function planInWorker(
  job: PlanJob,
  {
    organizationId,
    signal,
    onProgress,
  }: {
    readonly organizationId: string
    readonly signal?: AbortSignal
    readonly onProgress?: (progress: PlanProgress) => void
  },
): Promise<PlanOutcome> {
  const report = await runInThread(job.kind === "order" ? ordering : planning, job, {
    organizationId,
    ...(signal ? { stop: signal } : {}),
    ...(onProgress ? { onProgress } : {}),
  })
  if (report.kind === "unplannable") throw new UnplannableError(report.complaints)
  return report
}

/** Plans a running day again, in a thread as well. Aborting the signal ends it without an outcome. */
export function replanInWorker(
  job: ReplanJob,
  { organizationId, signal }: { readonly organizationId: string; readonly signal: AbortSignal },
): Promise<ReplannedDay> {
  return runInThread(replanning, job, { organizationId, signal })
}
