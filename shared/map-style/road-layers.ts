import { byProperty, byZoom, type Expression, isOneOf, type StyleLayer } from "./expressions.ts"
import type { StreetPalette } from "./palette.ts"

/** Pixels at zoom 6, 10, 12, 14, 16 and 19. */
const widths: Readonly<Record<string, readonly number[]>> = {
  motorway: [0.8, 1.8, 3, 5.5, 11, 30],
  trunk: [0.6, 1.6, 2.8, 5.2, 10.5, 28],
  primary: [0.3, 1.2, 2.3, 4.8, 10, 26],
  secondary: [0, 0.8, 1.9, 4.2, 9, 24],
  tertiary: [0, 0.4, 1.4, 3.6, 8, 22],
  minor: [0, 0, 0.7, 2.5, 6.5, 19],
  pedestrian: [0, 0, 0.4, 1.8, 5, 14],
  service: [0, 0, 0.2, 1.2, 3.4, 10],
}
const zooms = [6, 10, 12, 14, 16, 19] as const
/** Added on both sides together, for the edge of a road. */
const edges = [0, 0.8, 1, 1.4, 2, 2.6] as const
const linkShare: Expression = ["case", ["has", "link"], 0.65, 1]

function width(withEdge: boolean): Expression {
  return byZoom(
    1.5,
    ...zooms.map((zoom, index): readonly [number, unknown] => {
      const byClass = byProperty(
        "class",
        Object.fromEntries(Object.entries(widths).map(([name, values]) => [name, values[index] ?? 0])),
        0,
      )
      const scaled: Expression = ["*", byClass, linkShare]
      return [zoom, withEdge ? ["+", scaled, edges[index]] : scaled]
    }),
  )
}

const drivable = isOneOf("class", ...Object.keys(widths))
const footways = isOneOf("class", "path", "steps", "track")
const structures: readonly (readonly [name: string, filter: Expression])[] = [
  ["tunnel", ["==", ["get", "structure"], "tunnel"]],
  ["ground", ["!", ["has", "structure"]]],
  ["bridge", ["==", ["get", "structure"], "bridge"]],
]
const round = { "line-cap": "round", "line-join": "round" }

/** Roads, with those in tunnels beneath and those on bridges above the others. */
export function roadLayers(palette: StreetPalette): StyleLayer[] {
  const { roads, casings } = palette
  const fill = byProperty(
    "class",
    {
      motorway: roads.major,
      trunk: roads.major,
      primary: roads.main,
      secondary: roads.main,
      tertiary: roads.minor,
      minor: roads.minor,
    },
    roads.quiet,
  )
  const edge = byProperty(
    "class",
    { motorway: casings.major, trunk: casings.major, primary: casings.main, secondary: casings.main },
    casings.minor,
  )
  return structures.flatMap(([name, filter]): StyleLayer[] => {
    const isTunnel = name === "tunnel"
    return [
      {
        id: `road-edge-${name}`,
        type: "line",
        "source-layer": "road",
        minzoom: 9,
        filter: ["all", filter, drivable],
        layout: name === "bridge" ? { "line-join": "round" } : round,
        paint: {
          "line-color": edge,
          "line-width": width(true),
          "line-opacity": byZoom(1, [11, byProperty("class", edgeFromStart, 0)], [13, 1]),
          ...(isTunnel ? { "line-dasharray": [0.6, 0.4] } : {}),
        },
      },
      {
        id: `path-${name}`,
        type: "line",
        "source-layer": "road",
        minzoom: 14,
        filter: ["all", filter, footways],
        paint: {
          "line-color": palette.path,
          "line-width": byZoom(1.4, [14, 0.6], [16, 1.2], [19, 3]),
          "line-dasharray": [2, 1.2],
          "line-opacity": isTunnel ? 0.4 : 0.85,
        },
      },
      {
        id: `road-${name}`,
        type: "line",
        "source-layer": "road",
        filter: ["all", filter, drivable],
        layout: round,
        paint: { "line-color": isTunnel ? palette.tunnel : fill, "line-width": width(false) },
      },
    ]
  })
}

/** At small scales only main roads have an edge; the others would turn grey. */
const edgeFromStart = { motorway: 1, trunk: 1, primary: 0.8, secondary: 0.6 }

export function transitLayers(palette: StreetPalette): StyleLayer[] {
  const railWidth = byZoom(1.4, [9, 0.6], [14, 1.6], [18, 5])
  return [
    {
      id: "rail",
      type: "line",
      "source-layer": "transit",
      filter: ["==", ["get", "class"], "rail"],
      paint: {
        "line-color": palette.rail,
        "line-width": railWidth,
        "line-opacity": ["case", ["has", "structure"], 0.4, 1],
      },
    },
    {
      id: "rail-gap",
      type: "line",
      "source-layer": "transit",
      minzoom: 13,
      filter: ["all", ["==", ["get", "class"], "rail"], ["!", ["has", "structure"]]],
      paint: {
        "line-color": palette.railGap,
        "line-width": byZoom(1.4, [13, 0.6], [18, 3]),
        "line-dasharray": [4, 4],
      },
    },
    {
      id: "ferry",
      type: "line",
      "source-layer": "transit",
      filter: isOneOf("class", "ferry", "aerialway"),
      paint: {
        "line-color": palette.waterName,
        "line-width": 1,
        "line-dasharray": [4, 3],
        "line-opacity": 0.7,
      },
    },
  ]
}

export function runwayLayers(palette: StreetPalette): StyleLayer[] {
  return [
    {
      id: "runway",
      type: "line",
      "source-layer": "transit",
      filter: isOneOf("class", "runway", "taxiway"),
      paint: {
        "line-color": palette.land.apron,
        "line-width": byZoom(
          2,
          [10, byProperty("class", { runway: 1.5 }, 0.5)],
          [15, byProperty("class", { runway: 18 }, 6)],
          [18, byProperty("class", { runway: 120 }, 40)],
        ),
      },
    },
  ]
}
