import { mapFont } from "#shared/map-style/expressions.ts"
import type { GeoJSONSourceSpecification, StyleSpecification } from "./map-library.ts"

export type Scheme = "light" | "dark"

interface Palette {
  water: string
  land: string
  border: string
  coast: string
  graticule: string
  name: string
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
    halo: "#f6f7f3",
  },
  dark: {
    water: "#0e1a23",
    land: "#1c2327",
    border: "#3a4944",
    coast: "#31464a",
    graticule: "#4a5f60",
    name: "#97a49e",
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

/** The built-in map: land, borders and country names, without a byte from another server. */
export function outlineStyle(scheme: Scheme): StyleSpecification {
  const palette = palettes[scheme]
  return {
    version: 8,
    sources: {
      land: { ...empty, attribution: "Natural Earth" },
      borders: empty,
      names: empty,
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
      { id: anchorLayer, type: "background", layout: { visibility: "none" } },
    ],
  }
}
