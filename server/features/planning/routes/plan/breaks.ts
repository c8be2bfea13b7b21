import { pauseOf } from "../../../../../packages/route-optimizer/evaluate/flexible-breaks.ts"
import { daySeconds } from "../../../../../packages/route-optimizer/problem/days.ts"
import type { PlanProblem, TimeSpan } from "../../../../../packages/route-optimizer/problem/problem.ts"
import { formatClock, parseClock } from "../clock-time.ts"
import type { VehicleRoute } from "../result-schemas.ts"
import type { InputVehicle, Span } from "./run-input.ts"

/** Breaks of some minutes anywhere within breakTime: results show in breakTime when the vehicle has its break. */

/** A vehicle with the break that a plan gives it; on several days, that of the first. */
export function withPlannedBreak(
  vehicle: InputVehicle & { breakWithin?: Span },
  { vehicles }: Pick<PlanProblem, "vehicles">,
): InputVehicle & { breakWithin?: Span } {
  if (vehicle.breakMinutes === undefined) return vehicle
  const planned = vehicles.find(({ id, owner = id, isOff }) => owner === vehicle.id && isOff !== true)
  const [flexible] = planned?.flexibleBreaks ?? []
  if (!planned || !flexible) return vehicle
  const [from, to] = pauseOf(flexible, planned.breaks).map((time) => formatClock(time % daySeconds))
  const breakTime = { startTime: from ?? null, endTime: to ?? null }
  return { ...vehicle, breakTime, breakWithin: vehicle.breakWithin ?? vehicle.breakTime }
}

/** A vehicle with the break that it has in a result. */
export function withBreakOf(vehicle: InputVehicle, { breakTime, breakWithin }: VehicleRoute) {
  if (!breakTime || !breakWithin) return vehicle
  const { startTime = null, endTime = null } = breakTime
  return { ...vehicle, breakTime: { startTime, endTime }, breakWithin: vehicle.breakTime }
}

/** The break that a vehicle of a result has, as times of its problem, where the break was flexible. */
export function plannedBreaks(route: VehicleRoute | undefined): TimeSpan[] {
  const { startTime, endTime } = route?.breakWithin ? (route.breakTime ?? {}) : {}
  const [from, to] = [parseClock(startTime ?? ""), parseClock(endTime ?? "")]
  if (from === undefined || to === undefined) return []
  const until = to < from ? to + daySeconds : to
  return [
    [from, until],
    [from + daySeconds, until + daySeconds],
  ]
}
