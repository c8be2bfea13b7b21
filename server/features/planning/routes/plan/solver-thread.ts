import { availableParallelism } from "node:os"
import type { TaskRunner } from "#core/threads/run-in-thread.ts"
import { planCrossDock } from "../../../../../packages/route-optimizer/cross-dock.ts"
import {
  type PlannedRoutes,
  type PlanOptions,
  planRoutes,
  UnplannableError,
} from "../../../../../packages/route-optimizer/plan-routes.ts"
import { orderVisits } from "../../../../../packages/route-optimizer/search/order-visits.ts"
import { type ReplannedDay, replanDay } from "../replan/replan-day.ts"
import { distanceMatrix } from "../roads/travel-matrix.ts"
import type { PlanJob, PlanProgress, PlanReport, ReplanJob } from "./plan-in-worker.ts"

/** A plan in a report is copied between threads, so reports keep this distance. */
const millisecondsBetweenReports = 250

/** Plans in a thread. It computes without pause, so it learns of a cancellation from shared memory. */
const run: TaskRunner<PlanJob | ReplanJob, PlanReport | ReplannedDay, PlanProgress> = (
  job,
  { report, shouldStop },
) => {
  if (job.kind === "replan") return replanDay(withMatrices(job.request, job.positions))
  let lastReport = Number.NEGATIVE_INFINITY
  let lastCost = Number.POSITIVE_INFINITY
  const options: PlanOptions = {
    seed: job.seed,
    threads: availableParallelism() > 1 ? 2 : 1,
    budget: job.budget,
    shouldStop,
    onProgress: ({ plan, ...progress }) => {
      const now = performance.now()
      if (now - lastReport < millisecondsBetweenReports) return
      lastReport = now
      const isBetter = progress.cost < lastCost
      lastCost = progress.cost
      report({ ...progress, ...(isBetter && job.kind === "routes" ? { plan: plan() } : {}) })
    },
  }
  try {
    return plan(job, options)
  } catch (error) {
    if (!(error instanceof UnplannableError)) throw error
    return { kind: "unplannable", complaints: error.complaints }
  }
}

export default run

function plan(job: PlanJob, options: PlanOptions): PlanReport {
  const { positions } = job
  switch (job.kind) {
    case "routes":
      return {
        kind: "routes",
        planned: withoutMatrices(planRoutes(withMatrices(job.request, positions), options)),
      }
    case "order":
      return { kind: "order", order: orderVisits(withMatrices(job.request, positions).problem, options) }
    case "crossDock": {
      const { first, second, ...rest } = planCrossDock(withMatrices(job.request, positions), options)
      const planned = {
        ...rest,
        first: first && withoutMatrices(first),
        second: second && withoutMatrices(second),
      }
      return { kind: "crossDock", planned }
    }
  }
}

const noMatrix = new Float64Array(0)

function withMatrices<Request extends { problem: PlannedRoutes["problem"] }>(
  request: Request,
  positions: PlanJob["positions"],
): Request {
  if (!positions) return request
  const matrix = distanceMatrix(positions)
  return { ...request, problem: { ...request.problem, distances: matrix, durations: matrix } }
}

function withoutMatrices<Planned extends { problem: PlannedRoutes["problem"] }>(planned: Planned): Planned {
  return { ...planned, problem: { ...planned.problem, distances: noMatrix, durations: noMatrix } }
}
