import { hourOfWeek, hoursOfWeek } from "../../../../../packages/road-network/index.ts"
import { type RoadSupply, roadsAt } from "../../../location/roads/index.ts"
import { parseClock } from "../clock-time.ts"

/** The roads in the working hours of a plan: an organization's own speeds count as they are then. */
export function roadsOfPlan<Supply extends RoadSupply>(
  roads: Supply,
  {
    routingDate,
    vehicles,
  }: {
    routingDate: string
    vehicles: readonly { workingTime: { startTime: string; endTime: string } | null }[]
  },
): Supply {
  const spans = vehicles.flatMap(({ workingTime }) =>
    workingTime ? [[parseClock(workingTime.startTime) ?? 0, parseClock(workingTime.endTime) ?? 0]] : [],
  )
  const first = Math.floor(Math.min(...spans.map(([from = 0]) => from)) / 3600)
  const last = Math.ceil(Math.max(...spans.map(([, to = 0]) => to)) / 3600)
  const midnight = hourOfWeek(Temporal.PlainDate.from(routingDate).dayOfWeek, 0)
  const count = Math.min(24, last - first)
  if (!(count > 0)) return roads
  const hours = Array.from({ length: count }, (_, hour) => (midnight + first + hour) % hoursOfWeek)
  return roadsAt(roads, hours)
}
