import { daySeconds } from "../problem/days.ts"
import { linksOf } from "../problem/links.ts"
import type { Plan, PlanProblem, Visit } from "../problem/problem.ts"
import { type Context, tolerance } from "./evaluator.ts"
import type { RouteTimetable, Stop } from "./timetable.ts"

/** Visits that wait for others or start together with them: their times, their people, and that none is served alone. */
export function checkLinks(
  { visits, vehicles }: PlanProblem,
  stopOf: ReadonlyMap<number, { stop: Stop; vehicle: number }>,
  say: Context["say"],
): void {
  for (const { first, second, gap } of linksOf(visits)) {
    const [before, after] = [stopOf.get(first), stopOf.get(second)]
    const wrong = (message: string, excess?: number) =>
      say({ kind: "link", visit: second, ...(excess === undefined ? {} : { excess }), message })
    if (!before || !after) {
      if (before || after) wrong("it is linked with a visit that is not served, or served without it")
      continue
    }
    if (gap === undefined) {
      const apart = Math.abs(before.stop.serviceStart - after.stop.serviceStart)
      if (apart > tolerance) wrong("it does not start together with its other visit", apart)
      const owners = [before, after].map(({ vehicle }) => vehicles[vehicle]?.owner ?? vehicles[vehicle]?.id)
      if (owners[0] === owners[1]) wrong("visits that start together are on the same vehicle")
      continue
    }
    const waited = after.stop.serviceStart - before.stop.serviceEnd
    if (waited < gap.min - tolerance) wrong("it starts too soon after the visit before it", gap.min - waited)
    if (waited > gap.max + tolerance) wrong("it starts too long after the visit before it", waited - gap.max)
  }
}

/** How many visits another vehicle than the preferred one serves. */
export function unpreferredVehiclesOf({ visits, vehicles }: PlanProblem, { routes }: Plan): number {
  const owners = vehicles.map(({ id, owner = id }) => owner)
  return routes.reduce((sum, { vehicle, trips }) => {
    const unpreferred = trips.flat().filter((i) => {
      const preferred = visits[i]?.preferredVehicleId
      return preferred !== undefined && owners.includes(preferred) && preferred !== owners[vehicle]
    })
    return sum + unpreferred.length
  }, 0)
}

/** The visits that begin on none of their preferred days. */
export function unpreferredDaysOf(visits: readonly Visit[], tables: readonly RouteTimetable[]): number[] {
  return tables.flatMap(({ stops }) =>
    stops.flatMap(({ visit, serviceStart }) => {
      const days = visits[visit]?.preferredDays
      return days === undefined || days.includes(Math.floor(serviceStart / daySeconds)) ? [] : [visit]
    }),
  )
}
