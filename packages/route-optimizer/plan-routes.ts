import type { Help } from "./evaluate/changes.ts"
import type { Evaluation } from "./evaluate/evaluator.ts"
import { evaluate } from "./evaluate/evaluator.ts"
import { hasFlexibleBreaks, placeBreaks } from "./evaluate/flexible-breaks.ts"
import { type IdleVehicle, idleVehicles } from "./evaluate/idle.ts"
import type { DropReason } from "./evaluate/reasons.ts"
import { dropReason } from "./evaluate/reasons.ts"
import type { RouteTimetable } from "./evaluate/timetable.ts"
import { timetable } from "./evaluate/timetable.ts"
import { whatWouldHelp } from "./evaluate/what-would-help.ts"
import type { Clustering, Point } from "./problem/areas.ts"
import { shapeOf } from "./problem/areas.ts"
import type { DayStart } from "./problem/days.ts"
import { spreadOverDays } from "./problem/days.ts"
import type { Plan, PlanProblem, TimeSpan } from "./problem/problem.ts"
import type { Complaint } from "./problem/problem-check.ts"
import { checkProblem, checkSize } from "./problem/problem-check.ts"
import { mergeVisits } from "./search/merge.ts"
import { partOf } from "./search/part-of.ts"
import { hasPreferredDays, keepPreferredDays, searchByDays } from "./search/preferred-days.ts"
import type { SplitMode, VisitPart } from "./search/split.ts"
import { splitVisits } from "./search/split.ts"
import { tidyTimes } from "./search/tidy.ts"
import type { Progress, Solved, SolveOptions } from "./solve.ts"
import { solve } from "./solve.ts"
import { solveTogether } from "./team/solve-together.ts"

/** A problem as it was entered, and the layers to lay around the search. */
export type PlanRequest = {
  readonly problem: PlanProblem
  /** Position of each location, for clustering. */
  readonly points: readonly Point[]
  readonly autoSplit: SplitMode
  readonly autoMerge: boolean
  readonly clustering: Clustering
  /** Shares visits or hours evenly; `balanced` areas share visits. */
  readonly fairness?: "visits" | "hours"
  /**
   * Seconds at the end of each shift that stay free for what comes during the day, unless visits would be left out. A quarter
   * of them stays free before the end of each window, at most a quarter of the window.
   */
  readonly reserveSeconds?: number
  /** Where a new day starts, for shifts over several days. */
  readonly dayStart: DayStart
}

export type PlannedRoutes = {
  /** The problem that the plan's indices name: parts in the place of split visits, daily shifts. */
  readonly problem: PlanProblem
  /** Per visit of that problem: which visit of the request it is, or is a part of. */
  readonly parts: readonly VisitPart[]
  readonly plan: Plan
  readonly timetables: readonly RouteTimetable[]
  readonly evaluation: Evaluation
  readonly dropped: readonly DroppedVisit[]
  readonly idle: readonly IdleVehicle[]
  readonly rounds: number
}

export type PlanOptions = SolveOptions & {
  /** Two threads search a large problem together; its plan then depends on the machine. */
  readonly threads?: 1 | 2
}

export type DroppedVisit = {
  readonly visit: number
  readonly reason: DropReason
  /** Smallest first; computed for the first visits only, and by `whatWouldHelp` for any. */
  readonly help: readonly Help[]
}

/** Dropped visits that a plan explains at once; a helpless fleet would otherwise take minutes to explain. */
const helpedVisits = 20

/** Of the reserve, and of a window: how much earlier the window ends while the reserve is kept. */
const windowShare = 0.25

/** Rounds of a first estimate of how many vehicles the areas are for. */
const roundsForAreas = 300

/**
 * Plans a request: splits, spreads over days, merges and clusters, searches, and checks what came out.
 * @throws UnplannableError when the problem as a whole cannot be planned
 */
export function planRoutes(request: PlanRequest, options: PlanOptions): PlannedRoutes {
  const { problem, parts } = prepare(request)
  const merged = request.autoMerge ? mergeVisits(problem) : { problem, unfold: (plan: Plan) => plan }
  const shaped = withAreas(merged.problem, request, options.seed)
  const { onProgress } = options
  const unfolded = {
    ...options,
    ...(onProgress
      ? {
          onProgress: (progress: Progress) =>
            onProgress({ ...progress, plan: () => merged.unfold(progress.plan()) }),
        }
      : {}),
  }
  const search = (open: PlanProblem, own: SolveOptions) =>
    searchRoutes(open, { ...own, threads: options.threads ?? 1 }, request.reserveSeconds)
  const found = hasPreferredDays(shaped) ? searchByDays(shaped, search, unfolded) : search(shaped, unfolded)
  const plan = merged.unfold(found.plan)
  const timed = placeBreaks({ ...problem, vehicles: found.problem.vehicles }, plan)
  return { ...describe(keepPreferredDays(timed, plan), plan), parts, rounds: found.rounds }
}

/** One search, or two where breaks have to be placed in between or the reserve may be needed. */
function searchRoutes(
  problem: PlanProblem,
  { threads, ...options }: PlanOptions,
  reserveSeconds = 0,
): Solved & { problem: PlanProblem } {
  const search = (open: PlanProblem, { start, ...own }: SolveOptions) =>
    (threads === 2 ? solveTogether : solve)(open, start && isKept(open, start) ? { ...own, start } : own)
  if (!hasFlexibleBreaks(problem) && reserveSeconds <= 0) return { ...search(problem, options), problem }
  // Breaks are placed by the first plan; whether the reserve leaves visits out is known sooner.
  const parts = hasFlexibleBreaks(problem) ? 2 : 4
  const first = search(withReserve(problem, reserveSeconds), partOf(options, 0, parts))
  const placed = placeBreaks(problem, first.plan)
  const second = search(first.plan.dropped.length > 0 ? placed : withReserve(placed, reserveSeconds), {
    ...partOf(options, 1, parts, parts - 1),
    start: first.plan,
  })
  const rounds = first.rounds + second.rounds
  // Where visits are linked, the second search started over and may have found less.
  const isWorse = second.plan.dropped.length > first.plan.dropped.length
  return isWorse ? { ...first, rounds, problem } : { ...second, rounds, problem: placed }
}

/** Whether the plan keeps all rules of the problem, so that a search may begin with it. */
function isKept(problem: PlanProblem, plan: Plan): boolean {
  return reviewPlan(problem, plan).evaluation.violations.length === 0
}

/** Shifts that end earlier and without overtime, of which at least half is left, and windows that end earlier. */
function withReserve(problem: PlanProblem, seconds: number): PlanProblem {
  if (seconds <= 0) return problem
  const visits = problem.visits.map((visit) => ({
    ...visit,
    windows: visit.windows.map(
      ([opens, closes]): TimeSpan => [
        opens,
        closes - Math.floor(Math.min(seconds, closes - opens) * windowShare),
      ],
    ),
  }))
  const vehicles = problem.vehicles.map(({ overtime, ...vehicle }) => {
    const [from, to] = vehicle.shift
    const end = to - (overtime?.seconds ?? 0)
    return { ...vehicle, shift: [from, Math.max(end - seconds, from + (end - from) / 2)] as const }
  })
  return { ...problem, vehicles, visits }
}

/** The problem after the layers that change what a plan's indices mean. */
export function prepare(request: PlanRequest): { problem: PlanProblem; parts: readonly VisitPart[] } {
  refuse(checkSize(request.problem))
  const split = splitVisits(
    // Days repeat the windows, of which a request may have sent those of its second day itself.
    tidyTimes(spreadOverDays(tidyTimes(request.problem), request.dayStart)),
    request.autoSplit,
  )
  refuse(checkProblem(split.problem))
  return { ...split, problem: placeBreaks(split.problem, { routes: [], dropped: [] }) }
}

/**
 * Timetable, sums and broken rules of any plan, such as one that was changed by hand.
 * @param bounds starts of service that are no earlier, by visit
 */
export function reviewPlan(
  problem: PlanProblem,
  plan: Plan,
  bounds?: ReadonlyMap<number, number>,
): Pick<PlannedRoutes, "timetables" | "evaluation"> {
  const timetables = timetable(problem, plan, bounds)
  return { timetables, evaluation: evaluate(problem, plan, timetables) }
}

/** @throws Error when a plan of the search breaks a rule: a defect, which must not reach anyone */
function describe(problem: PlanProblem, plan: Plan): Omit<PlannedRoutes, "parts" | "rounds"> {
  const { timetables, evaluation } = reviewPlan(problem, plan)
  const [violation] = evaluation.violations
  if (violation) throw new Error(`the plan breaks a rule (${violation.kind}): ${violation.message}`)
  const dropped = plan.dropped.map((visit, d) => ({
    visit,
    reason: dropReason(problem, visit, plan),
    help: d < helpedVisits ? whatWouldHelp(problem, plan, visit) : [],
  }))
  return { problem, plan, timetables, evaluation, dropped, idle: idleVehicles(problem, plan, timetables) }
}

function withAreas(problem: PlanProblem, request: PlanRequest, seed: number): PlanProblem {
  const { fairness } = request
  if (request.clustering === "none") return fairness ? { ...problem, shape: { balance: fairness } } : problem
  const look = solve(problem, { seed, budget: { rounds: roundsForAreas } })
  const owners = new Set(look.plan.routes.map(({ vehicle }) => problem.vehicles[vehicle]?.owner ?? vehicle))
  const shape = shapeOf(problem, request.clustering, request.points, owners.size)
  return shape ? { ...problem, shape: fairness ? { ...shape, balance: fairness } : shape } : problem
}

function refuse(complaints: readonly Complaint[]): void {
  if (complaints.length > 0) throw new UnplannableError(complaints)
}

export class UnplannableError extends Error {
  readonly complaints: readonly Complaint[]
  constructor(complaints: readonly Complaint[]) {
    super(complaints.map(({ id, message }) => (id === "" ? message : `${id}: ${message}`)).join("; "))
    this.complaints = complaints
  }
}
