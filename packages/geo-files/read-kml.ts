import {
  type GeoFeature,
  type GeoLimits,
  type Geometry,
  type GeoPosition,
  type GeoTrack,
  type GeoValue,
  geoCounter,
} from "./feature.ts"
import { BadCoordinates, lineOf, positionOf, ringOf } from "./geometry.ts"
import { childOf, childrenOf, scanXml, textOf, type XmlElement } from "./scan-xml.ts"
import { instantOf, trackBuilder } from "./track-builder.ts"

const collections = new Set(["MultiGeometry", "MultiTrack"])

/**
 * KML 2.2: placemarks with their points, lines and areas; tracks (gx:Track) are movements. Links to other files and
 * images are ignored, never loaded.
 */
export function readKml(
  text: string,
  limits: GeoLimits,
): { features: GeoFeature[]; tracks: readonly GeoTrack[] } {
  const count = geoCounter(limits)
  const features: GeoFeature[] = []
  const tracks: GeoTrack[] = []
  const folders: string[] = []
  const colors = new Map<string, string>()
  scanXml(text, limits, {
    isUnit: (name, around) =>
      name === "Placemark" || name === "Style" || (name === "name" && around.at(-1) === "Folder"),
    open(name) {
      if (name === "Folder") folders.push("")
    },
    close(name) {
      if (name === "Folder") folders.pop()
    },
    unit(element) {
      if (element.name === "name") {
        folders[folders.length - 1] = count.text(element.text.trim())
        return
      }
      if (element.name === "Style") {
        colors.set(element.attributes.id ?? "", colorOf(element))
        return
      }
      const own = tracksOf(element)
      for (const track of own) tracks.push(track)
      const shapes = shapesOf(element)
      if (own.length === 0 || shapes.length > 0) features.push(featureOf(element, shapes))
    },
  })
  return { features, tracks }

  function featureOf(element: XmlElement, shapes: readonly XmlElement[]): GeoFeature {
    count.feature()
    const about = {
      name: count.text(textOf(element, "name")),
      description: count.text(textOf(element, "description")),
      properties: propertiesOf(element),
    }
    try {
      return { ...about, geometries: shapes.map(geometryOf) }
    } catch (error) {
      if (!(error instanceof BadCoordinates)) throw error
      return { ...about, geometries: [], problem: error.message }
    }
  }

  function propertiesOf(element: XmlElement): Record<string, GeoValue> {
    const properties: Record<string, GeoValue> = {}
    const set = (key: string, value: string) => {
      if (key !== "" && value !== "") properties[count.text(key)] ??= count.text(value)
    }
    const folder = folders.filter((name) => name !== "").join(" / ")
    for (const name of ["address", "phoneNumber"]) set(name, textOf(element, name))
    const time = childOf(element, "TimeStamp")
    if (time) set("time", textOf(time, "when"))
    const data = childOf(element, "ExtendedData")
    for (const entry of data?.children ?? []) {
      if (entry.name === "Data") set(entry.attributes.name?.trim() ?? "", textOf(entry, "value"))
      for (const simple of childrenOf(entry, "SimpleData"))
        set(simple.attributes.name?.trim() ?? "", simple.text.trim())
    }
    set("folder", folder)
    const style = childOf(element, "Style")
    set("color", style ? colorOf(style) : (colors.get(textOf(element, "styleUrl").replace(/^#/, "")) ?? ""))
    return properties
  }

  function geometryOf(shape: XmlElement): Geometry {
    if (shape.name === "Point") {
      const [coordinates] = positionsOf(shape)
      if (!coordinates) throw new BadCoordinates("a point has no coordinates")
      return { type: "Point", coordinates }
    }
    if (shape.name !== "Polygon") return { type: "LineString", coordinates: lineOf(positionsOf(shape)) }
    const borders = [...childrenOf(shape, "outerBoundaryIs"), ...childrenOf(shape, "innerBoundaryIs")]
    const rings = borders.flatMap((border) => childrenOf(border, "LinearRing"))
    if (rings.length === 0) throw new BadCoordinates("an area has no corners")
    return { type: "Polygon", coordinates: rings.map((ring) => ringOf(positionsOf(ring))) }
  }

  function positionsOf(shape: XmlElement): GeoPosition[] {
    const tuples = textOf(shape, "coordinates").split(/\s+/)
    return tuples
      .filter((tuple) => tuple !== "")
      .map((tuple) => {
        count.position()
        const [lng, lat, altitude] = tuple.split(",")
        return positionOf(lng, lat, altitude)
      })
  }

  function tracksOf(element: XmlElement): GeoTrack[] {
    return element.children.flatMap((child) => {
      if (collections.has(child.name)) return tracksOf(child)
      if (child.name !== "Track") return []
      const track = trackBuilder(count)
      track.name = count.text(textOf(element, "name"))
      const times = childrenOf(child, "when")
      for (const [index, { text: coordinates }] of childrenOf(child, "coord").entries()) {
        const [lng, lat, altitude] = coordinates.trim().split(/\s+/)
        const recordedAt = instantOf(times[index]?.text ?? "")
        const metres = altitude === undefined ? undefined : Number(altitude)
        track.add(lng, lat, { recordedAt, altitudeMeters: Number.isFinite(metres) ? metres : undefined })
      }
      return [track.build()]
    })
  }
}

/** `#rrggbb` of a style's areas, else of its lines; KML has alpha, blue, green, red. */
function colorOf(style: XmlElement): string {
  const parts = ["PolyStyle", "LineStyle"].flatMap((name) => childrenOf(style, name))
  const [, blue, green, red] =
    parts
      .map((part) => /^[0-9a-f]{2}([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(textOf(part, "color")))
      .find((match) => match !== null) ?? []
  return blue === undefined ? "" : `#${red}${green}${blue}`.toLowerCase()
}

function shapesOf(element: XmlElement): XmlElement[] {
  return element.children.flatMap((child) => {
    if (collections.has(child.name)) return shapesOf(child)
    return ["Point", "LineString", "LinearRing", "Polygon"].includes(child.name) ? [child] : []
  })
}
