import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { trimEndOf } from "#packages/text/trim-characters.ts"

/** One request to an OSRM-compatible table service. Null where the service finds no route. */
export interface RoadBlock {
  distances: (number | null)[][]
  durations: (number | null)[][]
}

export class RoadServiceError extends Error {
  /** The service does not take the option `exclude`. */
  readonly refusesExclude: boolean
  constructor(message: string, refusesExclude = false) {
    super(message)
    this.refusesExclude = refusesExclude
  }
}

/**
 * Metres and seconds from each source to each destination.
 * @throws RoadServiceError for anything but a complete, valid response
 */
export async function askRoadTable(
  serviceUrl: string,
  sources: readonly LngLat[],
  destinations: readonly LngLat[],
  {
    profile,
    avoidsToll,
    signal,
    timeoutMilliseconds,
  }: { profile: string; avoidsToll: boolean; signal: AbortSignal; timeoutMilliseconds: number },
): Promise<RoadBlock> {
  const places = [...sources, ...destinations].map((position) => position.join(",")).join(";")
  const query = new URLSearchParams({
    annotations: "distance,duration",
    sources: sources.map((_, index) => index).join(";"),
    destinations: destinations.map((_, index) => sources.length + index).join(";"),
    ...(avoidsToll ? { exclude: "toll" } : {}),
  })
  const url = `${trimEndOf(serviceUrl, "/")}/table/v1/${profile}/${places}?${query}`
  let response: { code?: unknown; message?: unknown; distances?: unknown; durations?: unknown }
  try {
    const limit = AbortSignal.timeout(timeoutMilliseconds)
    const reply = await fetch(url, { signal: AbortSignal.any([signal, limit]), redirect: "error" })
    response = ((await reply.json()) ?? {}) as typeof response
  } catch (error) {
    throw new RoadServiceError(error instanceof Error ? error.message : String(error))
  }
  if (response.code !== "Ok") {
    const refusesExclude =
      avoidsToll && (response.code === "InvalidValue" || response.code === "InvalidOptions")
    throw new RoadServiceError(`it responded ${String(response.code ?? "something else")}`, refusesExclude)
  }
  return {
    distances: readBlock(response.distances, sources.length, destinations.length),
    durations: readBlock(response.durations, sources.length, destinations.length),
  }
}

function readBlock(value: unknown, rows: number, columns: number): (number | null)[][] {
  if (!Array.isArray(value) || value.length !== rows)
    throw new RoadServiceError("it responded without a full table")
  return value.map((row: unknown) => {
    if (!Array.isArray(row) || row.length !== columns)
      throw new RoadServiceError("it responded without a full table")
    return row.map((cell: unknown) => {
      if (cell === null) return null
      if (typeof cell !== "number" || !(cell >= 0) || cell > 1e8)
        throw new RoadServiceError("it returned an invalid distance or time")
      return cell
    })
  })
}
