import { distanceMeters, type LngLat } from "#packages/geodesy/geodesy.ts"

/** A circle, or another area that measures how far outside of it a position is. */
export type Fence =
  | { readonly center: LngLat; readonly radiusMeters: number }
  | { readonly metersOutside: (position: LngLat) => number; readonly accuracyMeters: number }

export interface FenceRules {
  /** Leaving means being this much further out than the radius: a phone at the rim does not come and go all day. */
  readonly hysteresisMeters: number
  /** Someone who only drives past is not inside for this long. */
  readonly dwellSeconds: number
  /** Outside for this long is gone. */
  readonly departSeconds: number
  /**
   * No further point for this long confirms what the last one began: phones stop sending when they lie still. Must be
   * longer than the sending interval of the person's profile.
   */
  readonly silenceSeconds: number
}

export const arrivalRules: FenceRules = {
  hysteresisMeters: 25,
  dwellSeconds: 30,
  departSeconds: 30,
  silenceSeconds: 300,
}

export interface FencePoint {
  /** Milliseconds since 1970. */
  readonly recordedAt: number
  readonly position: LngLat
  readonly accuracyMeters?: number | undefined
}

/**
 * Where a person stands towards one fence. Plain data, so that it can be stored and continued. `since` is the first
 * point of the run that is being confirmed; `until` is the newest point that agreed with it.
 */
export type FenceState =
  | { readonly kind: "outside" }
  | { readonly kind: "arriving"; readonly since: number; readonly until: number }
  | { readonly kind: "inside"; readonly arrivedAt: number }
  | { readonly kind: "leaving"; readonly arrivedAt: number; readonly since: number; readonly until: number }

export interface FenceEvent {
  readonly kind: "arrived" | "left"
  /** When it happened: the first point of the run, not the moment of certainty. Milliseconds since 1970. */
  readonly at: number
}

export interface FenceStep {
  readonly state: FenceState
  /** At most a departure or arrival by silence, then one by the point itself. */
  readonly events: readonly FenceEvent[]
}

export const outside: FenceState = { kind: "outside" }

/**
 * Takes the next point in time order. Points that `judgeTrack` leaves out must not come here: a jump to the
 * warehouse is not an arrival.
 */
export function advanceFence(
  state: FenceState,
  point: FencePoint,
  fence: Fence,
  rules: FenceRules = arrivalRules,
): FenceStep {
  const silent = settleFence(state, point.recordedAt, rules)
  const next = take(silent.state, point.recordedAt, whereIs(point, fence, rules), rules)
  return { state: next.state, events: [...silent.events, ...next.events] }
}

/**
 * Lets time pass without a point: what silence confirms is confirmed. Call it with the clock for live people; running
 * over stored points does the same between them, so both come to the same result.
 */
export function settleFence(state: FenceState, now: number, rules: FenceRules = arrivalRules): FenceStep {
  if (state.kind === "arriving" && now - state.until >= rules.silenceSeconds * 1000)
    return arrive(state.since)
  if (state.kind === "leaving" && now - state.until >= rules.silenceSeconds * 1000) return leave(state.since)
  return { state, events: [] }
}

export interface FenceVisit {
  readonly arrivedAt: number
  /** Null while the person is there. */
  readonly leftAt: number | null
}

/**
 * All visits of one fence, from all plausible points in time order, up to `now`. This is the truth after points
 * arrived late: compare with what is stored (`changedVisits`) and publish the difference. `open` is the visit during
 * which the points begin.
 */
export function fenceVisits(
  points: Iterable<FencePoint>,
  fence: Fence,
  now: number,
  open?: FenceVisit,
  rules: FenceRules = arrivalRules,
): FenceVisit[] {
  const visits: FenceVisit[] = open ? [{ arrivedAt: open.arrivedAt, leftAt: null }] : []
  const record = (events: readonly FenceEvent[]) => {
    for (const event of events) {
      const open = visits.at(-1)
      if (event.kind === "arrived") visits.push({ arrivedAt: event.at, leftAt: null })
      else if (open) visits[visits.length - 1] = { ...open, leftAt: event.at }
    }
  }
  let state: FenceState = open ? { kind: "inside", arrivedAt: open.arrivedAt } : outside
  for (const point of points) {
    const step = advanceFence(state, point, fence, rules)
    state = step.state
    record(step.events)
  }
  record(settleFence(state, now, rules).events)
  return visits
}

export interface VisitChanges {
  readonly added: readonly FenceVisit[]
  /** The same arrival, another departure. */
  readonly changed: readonly FenceVisit[]
  readonly withdrawn: readonly FenceVisit[]
}

/** What late points changed. Visits are the same when they begin at the same moment. */
export function changedVisits(before: readonly FenceVisit[], after: readonly FenceVisit[]): VisitChanges {
  const known = new Map(before.map((visit) => [visit.arrivedAt, visit]))
  const stillThere = new Set(after.map((visit) => visit.arrivedAt))
  return {
    added: after.filter((visit) => !known.has(visit.arrivedAt)),
    changed: after.filter((visit) => {
      const earlier = known.get(visit.arrivedAt)
      return earlier !== undefined && earlier.leftAt !== visit.leftAt
    }),
    withdrawn: before.filter((visit) => !stillThere.has(visit.arrivedAt)),
  }
}

/**
 * Inside needs a fix that is not wider than the fence with its margin; outside needs a fix that lies outside with all
 * of its uncertainty. Everything between says nothing and changes nothing.
 */
function whereIs(point: FencePoint, fence: Fence, rules: FenceRules): "inside" | "outside" | "unclear" {
  const accuracy = point.accuracyMeters ?? 0
  const [meters, widest] =
    "center" in fence
      ? [distanceMeters(point.position, fence.center) - fence.radiusMeters, fence.radiusMeters]
      : [fence.metersOutside(point.position), fence.accuracyMeters]
  if (meters <= 0) return accuracy <= widest + rules.hysteresisMeters ? "inside" : "unclear"
  return meters - accuracy > rules.hysteresisMeters ? "outside" : "unclear"
}

function take(
  state: FenceState,
  at: number,
  where: "inside" | "outside" | "unclear",
  rules: FenceRules,
): FenceStep {
  const stay = (next: FenceState): FenceStep => ({ state: next, events: [] })
  switch (state.kind) {
    case "outside":
      return where === "inside"
        ? confirmArrival({ kind: "arriving", since: at, until: at }, rules)
        : stay(state)
    case "arriving":
      if (where === "outside") return stay(outside)
      return where === "inside" ? confirmArrival({ ...state, until: at }, rules) : stay(state)
    case "inside":
      return where === "outside"
        ? confirmDeparture({ kind: "leaving", arrivedAt: state.arrivedAt, since: at, until: at }, rules)
        : stay(state)
    case "leaving":
      if (where === "inside") return stay({ kind: "inside", arrivedAt: state.arrivedAt })
      return where === "outside" ? confirmDeparture({ ...state, until: at }, rules) : stay(state)
  }
}

function confirmArrival(state: FenceState & { kind: "arriving" }, rules: FenceRules): FenceStep {
  return state.until - state.since >= rules.dwellSeconds * 1000 ? arrive(state.since) : { state, events: [] }
}

function confirmDeparture(state: FenceState & { kind: "leaving" }, rules: FenceRules): FenceStep {
  return state.until - state.since >= rules.departSeconds * 1000 ? leave(state.since) : { state, events: [] }
}

function arrive(at: number): FenceStep {
  return { state: { kind: "inside", arrivedAt: at }, events: [{ kind: "arrived", at }] }
}

function leave(at: number): FenceStep {
  return { state: outside, events: [{ kind: "left", at }] }
}
