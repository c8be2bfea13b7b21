import type { LngLat } from "#packages/geodesy/geodesy.ts"
import {
  type ClassTimes,
  type Observed,
  type TrackPoint,
  type TravelOptions,
  unreachable,
} from "../../../../packages/road-network/index.ts"
import { noWay } from "../../../../packages/route-optimizer/problem/problem.ts"
import type { MapRegion } from "../maps/index.ts"
import type { BuiltInRoads } from "./road-supply.ts"
import { atSpeedsOf, slownessByHour } from "./speeds/speed-store.ts"

export interface RoadTravel {
  /** Metres and seconds between all places, row by row. */
  distances: Float64Array
  seconds: Float64Array
  /** Places off the network, or cut off from most of the others. */
  outOfReach: number[]
  /** When the map was current: a date of ISO 8601. */
  mapDate: string
  /** At the organization's own speeds. */
  isCorrected: boolean
  /** Seconds are those of the mean of the hours of travel; in an hour of the day they are so many times as many. */
  hourly?: readonly number[]
}

/** Places outside the map are out of reach. Undefined if no installed map covers more than half of the places. */
export async function findRoadTravel(
  { maps, organizationId, sql, when }: BuiltInRoads,
  places: readonly LngLat[],
  options: TravelOptions,
  signal: AbortSignal,
): Promise<RoadTravel | undefined> {
  const roads = await maps.coveringMost(places)
  if (!roads) return undefined
  const travel = await atSpeedsOf(sql, organizationId, options, when)
  const all = places.map((_, index) => index)
  const job = {
    kind: "table",
    places: places.map((lngLat) => ({ lngLat })),
    sources: all,
    destinations: all,
  } as const
  const {
    costs,
    lengths,
    places: snapped,
  } = await maps.run<"table">(
    roads,
    travel,
    { ...job, sources: [...all], destinations: [...all] },
    { organizationId, signal },
  )
  const hours = Array.isArray(when) ? await slownessByHour(sql, organizationId, options, when) : undefined
  const size = places.length
  const isWay = (at: number) => costs[at] !== unreachable
  const near = all.filter((i) => snapped[i])
  const missing = all.map(
    (i) => near.filter((j) => i !== j && !(isWay(i * size + j) && isWay(j * size + i))).length,
  )
  return {
    distances: Float64Array.from(lengths, (value, at) => (isWay(at) ? Math.round(value / 100) : noWay)),
    seconds: Float64Array.from(costs, (value, at) => (isWay(at) ? Math.round(value / 1000) : noWay)),
    outOfReach: all.filter((i) => !snapped[i] || (missing[i] ?? 0) * 2 > near.length - 1),
    mapDate: dateOf(roads),
    isCorrected: travel.speedFactors !== undefined,
    ...(hours ? { hourly: hours } : {}),
  }
}

export interface RoadLegs {
  line: LngLat[]
  /** Metres and seconds from each place to the next; without a time of travel also the seconds by class of road. */
  legs: { meters: number; seconds: number; times?: ClassTimes }[]
  mapDate: string
}

/** The way through places in their order; `problem` says why there is none. Undefined if no map covers them. */
export async function findRoadLegs(
  { maps, organizationId, sql, when }: BuiltInRoads,
  places: readonly LngLat[],
  options: TravelOptions,
  signal?: AbortSignal,
): Promise<RoadLegs | { problem: string } | undefined> {
  const roads = await maps.covering(places)
  if (!roads) return undefined
  const detail = {
    overview: "full",
    steps: false,
    annotations: false,
    classTimes: when === undefined,
  } as const
  const job = { kind: "route", alternatives: 0, continueStraight: false, detail } as const
  const output = await maps.run<"route">(
    roads,
    await atSpeedsOf(sql, organizationId, options, when),
    { ...job, places: places.map((lngLat) => ({ lngLat })) },
    { organizationId, ...(signal ? { signal } : {}) },
  )
  const [route] = output.routes
  const far = output.places.findIndex((place) => !place)
  if (far !== -1) return { problem: `no road is near ${textOf(places[far])}` }
  if (!route) {
    const leg = output.brokenLeg ?? 0
    return { problem: `no road leads from ${textOf(places[leg])} to ${textOf(places[leg + 1])}` }
  }
  return {
    line: route.points,
    legs: route.legs.map(({ meters, seconds, times }) => ({ meters, seconds, ...(times ? { times } : {}) })),
    mapDate: dateOf(roads),
  }
}

/** Positions as phones send them, metres. */
const accuracyMeters = 15

/**
 * The legs of a track along the roads that it followed most likely; undefined legs lie off the roads. Undefined if no
 * map covers the track.
 */
export async function matchRoadLegs(
  { maps, organizationId }: BuiltInRoads,
  points: readonly { position: LngLat; at: number }[],
  signal?: AbortSignal,
): Promise<{ legs: ({ meters: number; seconds: number } | undefined)[]; mapDate: string } | undefined> {
  const roads = await maps.covering(points.map(({ position }) => position))
  if (!roads) return undefined
  const output = await maps.run<"match">(
    roads,
    { mode: "car" },
    {
      kind: "match",
      places: points.map(({ position }) => ({ lngLat: position })),
      accuracies: points.map(() => accuracyMeters),
      times: points.map(({ at }) => at / 1000),
      maxGapSeconds: undefined,
      detail: { overview: "none", steps: false, annotations: false },
    },
    { organizationId, ...(signal ? { signal } : {}) },
  )
  const legs: ({ meters: number; seconds: number } | undefined)[] = points.slice(1).map(() => undefined)
  for (const { points: matched, route } of output.parts)
    for (const [index, { meters, seconds }] of route.legs.entries()) {
      const [from = 0, to = 0] = [matched[index], matched[index + 1]]
      // A leg over positions that were left out counts once, at its end.
      for (let leg = from; leg < to - 1; leg++) legs[leg] = { meters: 0, seconds: 0 }
      legs[to - 1] = { meters, seconds }
    }
  return { legs, mapDate: dateOf(roads) }
}

/** Parts of drives along roads: how long each took. Undefined if no map covers them. */
export async function observeRoads(
  { maps, organizationId }: BuiltInRoads,
  tracks: TrackPoint[][],
  signal: AbortSignal,
): Promise<Observed[] | undefined> {
  const roads = await maps.covering(tracks.flatMap((track) => track.map(({ lngLat }) => lngLat)))
  if (!roads) return undefined
  const job = { kind: "observe" as const, tracks }
  const output = await maps.run<"observe">(roads, { mode: "car" }, job, { organizationId, signal })
  return output.stretches
}

function textOf(place: LngLat | undefined): string {
  return place ? `${place[1]},${place[0]}` : "nowhere"
}

const dateOf = ({ dataTime, builtAt }: MapRegion) => (dataTime ?? builtAt).toString().slice(0, 10)
