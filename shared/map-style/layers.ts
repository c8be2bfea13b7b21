import { byProperty, byZoom, type StyleLayer } from "./expressions.ts"
import { labelLayers } from "./label-layers.ts"
import { type MapScheme, type StreetPalette, streetPalettes } from "./palette.ts"
import { roadLayers, runwayLayers, transitLayers } from "./road-layers.ts"

/**
 * The layers of one region's street map, for the source of that name. Their ids start with the source, so that several
 * regions can be shown side by side.
 */
export function mapLayers(
  source: string,
  scheme: MapScheme,
  { isRaster = false }: { readonly isRaster?: boolean } = {},
): StyleLayer[] {
  const palette = streetPalettes[scheme]
  const layers: StyleLayer[] = isRaster
    ? [{ id: "raster", type: "raster" }]
    : [
        ...areaLayers(palette),
        ...runwayLayers(palette),
        ...roadLayers(palette),
        ...transitLayers(palette),
        boundaries(palette),
        ...labelLayers(palette),
      ]
  return layers.map((layer) => ({ ...layer, id: `${source}/${layer.id}`, source }))
}

function areaLayers(palette: StreetPalette): StyleLayer[] {
  const notPier = ["!=", ["get", "class"], "pier"]
  return [
    {
      id: "ground",
      type: "fill",
      "source-layer": "ground",
      paint: { "fill-color": palette.ground, "fill-antialias": false },
    },
    {
      id: "land",
      type: "fill",
      "source-layer": "land",
      filter: notPier,
      paint: {
        "fill-color": byProperty("class", palette.land, palette.ground),
        "fill-opacity": byZoom(1, [8, 0.6], [12, 1]),
      },
    },
    { id: "water", type: "fill", "source-layer": "water", paint: { "fill-color": palette.water } },
    {
      id: "waterway",
      type: "line",
      "source-layer": "waterway",
      layout: { "line-cap": "round", "line-join": "round" },
      paint: {
        "line-color": palette.water,
        "line-width": byZoom(
          1.5,
          [10, byProperty("class", { river: 1, canal: 0.8 }, 0.4)],
          [16, byProperty("class", { river: 6, canal: 4 }, 2)],
        ),
      },
    },
    {
      id: "pier-areas",
      type: "fill",
      "source-layer": "land",
      filter: ["==", ["get", "class"], "pier"],
      paint: { "fill-color": palette.pier },
    },
    {
      id: "piers",
      type: "line",
      "source-layer": "pier",
      paint: { "line-color": palette.pier, "line-width": byZoom(1.5, [12, 1], [18, 8]) },
    },
    {
      id: "buildings",
      type: "fill",
      "source-layer": "building",
      minzoom: 13,
      paint: {
        "fill-color": palette.building,
        "fill-outline-color": palette.buildingEdge,
        "fill-opacity": byZoom(1, [13, 0], [14.5, 1]),
      },
    },
  ]
}

function boundaries(palette: StreetPalette): StyleLayer {
  return {
    id: "boundaries",
    type: "line",
    "source-layer": "boundary",
    layout: { "line-join": "round" },
    paint: {
      "line-color": palette.boundary,
      "line-width": byZoom(
        1,
        [5, ["case", ["<=", ["get", "level"], 2], 1.2, 0.5]],
        [12, ["case", ["<=", ["get", "level"], 4], 1.6, 0.8]],
      ),
      "line-dasharray": [5, 2, 1, 2],
      "line-opacity": 0.7,
    },
  }
}
