import { Worker } from "node:worker_threads"
import type { LngLat } from "#shared/geodesy.ts"
import type { CrossDocked, CrossDockRequest } from "./solver/cross-dock.ts"
import type { PlannedRoutes, PlanRequest } from "./solver/plan-routes.ts"
import { UnplannableError } from "./solver/plan-routes.ts"
import type { Plan, PlanProblem } from "./solver/problem.ts"
import type { Complaint } from "./solver/problem-check.ts"
import type { Budget } from "./solver/solve.ts"

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
  | ({ readonly kind: "progress" } & PlanProgress)
  | { readonly kind: "routes"; readonly planned: PlannedRoutes }
  | { readonly kind: "crossDock"; readonly planned: CrossDocked }
  | { readonly kind: "order"; readonly order: readonly number[] }
  | { readonly kind: "unplannable"; readonly complaints: readonly Complaint[] }

export type PlanOutcome = Exclude<PlanReport, { kind: "progress" } | { kind: "unplannable" }>

/**
 * Plans in a thread of its own, so that this one keeps answering.
 *
 * The same job and seed give the same plan when the budget counts rounds. Aborting the signal ends the search
 * early; the promise still resolves, with the best plan so far. Problems come back without their matrices, which
 * would cost more to copy than everything else.
 *
 * @throws UnplannableError when the problem as a whole cannot be planned
 */
export function planInWorker(
  job: PlanJob,
  {
    signal,
    onProgress,
  }: { readonly signal?: AbortSignal; readonly onProgress?: (progress: PlanProgress) => void } = {},
): Promise<PlanOutcome> {
  const cancelled = new Int32Array(new SharedArrayBuffer(4))
  const cancel = () => Atomics.store(cancelled, 0, 1)
  if (signal?.aborted === true) cancel()
  signal?.addEventListener("abort", cancel)
  const worker = new Worker(new URL("./solver-worker.ts", import.meta.url), {
    workerData: { job, cancelled },
  })
  return new Promise<PlanOutcome>((resolve, reject) => {
    worker.on("message", (report: PlanReport) => {
      switch (report.kind) {
        case "progress": {
          const { kind: _, ...progress } = report
          onProgress?.(progress)
          return
        }
        case "unplannable":
          reject(new UnplannableError(report.complaints))
          return
        default:
          resolve(report)
      }
    })
    worker.on("error", reject)
    worker.on("exit", (code) => reject(new Error(`the planning thread ended early with code ${code}`)))
  }).finally(() => signal?.removeEventListener("abort", cancel))
}
