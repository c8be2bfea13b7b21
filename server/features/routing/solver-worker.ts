import { constants, setPriority } from "node:os"
import { parentPort, workerData } from "node:worker_threads"
import type { PlanJob, PlanReport } from "./plan-in-worker.ts"
import { planCrossDock } from "./solver/cross-dock.ts"
import { orderVisits } from "./solver/order-visits.ts"
import { type PlannedRoutes, planRoutes, UnplannableError } from "./solver/plan-routes.ts"
import type { SolveOptions } from "./solver/solve.ts"
import { distanceMatrix } from "./travel-matrix.ts"

/**
 * The thread that plans. It computes without pause, so it learns of a cancellation from shared memory, not
 * from a message.
 */

/** A plan in a report is copied between threads, so reports keep this distance. */
const millisecondsBetweenReports = 250

// Whoever waits for an answer goes first on a busy machine. On Linux this is about the calling thread alone;
// elsewhere it would slow the whole process.
if (process.platform === "linux") setPriority(0, constants.priority.PRIORITY_LOW)

const { job, cancelled } = workerData as { job: PlanJob; cancelled: Int32Array }

function report(message: PlanReport): void {
  parentPort?.postMessage(message)
}

let lastReport = Number.NEGATIVE_INFINITY
let lastCost = Number.POSITIVE_INFINITY

const options: SolveOptions = {
  seed: job.seed,
  budget: job.budget,
  shouldStop: () => Atomics.load(cancelled, 0) === 1,
  onProgress: ({ plan, ...progress }) => {
    const now = performance.now()
    if (now - lastReport < millisecondsBetweenReports) return
    lastReport = now
    const isBetter = progress.cost < lastCost
    lastCost = progress.cost
    report({ kind: "progress", ...progress, ...(isBetter && job.kind === "routes" ? { plan: plan() } : {}) })
  },
}

const noMatrix = new Float64Array(0)

function withMatrices<Request extends { problem: PlannedRoutes["problem"] }>(request: Request): Request {
  if (!job.positions) return request
  const matrix = distanceMatrix(job.positions)
  return { ...request, problem: { ...request.problem, distances: matrix, durations: matrix } }
}

function withoutMatrices<Planned extends { problem: PlannedRoutes["problem"] }>(planned: Planned): Planned {
  return { ...planned, problem: { ...planned.problem, distances: noMatrix, durations: noMatrix } }
}

try {
  if (job.kind === "routes")
    report({ kind: "routes", planned: withoutMatrices(planRoutes(withMatrices(job.request), options)) })
  else if (job.kind === "order")
    report({ kind: "order", order: orderVisits(withMatrices(job.request).problem, options) })
  else {
    const { first, second, ...rest } = planCrossDock(withMatrices(job.request), options)
    const slim = {
      ...rest,
      first: first && withoutMatrices(first),
      second: second && withoutMatrices(second),
    }
    report({ kind: "crossDock", planned: slim })
  }
} catch (error) {
  if (!(error instanceof UnplannableError)) throw error
  report({ kind: "unplannable", complaints: error.complaints })
}
