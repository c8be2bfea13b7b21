import pLimit from "p-limit"
import { type Static, Type } from "typebox"
import { AppError } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ownedState } from "#core/owned-state.ts"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { findRoadLegs, modeOf, type RoadSupply, roadSupplyOf } from "../../../location/roads/index.ts"
import { resultErrors } from "../errors.ts"
import { findResult, type ResultRow } from "../queries.ts"
import { defaultSettings } from "../settings/settings.ts"
import { isTimeout, tooLate } from "./built-in-travel.ts"
import { askRoadLine, type LineOptions } from "./road-line.ts"
import { RoadServiceError } from "./road-table.ts"

const LineSchema = Type.Object({
  vehicleId: Type.String(),
  isRoad: Type.Boolean({ description: "False: straight lines between stops" }),
  coordinates: Type.Array(Type.Array(Type.Number()), { description: "Longitude, latitude" }),
  isLate: Type.Optional(
    Type.Boolean({ description: "The line along roads was not found in time: ask again" }),
  ),
})

/** For all vehicles of a plan together: a map does not wait longer for roads. */
const timeoutMilliseconds = 15_000
const requestsAtOnce = 4

/** The lines that vehicles drive, to be drawn. */
export function lineRoutes(app: App): void {
  app.get("/result/:resultId/lines", {
    config: { permission: "view/result" },
    schema: {
      operationId: "listRouteLines",
      summary: "Get the line of each vehicle, along roads where the road service finds a route",
      params: Type.Object({ resultId: IdSchema("result") }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          data: Type.Array(LineSchema),
          warnings: Type.Array(Type.String()),
        }),
      },
    },
    async handler({ sql, caller, params }) {
      const row = await findResult(sql, caller, params.resultId)
      if (!row) throw resultErrors.notFound()
      return {
        status: true as const,
        ...(await linesOf(
          row,
          roadSupplyOf({ config: app.settings, sql: app.sql, objects: app.objects }, caller.organizationId),
        )),
      }
    },
  })
}

type Line = Static<typeof LineSchema>

async function linesOf(row: ResultRow, roads: RoadSupply) {
  const settings = { ...defaultSettings, ...row.configuration }
  const lines = row.result.routing.map(({ vehicleId, trips }): Line => {
    const coordinates = trips.flatMap(({ coordinate }) => {
      const position = parseLatLng(coordinate ?? "")
      return position ? [[...position]] : []
    })
    return { vehicleId, isRoad: false, coordinates }
  })
  if (roads === undefined) return { data: lines, warnings: [] }
  if (typeof roads === "object" && !(await roads.maps.isAnyInstalled())) return { data: lines, warnings: [] }
  const options = {
    profile: settings.roadProfile,
    avoidsToll: settings.avoidToll,
    signal: AbortSignal.timeout(timeoutMilliseconds),
  }
  const open = lines.filter(({ coordinates }) => coordinates.length > 1)
  const failures: string[] = []
  const mapDates = new Set<string>()
  await pLimit(requestsAtOnce).map(open, async (line) => {
    try {
      const places = line.coordinates.map(([lng = 0, lat = 0]): LngLat => [lng, lat])
      const found = await lineThrough(roads, places, options)
      line.coordinates = found.line.map((place) => [...place])
      if (found.mapDate) mapDates.add(found.mapDate)
      line.isRoad = true
    } catch (error) {
      if (!(error instanceof RoadServiceError)) throw error
      failures.push(error.message)
      if (error.message === tooLate) line.isLate = true
    }
  })
  const warnings =
    failures.length > 0
      ? [`Straight lines for ${failures.length} vehicles: the road service failed: ${failures[0]}`]
      : []
  return { data: lines, warnings: [...warnings, ...[...mapDates].map((date) => `Roads: map of ${date}`)] }
}

/** @throws RoadServiceError */
async function lineThrough(
  roads: Exclude<RoadSupply, undefined>,
  places: readonly LngLat[],
  options: LineOptions,
): Promise<{ line: readonly LngLat[]; mapDate?: string }> {
  if (typeof roads === "string") return { line: await askRoadLine(roads, places, options) }
  const mode = modeOf(options.profile) ?? "car"
  const found = await Promise.race([
    builtInLine(roads, places, { mode, avoidTolls: options.avoidsToll }),
    endOf(options.signal),
  ]).catch((error: unknown) => {
    const isBusy = error instanceof AppError && error.http === 503
    throw isTimeout(error) || isBusy ? new RoadServiceError(tooLate) : error
  })
  if (!found) throw new RoadServiceError("no installed map covers all places")
  if ("problem" in found) throw new RoadServiceError(found.problem)
  return found
}

type BuiltInLine = ReturnType<typeof findRoadLegs>

/** Lines that are being found, and those of the last minute: a request that came too late is repeated, not begun again. */
const recentLinesOf = ownedState((_maps: object) => new Map<string, BuiltInLine>())
const keptMilliseconds = 60_000

function builtInLine(
  roads: Exclude<RoadSupply, string | undefined>,
  places: readonly LngLat[],
  options: Parameters<typeof findRoadLegs>[2],
): BuiltInLine {
  const key = JSON.stringify([roads.organizationId, options, places])
  const recentLines = recentLinesOf(roads.maps)
  const known = recentLines.get(key)
  if (known) return known
  const found = findRoadLegs(roads, places, options)
  recentLines.set(key, found)
  const evict = () => recentLines.delete(key)
  found.then(() => setTimeout(evict, keptMilliseconds).unref(), evict)
  return found
}

function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  })
}
