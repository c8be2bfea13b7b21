import type { LngLat } from "#packages/geodesy/geodesy.ts"
import {
  createRouter,
  customize,
  findAlternatives,
  hasNodeIds,
  isochrones,
  matchTrack,
  nodeIdsOf,
  type Observed,
  observeTrack,
  openNetwork,
  openProfile,
  packProfile,
  type RoadPath,
  type Router,
  type SnapOptions,
  type Snapped,
  snap,
  snapMany,
  type TrackPoint,
  type TravelOptions,
  travelTable,
} from "../../../../packages/road-network/index.ts"
import { findEachPath, findOnwardPaths } from "./road-legs.ts"
import { describeRoute, type RoadRoute, type RouteDetail } from "./road-routes.ts"

/** What a job needs: memory that all threads share. */
export interface RoadData {
  /** Of the network, its version and the options: equal for equal contents. */
  key: string
  networkId: string
  network: SharedArrayBuffer
  profile: SharedArrayBuffer
}

export interface JobPlace extends Omit<SnapOptions, "side"> {
  lngLat: LngLat
  /** The place lies at the curb of the vehicle's side of the road, or at the opposite one. */
  approach?: "curb" | "opposite"
}

/** A place on the network, without what only the search needs. */
export interface PlaceOnRoad extends Omit<Snapped, "accesses" | "segment" | "leg"> {
  /** Ids of the nodes before and after it, if the map has them and the job asks for nearest places. */
  nodes?: readonly [number, number]
}

export type RoadJob =
  | { kind: "nearest"; place: JobPlace; count: number }
  | { kind: "table"; places: JobPlace[]; sources: number[]; destinations: number[] }
  | {
      kind: "route"
      places: JobPlace[]
      alternatives: number
      /** Leave a stop in the direction of arrival, wherever that is possible. */
      continueStraight: boolean
      /** Where legs end, in ascending order; all places by default. */
      waypoints?: readonly number[]
      detail: RouteDetail
    }
  | {
      kind: "match"
      places: JobPlace[]
      waypoints?: readonly number[]
      accuracies: (number | undefined)[]
      times: (number | undefined)[]
      maxGapSeconds: number | undefined
      detail: RouteDetail
    }
  | { kind: "isochrone"; place: JobPlace; seconds: number[] }
  | { kind: "customize"; options: TravelOptions }
  | { kind: "observe"; tracks: TrackPoint[][] }

export interface MatchedPart {
  points: number[]
  places: PlaceOnRoad[]
  /** Which of them end a leg. */
  legEnds: number[]
  route: RoadRoute
  confidence: number
}

export type RoadOutput =
  | { kind: "nearest"; places: PlaceOnRoad[] }
  | {
      kind: "table"
      places: (PlaceOnRoad | undefined)[]
      /** Milliseconds and centimetres, row by row; `unreachable` without a way. */
      costs: Uint32Array
      lengths: Uint32Array
    }
  /** No routes: there is no way. Undefined places are off the network. */
  | { kind: "route"; places: (PlaceOnRoad | undefined)[]; routes: RoadRoute[]; brokenLeg?: number }
  | { kind: "match"; parts: MatchedPart[] }
  | { kind: "isochrone"; place: PlaceOnRoad | undefined; areas: ReturnType<typeof isochrones> }
  | { kind: "customize"; profile: SharedArrayBuffer }
  | { kind: "observe"; stretches: Observed[] }

/** Views and search memory of this thread, the last used last. */
const routers = new Map<string, Router>()
const maxRouters = 6

function routerOf(data: RoadData): Router {
  const known = routers.get(data.key)
  routers.delete(data.key)
  const router = known ?? openRouter(data)
  routers.set(data.key, router)
  for (const key of routers.keys()) if (routers.size > maxRouters) routers.delete(key)
  return router
}

function openRouter(data: RoadData): Router {
  // The files were checked when they were read from the store.
  const { network } = openNetwork(data.network, true)
  return createRouter(openProfile(network, data.networkId, data.profile, true))
}

export function runRoadJob(data: RoadData, job: RoadJob): RoadOutput {
  const router = routerOf(data)
  switch (job.kind) {
    case "nearest":
      return { kind: "nearest", places: nearest(router, job) }
    case "table":
      return tableOf(router, job)
    case "route":
      return routesOf(router, job)
    case "match":
      return matchOf(router, job)
    case "isochrone": {
      const [place] = snapAll(router, [job.place])
      return {
        kind: "isochrone",
        place: place && shown(place),
        areas: place ? isochrones(router, place.accesses, job.seconds) : [],
      }
    }
    case "observe":
      return { kind: "observe", stretches: job.tracks.flatMap((track) => observeTrack(router, track)) }
    case "customize":
      return {
        kind: "customize",
        profile: share(packProfile(customize(router.graph, job.options), data.networkId)),
      }
  }
}

export function share(pieces: readonly Uint8Array[]): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(pieces.reduce((sum, piece) => sum + piece.length, 0))
  const bytes = new Uint8Array(buffer)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return buffer
}

function shown({ lngLat, distanceMeters, name, isOnLargePart }: Snapped): PlaceOnRoad {
  return { lngLat, distanceMeters, name, isOnLargePart }
}

function nearest({ graph }: Router, { place, count }: { place: JobPlace; count: number }): PlaceOnRoad[] {
  const hasIds = hasNodeIds(graph.network)
  return snapMany(graph, place.lngLat, { ...snapOptions(graph, place), count }).map((snapped) => {
    if (!hasIds) return shown(snapped)
    const [from = 0, to = 0] = nodeIdsOf(graph.network, snapped.segment).slice(snapped.leg)
    return { ...shown(snapped), nodes: [from, to] }
  })
}

const snapAll = ({ graph }: Router, places: readonly JobPlace[]) =>
  places.map((place) => snap(graph, place.lngLat, snapOptions(graph, place)))

function snapOptions({ network }: Router["graph"], { approach, ...place }: JobPlace): SnapOptions {
  if (!approach) return place
  const curb = network.drivesOnLeft ? "left" : "right"
  const opposite = network.drivesOnLeft ? "right" : "left"
  return { ...place, side: approach === "curb" ? curb : opposite }
}

function tableOf(router: Router, job: Extract<RoadJob, { kind: "table" }>): RoadOutput {
  const snapped = snapAll(router, job.places)
  const at = (index: number) => snapped[index]
  const table = travelTable(router, job.sources.map(at), job.destinations.map(at))
  return { kind: "table", places: snapped.map((place) => place && shown(place)), ...table }
}

function routesOf(router: Router, job: Extract<RoadJob, { kind: "route" }>): RoadOutput {
  const snapped = snapAll(router, job.places)
  const places = snapped.map((place) => place && shown(place))
  const stops = snapped.filter((place) => place !== undefined)
  if (stops.length < snapped.length) return { kind: "route", places, routes: [] }
  const [from, to] = stops
  if (job.alternatives > 0 && stops.length === 2 && from && to) {
    const paths = findAlternatives(router, from.accesses, to.accesses, job.alternatives)
    const routes = paths.map((path) => describeRoute(router.graph, [[path]], job.detail))
    return { kind: "route", places, routes, ...(routes.length === 0 ? { brokenLeg: 0 } : {}) }
  }
  const found = job.continueStraight ? findOnwardPaths(router, stops) : findEachPath(router, stops)
  if ("brokenLeg" in found) return { kind: "route", places, routes: [], brokenLeg: found.brokenLeg }
  const legs = divide(found.paths, job.waypoints ?? stops.keys())
  return { kind: "route", places, routes: [describeRoute(router.graph, legs, job.detail)] }
}

/** Ways between places, divided into legs at those places that end one. */
function divide(paths: readonly RoadPath[], ends: Iterable<number>): RoadPath[][] {
  const [first = 0, ...others] = ends
  return others.map((end, index) => paths.slice(index === 0 ? first : others[index - 1], end))
}

function matchOf(router: Router, job: Extract<RoadJob, { kind: "match" }>): RoadOutput {
  const track = job.places.map((place, i) => {
    const [accuracyMeters, time] = [job.accuracies[i], job.times[i]]
    return {
      lngLat: place.lngLat,
      roads: snapOptions(router.graph, place),
      ...(accuracyMeters ? { accuracyMeters } : {}),
      ...(time === undefined ? {} : { time }),
    }
  })
  const matchings = matchTrack(router, track, { maxGapSeconds: job.maxGapSeconds })
  return {
    kind: "match",
    parts: matchings.map(({ points, places, paths, confidence }) => {
      const isEnd = (point: number, index: number) =>
        !job.waypoints || index === 0 || index === points.length - 1 || job.waypoints.includes(point)
      const legEnds = points.flatMap((point, index) => (isEnd(point, index) ? [index] : []))
      return {
        points,
        places: places.map(shown),
        legEnds,
        route: describeRoute(router.graph, divide(paths, legEnds), job.detail),
        confidence,
      }
    }),
  }
}
