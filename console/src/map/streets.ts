import { mapLayers } from "#shared/map-style/layers.ts"
import type { ResponseBody } from "../api/server.ts"
import { anchorLayer, citiesOutside, type Scheme } from "./base-style.ts"
import {
  type LayerSpecification,
  LngLatBounds,
  type MapLibreMap,
  type SourceSpecification,
  type StyleSpecification,
} from "./map-library.ts"

export type Settings = ResponseBody<"getConsoleSettings">["data"]
export type ShownMap = Settings["maps"][number]
export type ExtraLayer = Settings["mapLayers"][number]

const absolute = (address: string) => `${window.location.origin}${address}`

/** Where the tiles are. At once, so that layers that are mounted with the map know how closely it can be looked at. */
export function addStreetSources(map: MapLibreMap, maps: readonly ShownMap[]): void {
  for (const region of maps) if (!map.getSource(region.name)) map.addSource(region.name, sourceOf(region))
}

/** Shows the street maps of the installation in the colours of a theme, above the outlines of the world. */
export async function showStreets(
  map: MapLibreMap,
  maps: readonly ShownMap[],
  scheme: Scheme,
): Promise<void> {
  map.setFilter("cities", citiesOutside(maps.map(({ bounds }) => bounds)))
  addStreetSources(map, maps)
  for (const region of maps) {
    const layers = await layersOf(region, scheme)
    removeLayersOf(map, region.name)
    for (const layer of layers) map.addLayer(layer, anchorLayer)
  }
}

function sourceOf({ type, tiles, bounds, minZoom, maxZoom, attribution }: ShownMap): SourceSpecification {
  const [west = -180, south = -85, east = 180, north = 85] = bounds
  const shared = { tiles: [absolute(tiles)], minzoom: minZoom, maxzoom: maxZoom, attribution }
  // A tile around the region also shows the surrounding ground.
  const margin = 0.01
  const box: [number, number, number, number] = [west - margin, south - margin, east + margin, north + margin]
  return type === "vector"
    ? { type: "vector", bounds: box, ...shared }
    : { type: "raster", bounds: box, tileSize: 256, ...shared }
}

/** The layers of the built-in style, or those of the map's own style that draw its tiles. */
async function layersOf(region: ShownMap, scheme: Scheme): Promise<LayerSpecification[]> {
  if (region.style === null)
    // The shared module names no types of the map library, which the server does not have.
    return mapLayers(region.name, scheme, { isRaster: region.type === "raster" }) as LayerSpecification[]
  const response = await fetch(absolute(region.style))
  if (!response.ok) return []
  const style = (await response.json()) as StyleSpecification
  return style.layers.flatMap((layer): LayerSpecification[] => {
    if (!("source" in layer) || style.sources[layer.source]?.type !== region.type) return []
    return [{ ...layer, id: `${region.name}/${layer.id}`, source: region.name }]
  })
}

function removeLayersOf(map: MapLibreMap, name: string): void {
  for (const { id } of map.getStyle().layers) if (id.startsWith(`${name}/`)) map.removeLayer(id)
}

/** Shows one of the operator's further layers above streets, or none. */
export function showExtraLayer(map: MapLibreMap, extra: ExtraLayer | undefined): void {
  const id = "extra-layer"
  if (map.getLayer(id)) map.removeLayer(id)
  if (map.getSource(id)) map.removeSource(id)
  if (!extra) return
  map.addSource(id, {
    type: "raster",
    tiles: [extra.tiles],
    tileSize: extra.tileSize,
    maxzoom: extra.maxZoom,
    attribution: extra.attribution,
  })
  map.addLayer({ id, type: "raster", source: id }, anchorLayer)
}

/** Moves the view to street maps: to one of them, or to all together. */
export function showRegions(map: MapLibreMap, regions: readonly ShownMap[], animate = true): void {
  const view = new LngLatBounds()
  for (const { bounds } of regions) {
    const [west = -180, south = -85, east = 180, north = 85] = bounds
    // Across the antimeridian, the east lies beyond 180 degrees.
    view.extend([west, south]).extend([east < west ? east + 360 : east, north])
  }
  if (!view.isEmpty()) map.fitBounds(view, { padding: 24, animate })
}

/** Whether the middle of the view lies in one of the maps. */
export function hasStreets(map: MapLibreMap, maps: readonly ShownMap[]): boolean {
  const { lng, lat } = map.getCenter().wrap()
  return maps.some(({ bounds }) => isWithin(bounds, lng, lat))
}

/** Whether the map draws tiles of its sources at a place, and not the outlines of the world alone. */
export function hasTilesAt(map: MapLibreMap, lng: number, lat: number): boolean {
  return Object.values(map.getStyle().sources).some((source) => {
    if (source.type !== "vector" && source.type !== "raster") return false
    return source.bounds === undefined || isWithin(source.bounds, lng, lat)
  })
}

const streetZoom = 15
/** Where there are no streets, coasts and cities say where a place is. */
export const outlineZoom = 6

/** A place that a page opens with is shown at street height where there are streets: everywhere in the operator's own style. */
export function initialViewOf(
  center: [number, number] | undefined,
  { maps, mapStyleUrl }: Settings,
): { center: [number, number]; zoom: number } | undefined {
  if (!center) return undefined
  const hasStreets = mapStyleUrl !== null || maps.some(({ bounds }) => isWithin(bounds, center[0], center[1]))
  return { center, zoom: hasStreets ? streetZoom : outlineZoom }
}

function isWithin(
  [west = 0, south = 0, east = 0, north = 0]: readonly number[],
  lng: number,
  lat: number,
): boolean {
  const isBetween = west <= east ? lng >= west && lng <= east : lng >= west || lng <= east
  return isBetween && lat >= south && lat <= north
}
