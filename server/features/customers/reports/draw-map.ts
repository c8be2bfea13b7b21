import type PDFDocument from "pdfkit"
import { type ReadFeature, readTile } from "#packages/vector-tiles/index.ts"
import { streetPalettes } from "#shared/map-style/palette.ts"
import { mapHeight, mapWidth, tileSize } from "./map-size.ts"
import type { ReportMap } from "./report-content.ts"

type Document = InstanceType<typeof PDFDocument>

/** Where a name is written along a street, from left to right. */
export interface StreetName {
  text: string
  x: number
  y: number
  degrees: number
  length: number
}

const palette = streetPalettes.light

/** Width in points and colours of streets by class, from the least important. */
const streets: readonly (readonly [
  classes: readonly string[],
  width: number,
  color: string,
  casing: string,
])[] = [
  [["path", "steps", "track"], 0.7, palette.path, ""],
  [["service", "pedestrian"], 2, palette.roads.quiet, palette.casings.minor],
  [["minor"], 3.4, palette.roads.minor, palette.casings.minor],
  [["tertiary", "secondary"], 4.4, palette.roads.main, palette.casings.main],
  [["primary", "trunk", "motorway"], 5.4, palette.roads.major, palette.casings.major],
]

/** Draws the tiles with their middle at the place, clipped to the map's frame, and returns the streets' names. */
export function drawMap(document: Document, map: ReportMap, left: number, top: number): StreetName[] {
  const xOf = (x: number) => left + mapWidth / 2 + (x - map.x) * tileSize
  const yOf = (y: number) => top + mapHeight / 2 + (y - map.y) * tileSize
  document.save()
  document.rect(left, top, mapWidth, mapHeight).clip()
  document.rect(left, top, mapWidth, mapHeight).fill(palette.ground)
  for (const { x, y, kind, content } of map.tiles)
    if (kind === "picture")
      document.image(Buffer.from(content), xOf(x), yOf(y), { width: tileSize, height: tileSize })
  const layers = new Map<string, PlacedFeature[]>()
  for (const { x, y, kind, content } of map.tiles) {
    if (kind !== "vector") continue
    for (const [name, features] of readTile(content))
      for (const { properties, parts } of features) {
        const placed = parts.map((part) =>
          part.map((value, at) => (at % 2 === 0 ? xOf(x + value) : yOf(y + value))),
        )
        layers.set(name, [...(layers.get(name) ?? []), { properties, parts: placed }])
      }
  }
  const layer = (name: string) => layers.get(name) ?? []
  for (const feature of layer("land"))
    fillArea(document, feature, palette.land[String(feature.properties.class)] ?? palette.ground)
  for (const feature of layer("water")) fillArea(document, feature, palette.water)
  strokeLines(document, layer("waterway"), 1.5, palette.water)
  for (const feature of layer("building")) fillArea(document, feature, palette.building)
  strokeLines(document, layer("transit"), 0.8, palette.rail)
  const roads = layer("road")
  for (const [classes, width, color, casing] of streets) {
    const ofClass = roads.filter(({ properties }) => classes.includes(String(properties.class)))
    if (casing !== "") strokeLines(document, ofClass, width + 1, casing)
    strokeLines(document, ofClass, width, color)
  }
  const [x, y] = [xOf(map.x), yOf(map.y)]
  document.circle(x, y, 7).fill("#ffffff")
  document.circle(x, y, 5.5).fill("#c92a2a")
  document.restore()
  return namesOf(roads, { left, top })
}

type PlacedFeature = Pick<ReadFeature, "properties" | "parts">

function trace(document: Document, part: readonly number[]): void {
  document.moveTo(part[0] ?? 0, part[1] ?? 0)
  for (let at = 2; at + 1 < part.length; at += 2) document.lineTo(part[at] ?? 0, part[at + 1] ?? 0)
}

function fillArea(document: Document, { parts }: PlacedFeature, color: string): void {
  const rings = parts.filter((part) => part.length >= 6)
  for (const ring of rings) {
    trace(document, ring)
    document.closePath()
  }
  if (rings.length > 0) document.fill(color, "even-odd")
}

function strokeLines(
  document: Document,
  features: readonly PlacedFeature[],
  width: number,
  color: string,
): void {
  const lines = features.flatMap(({ parts }) => parts.filter((part) => part.length >= 4))
  if (lines.length === 0) return
  document.lineWidth(width).lineJoin("round").lineCap("round").strokeColor(color)
  for (const line of lines) trace(document, line)
  document.stroke()
}

/** Each name once, on its longest straight piece within the frame. */
function namesOf(
  roads: readonly PlacedFeature[],
  { left, top }: { left: number; top: number },
): StreetName[] {
  const longest = new Map<string, StreetName>()
  const inside = (x: number, y: number) =>
    x > left + 8 && x < left + mapWidth - 8 && y > top + 8 && y < top + mapHeight - 8
  for (const { properties, parts } of roads) {
    const { name } = properties
    if (typeof name !== "string" || name === "") continue
    for (const part of parts)
      for (let at = 0; at + 3 < part.length; at += 2) {
        const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = part.slice(at, at + 4)
        if (!inside(x1, y1) || !inside(x2, y2)) continue
        const length = Math.hypot(x2 - x1, y2 - y1)
        if (length <= (longest.get(name)?.length ?? 0)) continue
        const isForwards = x2 >= x1
        const degrees = (Math.atan2(isForwards ? y2 - y1 : y1 - y2, Math.abs(x2 - x1)) * 180) / Math.PI
        longest.set(name, { text: name, x: (x1 + x2) / 2, y: (y1 + y2) / 2, degrees, length })
      }
  }
  return [...longest.values()]
}
