import { byProperty, byZoom, type Expression, isOneOf, mapFont, type StyleLayer } from "./expressions.ts"
import type { StreetPalette } from "./palette.ts"

/** Labels in the order in which they claim room: the last layer of a style is placed first. */
export function labelLayers(palette: StreetPalette): StyleLayer[] {
  const { text, halo } = palette
  const paint = (color: string, width = 1.4) => ({
    "text-color": color,
    "text-halo-color": halo,
    "text-halo-width": width,
  })
  return [
    {
      id: "house-numbers",
      type: "symbol",
      "source-layer": "house_number",
      minzoom: 17,
      layout: {
        "text-field": ["get", "number"],
        "text-font": mapFont,
        "text-size": byZoom(1, [17, 9], [19, 12]),
      },
      paint: paint(text.quiet, 1),
    },
    {
      id: "points-of-interest",
      type: "symbol",
      "source-layer": "poi",
      minzoom: 15,
      filter: ["any", [">=", ["zoom"], 17], ["<=", ["get", "rank"], 11]],
      layout: {
        "text-field": ["format", "●", { "font-scale": 0.7 }, "\n", {}, ["get", "name"], {}],
        "text-font": mapFont,
        "text-size": 11,
        "text-max-width": 8,
        "text-line-height": 1.1,
        "text-padding": 6,
        "symbol-sort-key": ["get", "rank"],
      },
      paint: paint(text.quiet),
    },
    ...oneWayArrows(palette),
    roadNames(
      "road-names-minor",
      isOneOf("class", "minor", "pedestrian", "service", "path", "steps"),
      14,
      10.5,
      text.road,
      halo,
    ),
    {
      id: "area-names",
      type: "symbol",
      "source-layer": "area_name",
      minzoom: 11,
      layout: {
        "text-field": ["get", "name"],
        "text-font": mapFont,
        "text-size": 11,
        "text-max-width": 7,
        "text-padding": 8,
      },
      paint: {
        ...paint(text.green),
        "text-color": byProperty(
          "class",
          {
            lake: palette.waterName,
            river: palette.waterName,
            wetland: palette.waterName,
            park: text.green,
            wood: text.green,
            cemetery: text.green,
          },
          text.quiet,
        ),
      },
    },
    {
      id: "water-names",
      type: "symbol",
      "source-layer": "waterway",
      minzoom: 12,
      filter: ["has", "name"],
      layout: {
        "symbol-placement": "line",
        "text-field": ["get", "name"],
        "text-font": mapFont,
        "text-size": 11,
        "text-letter-spacing": 0.08,
        "symbol-spacing": 400,
      },
      paint: paint(palette.waterName),
    },
    roadNames("road-names-tertiary", isOneOf("class", "tertiary"), 14, 11, text.road, halo),
    roadNames(
      "road-names-main",
      isOneOf("class", "motorway", "trunk", "primary", "secondary"),
      12,
      11.5,
      text.road,
      halo,
    ),
    ...placeNames(palette),
  ]
}

function roadNames(
  id: string,
  filter: Expression,
  minzoom: number,
  size: number,
  color: string,
  halo: string,
): StyleLayer {
  return {
    id,
    type: "symbol",
    "source-layer": "road",
    minzoom,
    filter: ["all", filter, ["any", ["has", "name"], ["has", "ref"]]],
    layout: {
      "symbol-placement": "line",
      "text-field": ["coalesce", ["get", "name"], ["get", "ref"]],
      "text-font": mapFont,
      "text-size": byZoom(1, [minzoom, size - 1], [18, size + 2.5]),
      "text-max-angle": 30,
      "symbol-spacing": 320,
      "text-padding": 4,
    },
    paint: { "text-color": color, "text-halo-color": halo, "text-halo-width": 1.6 },
  }
}

/** Arrows are letters of the font: the style needs no images. */
function oneWayArrows({ arrow, halo }: StreetPalette): StyleLayer[] {
  return ([1, -1] as const).map((direction) => ({
    id: direction === 1 ? "one-way" : "one-way-reversed",
    type: "symbol",
    "source-layer": "road",
    minzoom: 16,
    filter: ["==", ["get", "oneway"], direction],
    layout: {
      "symbol-placement": "line",
      "text-field": direction === 1 ? "→" : "←",
      "text-font": mapFont,
      "text-size": byZoom(1, [16, 11], [19, 17]),
      "text-keep-upright": false,
      "symbol-spacing": 90,
      "text-padding": 1,
    },
    paint: { "text-color": arrow, "text-halo-color": halo, "text-halo-width": 0.6 },
  }))
}

function placeNames({ text, halo }: StreetPalette): StyleLayer[] {
  const layer = (
    id: string,
    classes: readonly string[],
    zooms: readonly [number, number],
    size: Expression,
    more = {},
  ) => ({
    id,
    type: "symbol" as const,
    "source-layer": "place",
    minzoom: zooms[0],
    maxzoom: zooms[1],
    filter: isOneOf("class", ...classes),
    layout: {
      "text-field": ["get", "name"],
      "text-font": mapFont,
      "text-size": size,
      "text-max-width": 8,
      "text-padding": 6,
      "symbol-sort-key": ["get", "rank"],
      ...more,
    },
    paint: { "text-color": text.place, "text-halo-color": halo, "text-halo-width": 1.6 },
  })
  const spaced = { "text-transform": "uppercase", "text-letter-spacing": 0.1 }
  return [
    layer(
      "neighbourhoods",
      ["neighbourhood", "quarter", "hamlet", "locality", "islet", "square"],
      [13, 17],
      byZoom(1, [13, 10], [16, 13]),
    ),
    layer("suburbs", ["suburb", "borough", "island"], [11, 16], byZoom(1, [11, 9.5], [15, 14]), spaced),
    layer("villages", ["village"], [10, 16], byZoom(1, [10, 10.5], [15, 16])),
    layer("towns", ["town"], [7, 16], byZoom(1, [8, 11], [14, 19])),
    layer("cities", ["city"], [5, 14], byZoom(1, [5, 12], [11, 22])),
  ]
}
