import { defaultGeoLimits, type GeoFile, GeoFileError, type GeoFormat, type GeoLimits } from "./feature.ts"
import { readGeoJson } from "./read-geojson.ts"
import { readGpx } from "./read-gpx.ts"
import { readKml } from "./read-kml.ts"

const readers = { geojson: readGeoJson, gpx: readGpx, kml: readKml }

/** Reads GPX, KML or GeoJSON; the content decides which. Throws GeoFileError for a file that is refused as a whole. */
export function readGeoFile(bytes: Uint8Array, given: Partial<GeoLimits> = {}): GeoFile {
  const limits = { ...defaultGeoLimits, ...given }
  if (bytes.length === 0) throw new GeoFileError("empty-file", "The file is empty")
  if (bytes.length > limits.maxBytes) {
    const megabytes = Math.floor(limits.maxBytes / 1024 ** 2)
    throw new GeoFileError("too-large", `The file is too large: more than ${megabytes} MB`)
  }
  const text = decode(bytes)
  const format = geoFormatOf(text.slice(0, 4096))
  if (!format) throw new GeoFileError("wrong-type", "The file is not GPX, KML or GeoJSON")
  return { format, ...readers[format](text, limits) }
}

/** By the first characters of a file; undefined for anything else. JSON counts as GeoJSON. */
export function geoFormatOf(start: string): GeoFormat | undefined {
  const text = start.replace(/^\uFEFF/, "").trimStart()
  if (/^\{/.test(text)) return "geojson"
  if (!text.startsWith("<")) return undefined
  const root = /<(?:\w+:)?(gpx|kml)[\s>]/.exec(text)
  return root?.[1] === "gpx" ? "gpx" : root ? "kml" : undefined
}

const encodings = /^(utf-8|us-ascii|iso-8859-\d{1,2}|windows-125\d|utf-16(le|be)?)$/i

/** UTF-8 unless a byte order mark or the XML declaration says otherwise. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  const mark =
    first === 0xff && second === 0xfe
      ? "utf-16le"
      : first === 0xfe && second === 0xff
        ? "utf-16be"
        : undefined
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 200))
  const declared = /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w-]{1,20})["']/.exec(start)?.[1]
  const encoding = mark ?? declared ?? "utf-8"
  if (!encodings.test(encoding))
    throw new GeoFileError("wrong-type", `The encoding ${encoding} is not supported. Save the file as UTF-8`)
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    throw new GeoFileError("damaged", `The file is not valid ${encoding}`, { cause: error })
  }
}
