import { mapFont } from "#shared/map-style/expressions.ts"
import type {
  ExpressionSpecification,
  FilterSpecification,
  GeoJSONSourceSpecification,
  StyleSpecification,
} from "./map-library.ts"

export type Scheme = "light" | "dark"

interface Palette {
  water: string
  land: string
  border: string
  coast: string
  graticule: string
  name: string
  city: string
  halo: string
}

export const palettes: Record<Scheme, Palette> = {
  light: {
    water: "#bcd8e6",
    land: "#f4f3ef",
    border: "#c3ccc6",
    coast: "#b3c6cb",
    graticule: "#8fa5a9",
    name: "#5f6d67",
    city: "#3d4944",
    halo: "#f6f7f3",
  },
  dark: {
    water: "#0e1a23",
    land: "#1c2327",
    border: "#3a4944",
    coast: "#31464a",
    graticule: "#4a5f60",
    name: "#97a49e",
    city: "#c3cdc8",
    halo: "#1c2523",
  },
}

/** Names that lie over whatever map there is. */
export const labelColors: Record<Scheme, { text: string; halo: string }> = {
  light: { text: "#1d2622", halo: "#ffffff" },
  dark: { text: "#eef3f0", halo: "#101817" },
}

export { mapFont }

/** Streets are inserted below this layer, which draws nothing; what pages add lies above it. */
export const anchorLayer = "streets-end"

const empty: GeoJSONSourceSpecification = {
  type: "geojson",
  data: { type: "FeatureCollection", features: [] },
}

/** Cities of at least so many thousand people, by zoom; capitals from zoom 3. */
const shownCities: ExpressionSpecification = [
  "any",
  [">=", ["get", "thousands"], ["step", ["zoom"], 8_000, 3, 3_000, 4, 1_000, 5, 400, 6, 0]],
  ["all", [">=", ["zoom"], 3], ["==", ["get", "isCapital"], 1]],
]

/** Cities that no street map names: those of regions name theirs from zoom 5 on. */
export function citiesOutside(bounds: readonly (readonly number[])[]): FilterSpecification {
  if (bounds.length === 0) return shownCities
  const coordinates = bounds.map(([west = 0, south = 0, east = 0, north = 0]) => [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ])
  return [
    "all",
    shownCities,
    ["any", ["<", ["zoom"], 5], ["!", ["within", { type: "MultiPolygon", coordinates }]]],
  ]
}

/** The built-in map: land, water, borders and names, without a byte from another server. */
export function outlineStyle(scheme: Scheme): StyleSpecification {
  const palette = palettes[scheme]
  return {
    version: 8,
    sources: {
      land: { ...empty, attribution: "Natural Earth, GeoNames" },
      lakes: empty,
      rivers: empty,
      borders: empty,
      names: empty,
      cities: empty,
      graticule: empty,
    },
    layers: [
      { id: "water", type: "background", paint: { "background-color": palette.water } },
      { id: "land", type: "fill", source: "land", paint: { "fill-color": palette.land } },
      {
        id: "coast",
        type: "line",
        source: "land",
        paint: { "line-color": palette.coast, "line-width": 0.8 },
      },
      { id: "lakes", type: "fill", source: "lakes", paint: { "fill-color": palette.water } },
      {
        id: "rivers",
        type: "line",
        source: "rivers",
        minzoom: 2,
        layout: { "line-cap": "round", "line-join": "round" },
        paint: {
          "line-color": palette.water,
          "line-width": ["interpolate", ["linear"], ["zoom"], 2, 0.5, 8, 2.4],
        },
      },
      {
        id: "graticule",
        type: "line",
        source: "graticule",
        paint: { "line-color": palette.graticule, "line-opacity": 0.22, "line-width": 0.7 },
      },
      {
        id: "borders",
        type: "line",
        source: "borders",
        paint: {
          "line-color": palette.border,
          "line-width": ["interpolate", ["linear"], ["zoom"], 1, 0.5, 6, 1.4],
        },
      },
      {
        id: "names",
        type: "symbol",
        source: "names",
        minzoom: 1.5,
        layout: {
          "text-field": ["get", "name"],
          "text-font": mapFont,
          "text-size": ["interpolate", ["linear"], ["zoom"], 2, 10, 6, 14],
          "text-max-width": 7,
          "symbol-sort-key": ["-", 0, ["get", "area"]],
        },
        paint: { "text-color": palette.name, "text-halo-color": palette.halo, "text-halo-width": 1.2 },
      },
      {
        id: "cities",
        type: "symbol",
        source: "cities",
        minzoom: 2,
        filter: shownCities,
        layout: {
          "text-field": ["format", "●", { "font-scale": 0.5 }, " ", {}, ["get", "name"], {}],
          "text-font": mapFont,
          "text-size": [
            "interpolate",
            ["linear"],
            ["zoom"],
            3,
            ["case", [">=", ["get", "thousands"], 3_000], 11, 10],
            8,
            ["case", [">=", ["get", "thousands"], 1_000], 16, 12],
          ],
          "text-padding": 6,
          "symbol-sort-key": ["-", ["*", -5_000, ["get", "isCapital"]], ["get", "thousands"]],
        },
        paint: { "text-color": palette.city, "text-halo-color": palette.halo, "text-halo-width": 1.2 },
      },
      { id: anchorLayer, type: "background", layout: { visibility: "none" } },
    ],
  }
}
