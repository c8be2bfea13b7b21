import type { CrossDockRequest } from "../../../../../packages/route-optimizer/cross-dock.ts"
import { reviewPlan } from "../../../../../packages/route-optimizer/plan-routes.ts"
import type { Budget } from "../../../../../packages/route-optimizer/solve.ts"
import type { RoadSupply } from "../../../location/roads/index.ts"
import type { Routing } from "../result-schemas.ts"
import { roadsOfPlan } from "../roads/plan-time.ts"
import { findTravel } from "../roads/travel.ts"
import { buildProblem, planRequestOf } from "./build-problem.ts"
import { type PlanJob, type PlanProgress, planInWorker } from "./plan-in-worker.ts"
import type { RunInput } from "./run-input.ts"
import { writeRouting } from "./write-routing.ts"

/** The same request gives the same plan, as far as the budget counts rounds. */
const seed = 1

export interface PlanOptions {
  organizationId: string
  roads: RoadSupply
  signal: AbortSignal
  onProgress: (progress: PlanProgress) => void
}

/**
 * Plans a run in a thread of its own and returns it as results have it, with what has to be known about it.
 * @throws UnplannableError when the problem as a whole cannot be planned
 */
export async function makePlan(
  input: RunInput,
  { organizationId, roads, signal, onProgress }: PlanOptions,
): Promise<{ routing: Routing; warnings: string[] }> {
  const built = buildProblem(input)
  const travel = await findTravel(built.positions, input.settings, roadsOfPlan(roads, input), signal)
  const base = planRequestOf(input, built)
  const request = travel.matrices
    ? {
        ...base,
        problem: {
          ...base.problem,
          ...travel.matrices,
          // The road service's own seconds: a vehicle's speed has no part in them.
          ...(travel.hasOwnTimes
            ? { vehicles: base.problem.vehicles.map((vehicle) => ({ ...vehicle, durationFactor: 1 })) }
            : {}),
        },
      }
    : base
  const common = {
    seed,
    budget: budgetOf(input),
    ...(travel.matrices ? {} : { positions: built.positions }),
  }
  const job: PlanJob =
    input.subHubs.length > 0
      ? { ...common, kind: "crossDock", request: crossDockOf(input, built.subHubLocations, request) }
      : { ...common, kind: "routes", request }
  if (built.problem.visits.length === 0) return { routing: nothingPlaced(input), warnings: travel.warnings }
  const outcome = await planInWorker(job, { organizationId, signal, onProgress })
  return { routing: writeRouting(input, built, outcome), warnings: travel.warnings }
}

/** So few visits are planned in a second at most, whatever else the machine does meanwhile: no clock ends it too early. */
const fewVisits = 10

/**
 * Milliseconds that grow with the visits, up to a minute for 2,000; for a handful of visits rounds, since
 * searching on would find nothing.
 */
function budgetOf({ visits, seconds }: RunInput): Budget {
  const rounds = 1000 + 500 * visits.length ** 2
  if (seconds !== undefined) return { milliseconds: seconds * 1000, rounds: Math.max(1, rounds) }
  if (visits.length <= fewVisits) return { rounds }
  return { milliseconds: Math.min(60_000, 1000 + 30 * visits.length), rounds }
}

function crossDockOf(
  input: RunInput,
  subHubLocations: readonly number[],
  request: ReturnType<typeof planRequestOf>,
): CrossDockRequest {
  const { settings, subHubs, vehicles } = input
  return {
    ...request,
    type: settings.crossDockingType === "all" ? "all" : "drop",
    subHubs: subHubs.map(({ id }, s) => ({ id, location: subHubLocations[s] ?? 0 })),
    subHubOf: vehicles.map(({ hubId }) => subHubs.findIndex(({ id }) => id === hubId)),
    servesSubHubs: vehicles.map(({ allowSubHub }) => allowSubHub),
    // Handing goods over takes as long as a visit, unless configured otherwise.
    handoverSeconds: settings.defaultVisitTime * 60,
    ...(settings.vehicleSubHubDistanceLimit === null
      ? {}
      : { subHubDistanceLimit: settings.vehicleSubHubDistanceLimit }),
  }
}

/** Not one visit names a place: nothing is left to search. */
function nothingPlaced(input: RunInput): Routing {
  const built = buildProblem(input)
  const problem = { ...built.problem, distances: new Float64Array(1), durations: new Float64Array(1) }
  const plan = { routes: [], dropped: [] }
  const evaluation = reviewPlan(problem, plan).evaluation
  const planned = { problem, parts: [], plan, timetables: [], evaluation, dropped: [], idle: [], rounds: 0 }
  return writeRouting(input, built, { kind: "routes", planned })
}
