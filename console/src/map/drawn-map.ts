import outlines from "virtual:outlines"
import { outlineStyle, palettes, type Scheme } from "./base-style.ts"
import { graticule } from "./graticule.ts"
import {
  AttributionControl,
  FullscreenControl,
  type GeoJSONSource,
  Map as MapLibre,
  NavigationControl,
  ScaleControl,
} from "./map-library.ts"

/** A map with its element, which moves from page to page. */
export interface DrawnMap {
  map: MapLibre
  element: HTMLDivElement
  /** Null is the built-in map, also where it stands in for a style that could not be loaded. */
  styleUrl: string | null
  ready: Promise<void>
}

export interface View {
  center: [number, number]
  zoom: number
}

const wholeWorld: View = { center: [12, 22], zoom: 1.2 }
/** A page has at most two at once: its own and that of a panel over it. */
const maxKept = 2
const kept: DrawnMap[] = []
/** How long a style of another server may take. */
const styleMilliseconds = 10_000

/**
 * A map in the host element: one that a page gave back, or a new one. To create a drawing context and to lose it again
 * costs a slow machine seconds, so that maps are reused. Throws where the browser has no WebGL.
 */
export function takeMap(host: HTMLElement, styleUrl: string | null, scheme: Scheme, view?: View): DrawnMap {
  const known = kept.findIndex((drawn) => drawn.styleUrl === styleUrl)
  const [reused] = known >= 0 ? kept.splice(known, 1) : []
  const drawn = reused ?? makeMap(styleUrl, scheme)
  host.append(drawn.element)
  drawn.map.resize()
  drawn.map.jumpTo(view ?? wholeWorld)
  return drawn
}

/** Gives a map back when its page goes. Its layers take themselves away. */
export function returnMap(drawn: DrawnMap): void {
  drawn.map.stop()
  drawn.map.getCanvas().style.cursor = ""
  drawn.element.remove()
  if (kept.length < maxKept) kept.push(drawn)
  else drawn.map.remove()
}

function makeMap(styleUrl: string | null, scheme: Scheme): DrawnMap {
  const element = document.createElement("div")
  element.className = "map-element"
  const map = new MapLibre({
    container: element,
    style: styleUrl ?? outlineStyle(scheme),
    ...wholeWorld,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    fadeDuration: 0,
  })
  map.touchZoomRotate.disableRotation()
  map.addControl(new NavigationControl({ showCompass: false }), "top-right")
  map.addControl(new FullscreenControl(), "top-right")
  map.addControl(new ScaleControl(), "bottom-left")
  map.addControl(new AttributionControl({ compact: true }), "bottom-right")
  // Tests and screenshots wait for this: everything requested is drawn.
  map.on("idle", () => element.setAttribute("data-drawn", "true"))
  map.on("dataloading", () => element.removeAttribute("data-drawn"))
  const drawn: DrawnMap = { map, element, styleUrl, ready: Promise.resolve() }
  drawn.ready =
    styleUrl === null ? once(map, "load").then(() => installOutlines(map)) : loadStyle(drawn, scheme)
  return drawn
}

/** The operator's style, or the built-in map when the style is missing, invalid or late: pages must show what lies on the map. */
async function loadStyle(drawn: DrawnMap, scheme: Scheme): Promise<void> {
  const { map } = drawn
  const hasStyle = await Promise.race([
    once(map, "style.load").then(() => true),
    once(map, "error").then(() => false),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(false), styleMilliseconds)),
  ])
  if (hasStyle) return
  drawn.styleUrl = null
  map.setStyle(outlineStyle(scheme), { diff: false })
  await once(map, "style.load")
  installOutlines(map)
}

const once = (map: MapLibre, event: "load" | "style.load" | "error") =>
  new Promise<void>((resolve) => map.once(event, () => resolve()))

/** Coarse outlines at once, fine ones when someone looks closely; lines of the grid follow the view. */
function installOutlines(map: MapLibre): void {
  const fineZoom = 5
  let shown: "coarse" | "fine" | undefined
  let askAgainAt = 0
  const show = (detail: "coarse" | "fine") => {
    shown = detail
    for (const [id, address] of Object.entries(outlines[detail])) source(map, id)?.setData(absolute(address))
  }
  const update = () => {
    const canAsk = navigator.onLine && performance.now() >= askAgainAt
    const wanted = canAsk && map.getZoom() >= fineZoom ? "fine" : "coarse"
    const bounds = map.getBounds()
    source(map, "graticule")?.setData(
      graticule({
        west: bounds.getWest(),
        south: bounds.getSouth(),
        east: bounds.getEast(),
        north: bounds.getNorth(),
      }),
    )
    if (shown !== "fine" && wanted !== shown) show(wanted)
  }
  // A phone without a network has the coarse ones only, and may not know that it has none.
  source(map, "land")?.on("error", () => {
    if (shown !== "fine") return
    askAgainAt = performance.now() + 60_000
    show("coarse")
  })
  map.on("moveend", update)
  update()
  for (const [id, address] of Object.entries(outlines.world)) source(map, id)?.setData(absolute(address))
}

const absolute = (address: string) => new URL(address, window.location.href).href

function source(map: MapLibre, id: string): GeoJSONSource | undefined {
  return map.getSource<GeoJSONSource>(id)
}

/** The built-in map in the colours of the light or the dark theme. */
export function paintBase(map: MapLibre, scheme: Scheme): void {
  const palette = palettes[scheme]
  map.setPaintProperty("water", "background-color", palette.water)
  map.setPaintProperty("land", "fill-color", palette.land)
  map.setPaintProperty("coast", "line-color", palette.coast)
  map.setPaintProperty("lakes", "fill-color", palette.water)
  map.setPaintProperty("rivers", "line-color", palette.water)
  map.setPaintProperty("graticule", "line-color", palette.graticule)
  map.setPaintProperty("borders", "line-color", palette.border)
  map.setPaintProperty("names", "text-color", palette.name)
  map.setPaintProperty("names", "text-halo-color", palette.halo)
  map.setPaintProperty("cities", "text-color", palette.city)
  map.setPaintProperty("cities", "text-halo-color", palette.halo)
}
