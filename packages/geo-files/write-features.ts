import type { Geometry, GeoPosition } from "./feature.ts"
import { degrees, pieceLength } from "./track.ts"
import { escapeXml } from "./xml-text.ts"

/** A place, line or area as it is written. Values are shown as text, in this order. */
export interface WrittenFeature {
  readonly name: string
  readonly description?: string | undefined
  readonly geometry: Geometry
  readonly values: readonly { readonly key: string; readonly title: string; readonly text: string }[]
}

type Features = Iterable<WrittenFeature> | AsyncIterable<WrittenFeature>

/** KML 2.2 as pieces of text: a placemark per feature, its values as extended data. */
export function writeFeaturesAsKml(features: Features, title: string): AsyncGenerator<string> {
  const before =
    '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">\n' +
    `<Document><name>${escapeXml(title)}</name>\n`
  return pieces(before, features, placemark, "</Document>\n</kml>\n")
}

/** GPX 1.1 as pieces of text: a waypoint per point. GPX has no areas; lines and areas are left out. */
export function writeFeaturesAsGpx(features: Features, title: string): AsyncGenerator<string> {
  const before =
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<gpx version="1.1" creator="Fieldway" xmlns="http://www.topografix.com/GPX/1/1">\n' +
    `<metadata><name>${escapeXml(title)}</name></metadata>\n`
  return pieces(before, features, waypoint, "</gpx>\n")
}

async function* pieces(
  before: string,
  features: Features,
  write: (feature: WrittenFeature) => string,
  after: string,
): AsyncGenerator<string> {
  let piece = before
  for await (const feature of features) {
    piece += write(feature)
    if (piece.length < pieceLength) continue
    yield piece
    piece = ""
  }
  yield piece + after
}

function placemark({ name, description, geometry, values }: WrittenFeature): string {
  const data = values
    .filter(({ text }) => text !== "")
    .map(
      ({ key, title, text }) =>
        `<Data name="${escapeXml(key)}"><displayName>${escapeXml(title)}</displayName>` +
        `<value>${escapeXml(text)}</value></Data>`,
    )
  return (
    `<Placemark><name>${escapeXml(name)}</name>` +
    (description ? `<description>${escapeXml(description)}</description>` : "") +
    (data.length > 0 ? `<ExtendedData>${data.join("")}</ExtendedData>` : "") +
    `${kmlGeometry(geometry)}</Placemark>\n`
  )
}

function kmlGeometry(geometry: Geometry): string {
  if (geometry.type === "Point") return `<Point>${kmlCoordinates([geometry.coordinates])}</Point>`
  if (geometry.type === "LineString")
    return `<LineString>${kmlCoordinates(geometry.coordinates)}</LineString>`
  const rings = geometry.coordinates.map((ring, index) => {
    const border = index === 0 ? "outerBoundaryIs" : "innerBoundaryIs"
    return `<${border}><LinearRing>${kmlCoordinates(ring)}</LinearRing></${border}>`
  })
  return `<Polygon>${rings.join("")}</Polygon>`
}

function kmlCoordinates(positions: readonly GeoPosition[]): string {
  const texts = positions.map(([lng, lat, altitude]) => {
    const height = altitude === undefined ? "" : `,${altitude}`
    return `${degrees(lng)},${degrees(lat)}${height}`
  })
  return `<coordinates>${texts.join(" ")}</coordinates>`
}

function waypoint({ name, description, geometry, values }: WrittenFeature): string {
  if (geometry.type !== "Point") return ""
  const [lng, lat, altitude] = geometry.coordinates
  const shown = values.filter(({ text }) => text !== "").map(({ title, text }) => `${title}: ${text}`)
  const lines = description ? [description, ...shown] : shown
  return (
    `<wpt lat="${degrees(lat)}" lon="${degrees(lng)}">` +
    (altitude === undefined ? "" : `<ele>${altitude}</ele>`) +
    `<name>${escapeXml(name)}</name>` +
    (lines.length > 0 ? `<desc>${escapeXml(lines.join("\n"))}</desc>` : "") +
    "</wpt>\n"
  )
}
