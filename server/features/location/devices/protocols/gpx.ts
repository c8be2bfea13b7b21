import { setImmediate } from "node:timers/promises"
import { SaxesParser } from "saxes"
import {
  type DevicePosition,
  type DeviceReport,
  type RefusalReason,
  refuseAll,
  toPosition,
  toReport,
} from "./device-report.ts"
import { asNumber, asText, parseInstant } from "./device-values.ts"

export interface GpxLimits {
  readonly maxBytes: number
  readonly maxPositions: number
}

/** A week of one-second points is 600,000, and about 70 MB of GPX. */
export const gpxLimits: GpxLimits = { maxBytes: 64 * 1024 * 1024, maxPositions: 600_000 }

/** GPX nests about eight deep, with extensions of extensions. */
const maxDepth = 32
const maxTextLength = 256
/** Parsing a piece of this size takes about a millisecond; between two pieces others get their turn. */
const pieceBytes = 64 * 1024

/**
 * Reads the track points of a GPX file (1.0 or 1.1, UTF-8), from a body or as it arrives. Waypoints and routes are
 * plans, not positions of a person, and are left out. A point without time is refused by itself; a file that
 * is no well-formed GPX is refused as a whole, because nobody could say which part of it is meant.
 *
 * No document type is accepted, hence no entities; depth, size and number of points are bounded.
 */
export async function parseGpx(
  source: Uint8Array | AsyncIterable<Uint8Array>,
  limits: GpxLimits = gpxLimits,
): Promise<DeviceReport> {
  const outcomes: (DevicePosition | RefusalReason)[] = []
  const decoder = new TextDecoder("utf-8", { fatal: true })
  const parser = trackPointParser((outcome) => {
    if (outcomes.length >= limits.maxPositions)
      throw new GpxRefusal("too-many", `more than ${limits.maxPositions}`)
    outcomes.push(outcome)
  })
  let bytes = 0
  try {
    for await (const chunk of source instanceof Uint8Array ? [source] : source) {
      for (let from = 0; from < chunk.length; from += pieceBytes) {
        const piece = chunk.subarray(from, from + pieceBytes)
        bytes += piece.length
        if (bytes > limits.maxBytes) throw new GpxRefusal("too-many", `more than ${limits.maxBytes} bytes`)
        parser.write(decoder.decode(piece, { stream: true }))
        await setImmediate()
      }
    }
    parser.write(decoder.decode())
    parser.close()
  } catch (error) {
    if (error instanceof GpxRefusal) return refuseAll(error.reason, error.message)
    if (error instanceof TypeError && "code" in error && error.code === "ERR_ENCODING_INVALID_ENCODED_DATA") {
      return refuseAll("not-readable", "not UTF-8")
    }
    throw error
  }
  return toReport(outcomes, undefined)
}

/** Ends the parsing from inside a handler; never leaves this file. */
class GpxRefusal extends Error {
  readonly reason: RefusalReason
  constructor(reason: RefusalReason, detail: string) {
    super(detail)
    this.reason = reason
  }
}

/** The values of a track point that are of use, by their name without prefix. */
const pointFields = new Set("ele time speed course cog bearing accuracy hdop fix sat src cad hr".split(" "))

/** Feeds `onPoint` with each track point; throws GpxRefusal. */
function trackPointParser(onPoint: (outcome: DevicePosition | RefusalReason) => void): SaxesParser {
  const parser = new SaxesParser()
  let depth = 0
  /** The fields of the open track point. */
  let point: Map<string, string> | undefined
  /** Text of the open field. */
  let text: string | undefined
  parser.on("error", (error) => {
    throw new GpxRefusal("not-readable", error.message)
  })
  parser.on("doctype", () => {
    throw new GpxRefusal("not-readable", "a document type is not accepted")
  })
  parser.on("xmldecl", ({ encoding }) => {
    if (encoding !== undefined && !/^(utf-?8|us-ascii)$/i.test(encoding)) {
      throw new GpxRefusal("not-readable", `encoding ${encoding.slice(0, 40)} instead of UTF-8`)
    }
  })
  parser.on("opentag", ({ name, attributes }) => {
    const local = localName(name)
    depth++
    if (depth > maxDepth) throw new GpxRefusal("not-readable", `elements nested deeper than ${maxDepth}`)
    if (depth === 1 && local !== "gpx")
      throw new GpxRefusal("not-readable", `<${local.slice(0, 40)}> is not GPX`)
    if (local === "trkpt") {
      point = new Map([
        ["lat", attributes.lat ?? ""],
        ["lon", attributes.lon ?? ""],
      ])
    }
    text = point && pointFields.has(local) ? "" : undefined
  })
  const addText = (more: string) => {
    if (text !== undefined && text.length < maxTextLength) text += more.slice(0, maxTextLength)
  }
  parser.on("text", addText)
  parser.on("cdata", addText)
  parser.on("closetag", ({ name }) => {
    const local = localName(name)
    depth--
    // Extensions may repeat what is in the point itself; the first one counts.
    if (point && text !== undefined && !point.has(local)) point.set(local, text.trim())
    text = undefined
    if (local !== "trkpt" || !point) return
    onPoint(toTrackPoint(point))
    point = undefined
  })
  return parser
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1)
}

/** GPX has metres and metres per second. `hdop` is a factor and no distance, so it is no accuracy. */
function toTrackPoint(point: ReadonlyMap<string, string>): DevicePosition | RefusalReason {
  if (point.get("fix") === "none") return "no-fix"
  const number = (field: string) => asNumber(point.get(field))
  return toPosition({
    latitude: point.get("lat"),
    longitude: point.get("lon"),
    recordedAt: parseInstant(point.get("time")),
    speedMetersPerSecond: number("speed"),
    accuracyMeters: number("accuracy"),
    altitudeMeters: number("ele"),
    // Some watches write the name of the NMEA field.
    bearingDegrees: number("course") ?? number("cog") ?? number("bearing"),
    extras: {
      hdop: number("hdop"),
      satellites: number("sat"),
      source: asText(point.get("src")),
      heartRate: number("hr"),
      cadence: number("cad"),
    },
  })
}
