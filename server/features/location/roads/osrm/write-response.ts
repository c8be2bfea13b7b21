import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { type Crossing, encodePolyline, type Step } from "../../../../../packages/road-network/index.ts"
import type { PlaceOnRoad } from "../road-jobs.ts"
import type { RoadLeg, RoadRoute } from "../road-routes.ts"

export type Geometries = "polyline" | "polyline6" | "geojson"
/** Which numbers for each line between points; none for no annotation. */
export type Annotations = readonly ("duration" | "distance" | "speed" | "weight" | "datasources" | "nodes")[]

export interface RouteFormat {
  geometries: Geometries
  overview: "full" | "simplified" | "byLegs" | "none"
  hasSteps: boolean
  annotations: Annotations
}

const tenth = (value: number) => Math.round(value * 10) / 10

export function waypointOf({ lngLat, distanceMeters, name, nodes }: PlaceOnRoad, hasHint: boolean) {
  return {
    ...(nodes ? { nodes: [...nodes] } : {}),
    ...(hasHint ? { hint: Buffer.from(lngLat.join(",")).toString("base64url") } : {}),
    distance: Math.round(distanceMeters * 1000) / 1000,
    name,
    location: [...lngLat],
  }
}

function geometryOf(points: readonly LngLat[], geometries: Geometries) {
  if (geometries === "geojson") return { type: "LineString", coordinates: points.map((point) => [...point]) }
  return encodePolyline(points, geometries === "polyline6" ? 6 : 5)
}

/** Durations are the weight: the fastest way is chosen. */
export function routeOf(route: RoadRoute, format: RouteFormat, mode: string) {
  const lines = () => route.legs.map(({ points = [] }) => geometryOf(points, format.geometries))
  const overview = format.overview === "byLegs" ? lines : () => geometryOf(route.points, format.geometries)
  return {
    ...(format.overview === "none" ? {} : { geometry: overview() }),
    legs: route.legs.map((leg) => legOf(leg, format, mode)),
    distance: tenth(route.meters),
    duration: tenth(route.seconds),
    weight: tenth(route.seconds),
    weight_name: "duration",
  }
}

function legOf(leg: RoadLeg, format: RouteFormat, mode: string) {
  return {
    steps: format.hasSteps ? leg.steps.map((step) => stepOf(step, format, mode)) : [],
    summary: leg.summary,
    distance: tenth(leg.meters),
    duration: tenth(leg.seconds),
    weight: tenth(leg.seconds),
    ...(leg.annotation ? { annotation: annotationOf(leg.annotation, format) } : {}),
  }
}

function annotationOf(
  { seconds, meters, nodes }: NonNullable<RoadLeg["annotation"]>,
  { annotations: wanted }: RouteFormat,
) {
  const speeds = () => meters.map((length, i) => (seconds[i] ? tenth(length / seconds[i]) : 0))
  return {
    ...(wanted.includes("duration") ? { duration: seconds.map(tenth) } : {}),
    ...(wanted.includes("weight") ? { weight: seconds.map(tenth) } : {}),
    ...(wanted.includes("distance") ? { distance: meters.map(tenth) } : {}),
    ...(wanted.includes("speed") ? { speed: speeds() } : {}),
    ...(wanted.includes("nodes") && nodes ? { nodes } : {}),
    ...(wanted.includes("datasources")
      ? { datasources: meters.map(() => 0), metadata: { datasource_names: ["road network"] } }
      : {}),
  }
}

const modeNames: Readonly<Record<string, string>> = { bicycle: "cycling", foot: "walking" }

function stepOf(step: Step, { geometries }: RouteFormat, mode: string) {
  return {
    geometry: geometryOf(step.points, geometries),
    maneuver: {
      type: step.type,
      ...(step.modifier ? { modifier: step.modifier } : {}),
      ...(step.exit ? { exit: step.exit } : {}),
      location: [...(step.points[0] ?? [])],
      bearing_before: Math.round(step.bearingBefore) % 360,
      bearing_after: Math.round(step.bearingAfter) % 360,
    },
    mode: step.isFerry ? "ferry" : (modeNames[mode] ?? "driving"),
    driving_side: step.drivesOnLeft ? "left" : "right",
    name: step.name,
    ...(step.roadNumber ? { ref: step.roadNumber } : {}),
    intersections: step.crossings.map(crossingOf),
    distance: tenth(step.meters),
    duration: tenth(step.seconds),
    weight: tenth(step.seconds),
  }
}

function crossingOf({ lngLat, bearings, entry, in: from, out, lanes, classes }: Crossing) {
  return {
    location: [...lngLat],
    bearings,
    entry,
    ...(from === undefined ? {} : { in: from }),
    ...(out === undefined ? {} : { out }),
    ...(lanes ? { lanes } : {}),
    ...(classes.length > 0 ? { classes } : {}),
  }
}
