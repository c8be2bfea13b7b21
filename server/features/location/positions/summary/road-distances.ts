import { distanceMeters, type LngLat } from "#packages/geodesy/geodesy.ts"
import { trimEndOf } from "#packages/text/trim-characters.ts"
import { matchRoadLegs, type RoadSupply } from "../../roads/index.ts"

/** One leg: kilometres and minutes. */
export interface Leg {
  distance: number
  time: number
}

export interface LegBatch {
  status: boolean
  message: string
  data: Leg[]
}

export interface RoadPoint {
  position: LngLat
  /** Epoch milliseconds. */
  at: number
}

/** As many coordinates as public OSRM servers take in one request. */
const maxCoordinates = 100
const timeoutMilliseconds = 20_000

/**
 * The distance from each point to the next, by an OSRM-compatible engine or the roads of an installed map. Without one, and where it
 * fails, the great circle and the time that passed, and the message says so.
 */
export async function roadLegs(
  points: readonly RoadPoint[],
  roads: RoadSupply,
  signal?: AbortSignal,
): Promise<LegBatch[]> {
  const batches: LegBatch[] = []
  for (let start = 0; start + 1 < points.length; start += maxCoordinates - 1) {
    const part = points.slice(start, start + maxCoordinates)
    batches.push(
      typeof roads === "string"
        ? await askEngine(roads, part, signal)
        : ((roads && (await followRoads(roads, part, signal))) ?? {
            status: true,
            message:
              "Great-circle distances: no map with roads covers them, and no routing engine is configured",
            data: greatCircleLegs(part),
          }),
    )
  }
  return batches
}

async function askEngine(
  engineUrl: string,
  points: readonly RoadPoint[],
  signal: AbortSignal | undefined,
): Promise<LegBatch> {
  const path = points.map(({ position }) => position.join(",")).join(";")
  const timeout = AbortSignal.timeout(timeoutMilliseconds)
  try {
    const reply = await fetch(`${trimEndOf(engineUrl, "/")}/route/v1/driving/${path}?overview=false`, {
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      redirect: "error",
    })
    const response = (await reply.json()) as {
      code?: unknown
      routes?: { legs?: { distance?: unknown; duration?: unknown }[] }[]
    }
    const legs = response.routes?.[0]?.legs
    if (response.code !== "Ok" || legs?.length !== points.length - 1)
      throw new Error(`the engine returned ${String(response.code ?? reply.status)}`)
    const data = legs.map((leg) => ({
      distance: Number(leg.distance) / 1000,
      time: Number(leg.duration) / 60,
    }))
    if (data.some((leg) => !Number.isFinite(leg.distance) || !Number.isFinite(leg.time)))
      throw new Error("the engine returned no distances")
    return { status: true, message: "Success", data }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return {
      status: false,
      message: `Great-circle distances: the routing engine failed (${reason})`,
      data: greatCircleLegs(points),
    }
  }
}

/** Legs between positions that were matched to roads; undefined if no map covers them. */
async function followRoads(
  roads: Exclude<RoadSupply, string | undefined>,
  points: readonly RoadPoint[],
  signal: AbortSignal | undefined,
): Promise<LegBatch | undefined> {
  const matched = await matchRoadLegs(roads, points, signal)
  if (!matched) return undefined
  const straight = greatCircleLegs(points)
  const data = straight.map((leg, index): Leg => {
    const road = matched.legs[index]
    return road ? { distance: road.meters / 1000, time: road.seconds / 60 } : leg
  })
  const missing = matched.legs.filter((leg) => !leg).length
  const rest =
    missing > 0 ? `; great-circle distances for ${missing} of ${data.length} legs, off the roads` : ""
  return { status: true, message: `Road distances, map of ${matched.mapDate}${rest}`, data }
}

function greatCircleLegs(points: readonly RoadPoint[]): Leg[] {
  return points.slice(1).map((point, index) => {
    const before = points[index] ?? point
    return {
      distance: distanceMeters(before.position, point.position) / 1000,
      time: (point.at - before.at) / 60_000,
    }
  })
}
