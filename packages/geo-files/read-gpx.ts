import { type GeoFeature, type GeoLimits, type GeoTrack, type GeoValue, geoCounter } from "./feature.ts"
import { altitudeOf, BadCoordinates, positionOf } from "./geometry.ts"
import { childrenOf, scanXml, textOf, type XmlElement } from "./scan-xml.ts"
import { instantOf, trackBuilder } from "./track-builder.ts"

const units = new Set(["wpt", "rtept", "trkpt", "metadata", "extensions"])

/** GPX 1.0 and 1.1: waypoints and the points of routes are places, tracks are movements. */
export function readGpx(
  text: string,
  limits: GeoLimits,
): { features: GeoFeature[]; tracks: readonly GeoTrack[] } {
  const count = geoCounter(limits)
  const features: GeoFeature[] = []
  const tracks: GeoTrack[] = []
  let track = trackBuilder(count)
  let route = ""
  scanXml(text, limits, {
    isUnit: (name, around) => units.has(name) || (name === "name" && isTrackOrRoute(around)),
    open(name) {
      if (name === "rte") route = ""
      if (name === "trk") track = trackBuilder(count)
    },
    close(name) {
      if (name === "trk") tracks.push(track.build())
    },
    unit(element, around) {
      if (element.name === "wpt") features.push(placeOf(element, {}))
      if (element.name === "rtept") features.push(placeOf(element, route === "" ? {} : { route }))
      if (element.name === "trkpt") addPoint(element)
      if (element.name !== "name") return
      if (around.at(-1) === "trk") track.name = count.text(element.text.trim())
      else route = count.text(element.text.trim())
    },
  })
  return { features, tracks }

  function placeOf(element: XmlElement, more: Record<string, GeoValue>): GeoFeature {
    count.feature()
    count.position()
    const { lon, lat } = element.attributes
    const properties: Record<string, GeoValue> = { ...more }
    for (const name of ["time", "sym", "type", "cmt"]) {
      const value = count.text(textOf(element, name))
      if (value !== "") properties[name] = value
    }
    for (const { name, text } of childrenOf(element, "extensions").flatMap(leaves)) {
      const value = count.text(text.trim())
      if (value !== "") properties[name] ??= value
    }
    const about = {
      name: count.text(textOf(element, "name")),
      description: count.text(textOf(element, "desc")),
      properties,
    }
    try {
      const coordinates = positionOf(lon, lat, textOf(element, "ele"))
      return { ...about, geometries: [{ type: "Point", coordinates }] }
    } catch (error) {
      if (!(error instanceof BadCoordinates)) throw error
      return { ...about, geometries: [], problem: error.message }
    }
  }

  function addPoint(element: XmlElement): void {
    const { lon, lat } = element.attributes
    const extensions = new Map(
      childrenOf(element, "extensions")
        .flatMap(leaves)
        .map((leaf) => [leaf.name, Number(leaf.text)]),
    )
    track.add(lon, lat, {
      recordedAt: instantOf(textOf(element, "time")),
      altitudeMeters: altitudeOf(textOf(element, "ele")),
      // GPX 1.0 has speed and course as elements of the point.
      speedMetersPerSecond: extensions.get("speed") ?? numberOf(textOf(element, "speed")),
      bearingDegrees: extensions.get("course") ?? numberOf(textOf(element, "course")),
    })
  }
}

function isTrackOrRoute(around: readonly string[]): boolean {
  const parent = around.at(-1)
  return parent === "trk" || parent === "rte"
}

function leaves(element: XmlElement): XmlElement[] {
  return element.children.length === 0 ? [element] : element.children.flatMap(leaves)
}

function numberOf(text: string): number | undefined {
  return text === "" ? undefined : Number(text)
}
