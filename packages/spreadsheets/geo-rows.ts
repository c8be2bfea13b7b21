import type { FileHandle } from "node:fs/promises"
import { defaultGeoLimits, type GeoFeature, GeoFileError } from "../geo-files/feature.ts"
import { placeOfGeometries } from "../geo-files/geometry.ts"
import { geoFormatOf, readGeoFile } from "../geo-files/read-geo-file.ts"
import { formatLatLng } from "../geodesy/lng-lat-text.ts"
import { type Cell, emptyCell, falseCell, type SheetRow, textCell, trueCell } from "./cell.ts"
import { readExactly } from "./file-bytes.ts"
import { headerKey } from "./headers.ts"
import type { SheetLimits } from "./limits.ts"
import { type SuspectFileCode, SuspectFileError } from "./suspect-file.ts"
import type { ZipEntry } from "./xlsx/zip-directory.ts"
import { readZipPartText } from "./xlsx/zip-part.ts"

export type GeoSheetFormat = "gpx" | "kml" | "geojson"

/** A file of places as a sheet: a header, then a row for each place, line or area, in the order of the file. */
export interface GeoSheet {
  readonly format: GeoSheetFormat
  read(): AsyncGenerator<SheetRow>
}

/** Columns that every such sheet has; what the file has in addition follows in columns of its own names. */
const fixedTitles = ["Name", "Description", "Coordinate", "Shape"]

/** True for the first bytes of GPX, KML or anything that could be GeoJSON. */
export function isGeoStart(start: Buffer): boolean {
  return geoFormatOf(start.toString("utf8")) !== undefined || isWide(start)
}

/** UTF-16 with a mark: the reader finds out what it is. CSV in UTF-16 does not begin with a bracket. */
function isWide(start: Buffer): boolean {
  const encoding = start[0] === 0xff && start[1] === 0xfe ? "utf-16le" : undefined
  return encoding !== undefined && geoFormatOf(new TextDecoder(encoding).decode(start)) !== undefined
}

export async function openGeoSheet(file: FileHandle, size: number, limits: SheetLimits): Promise<GeoSheet> {
  if (size > defaultGeoLimits.maxBytes)
    throw new SuspectFileError("file-too-large", `more than ${defaultGeoLimits.maxBytes / 1024 ** 2} MB`)
  return sheetOf(await readExactly(file, 0, size), limits)
}

/** The document of a .kmz, a zip archive; undefined for other archives. */
export async function openKmzSheet(
  file: FileHandle,
  parts: ReadonlyMap<string, ZipEntry>,
  limits: SheetLimits,
): Promise<GeoSheet | undefined> {
  const documents = [...parts].filter(([name]) => /\.kml$/i.test(name))
  const [, part] = documents.find(([name]) => name.toLowerCase() === "doc.kml") ?? documents[0] ?? []
  if (!part) return undefined
  return sheetOf(Buffer.from(await readZipPartText(file, part, defaultGeoLimits.maxBytes)), limits)
}

const codes: Partial<Record<GeoFileError["code"], SuspectFileCode>> = {
  "empty-file": "empty-file",
  "wrong-type": "wrong-type",
  entities: "xml-entities",
  "too-large": "file-too-large",
  "too-many-features": "too-many-rows",
  "text-too-long": "cell-too-long",
}

function sheetOf(bytes: Buffer, limits: SheetLimits): GeoSheet {
  try {
    const maxFeatures = Math.min(defaultGeoLimits.maxFeatures, limits.maxRows - 1)
    const { format, features, tracks } = readGeoFile(bytes, {
      maxFeatures,
      maxTextLength: limits.maxCellLength,
    })
    if (features.length === 0 && tracks.length > 0)
      throw new SuspectFileError(
        "wrong-type",
        "it contains only recorded tracks, no places. Import it as positions of a person",
      )
    const keys = propertyKeys(features)
    if (keys.length + fixedTitles.length > limits.maxColumns) throw new SuspectFileError("too-many-columns")
    return { format, read: () => rowsOf(features, keys) }
  } catch (error) {
    if (!(error instanceof GeoFileError)) throw error
    const suspect = new SuspectFileError(codes[error.code] ?? "damaged", undefined, { cause: error })
    suspect.message = error.message
    throw suspect
  }
}

function propertyKeys(features: readonly GeoFeature[]): string[] {
  const keys = new Set<string>()
  for (const { properties } of features) for (const key of Object.keys(properties)) keys.add(key)
  return [...keys]
}

async function* rowsOf(features: readonly GeoFeature[], keys: readonly string[]): AsyncGenerator<SheetRow> {
  yield { rowNumber: 1, cells: titlesOf(keys).map(textCell) }
  for (const [index, feature] of features.entries()) {
    const { name, description, geometries, problem, properties } = feature
    const place = placeOfGeometries(geometries)
    const coordinate = place ? formatLatLng([place[0], place[1]]) : (problem ?? "")
    const own = keys.map((key) => cellOf(Object.hasOwn(properties, key) ? properties[key] : undefined))
    const shape = geometries[0]?.type ?? ""
    yield {
      rowNumber: index + 2,
      cells: [textCell(name), textCell(description), textCell(coordinate), textCell(shape), ...own],
    }
  }
}

/** Unique without regard to case, as a sheet to be mapped needs them. */
function titlesOf(keys: readonly string[]): string[] {
  const seen = new Set(fixedTitles.map(headerKey))
  return [
    ...fixedTitles,
    ...keys.map((key) => {
      let title = key.trim() || "?"
      for (let number = 2; seen.has(headerKey(title)); number++) title = `${key.trim()} (${number})`
      seen.add(headerKey(title))
      return title
    }),
  ]
}

function cellOf(value: string | number | boolean | undefined): Cell {
  if (value === undefined) return emptyCell
  if (typeof value === "string") return textCell(value)
  if (typeof value === "boolean") return value ? trueCell : falseCell
  return { kind: "number", value, text: String(value) }
}
