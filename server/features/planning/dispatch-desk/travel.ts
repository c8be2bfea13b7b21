import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { greatCircleSeconds, type TravelSeconds } from "#shared/dispatch/person-day.ts"
import { planWarning } from "#shared/plan-warnings.ts"
import { noWay } from "../../../../packages/route-optimizer/problem/problem.ts"
import type { RoadSupply } from "../../location/roads/index.ts"
import { defaultSettings, findTravel } from "../routes/index.ts"

/** Most places of one person for whom roads are asked. */
export const maxPlacesOfPerson = 60

export interface TravelTable {
  seconds: number[][]
  isByRoad: boolean
  /** Places that no road leads to: seconds from and to them are along great circles. */
  outOfReach: number[][]
  note: string
}

/** Somebody waits for it: a road service that is slower is not waited for. */
const patience = { timeoutMilliseconds: 3_000, planMilliseconds: 4_000 }

/** Seconds of travel between all places: by road, or along great circles where there is none, which the note says. */
export async function travelTable(places: readonly LngLat[], roads: RoadSupply): Promise<TravelTable> {
  const settings = { ...defaultSettings, autoSpeed: true }
  const travel = await findTravel(places, settings, roads, AbortSignal.timeout(10_000), patience)
  const { matrices, hasOwnTimes, outOfReach = [], warnings } = travel
  const size = places.length
  const direct = greatCircleSeconds(defaultSettings.defaultSpeed)
  const at = (row: number, column: number) => {
    const seconds = hasOwnTimes ? (matrices?.durations[row * size + column] ?? noWay) : noWay
    return seconds < noWay ? seconds : direct(places[row] ?? [0, 0], places[column] ?? [0, 0])
  }
  return {
    seconds: places.map((_, row) => places.map((_, column) => Math.round(at(row, column)))),
    isByRoad: matrices !== undefined && hasOwnTimes,
    outOfReach: outOfReach.map((place) => [...place]),
    // What no road leads to is named last.
    note: warnings.at(-1) ?? planWarning("noMapAtAll"),
  }
}

/** A table as a function of its places; other places are as far apart as on great circles. */
export function lookUp(places: readonly LngLat[], { seconds }: TravelTable): TravelSeconds {
  const indexOf = new Map(places.map((place, index) => [place.join(), index]))
  const direct = greatCircleSeconds(defaultSettings.defaultSpeed)
  return (from, to) => {
    const [row, column] = [indexOf.get(from.join()), indexOf.get(to.join())]
    return row === undefined || column === undefined ? direct(from, to) : (seconds[row]?.[column] ?? 0)
  }
}
