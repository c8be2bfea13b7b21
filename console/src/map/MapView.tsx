import { useComputedColorScheme } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react"
import { answerOf, api } from "../api/client.ts"
import { useMessages } from "../i18n/language.tsx"
import { defineMessages } from "../i18n/messages.ts"
import { outlineStyle, palettes, type Scheme } from "./base-style.ts"
import { graticule } from "./graticule.ts"
import {
  AttributionControl,
  type GeoJSONSource,
  Map as MapLibre,
  NavigationControl,
  ScaleControl,
} from "./map-library.ts"
import { type Detail, loadOutlines } from "./outlines.ts"

const messages = defineMessages({
  en: {
    noWebGl: "This browser cannot draw maps: WebGL is switched off or missing. Everything else works.",
  },
  id: {
    noWebGl:
      "Peramban ini tidak dapat menggambar peta: WebGL mati atau tidak ada. Yang lain tetap berfungsi.",
  },
})

const MapContext = createContext<MapLibre | undefined>(undefined)

/** The map that a layer belongs to, once its style is there. */
export function useMap(): MapLibre | undefined {
  return useContext(MapContext)
}

export interface MapViewProps {
  label: string
  /** Layers: components that add and remove their own sources. They are mounted once the map is ready. */
  children?: ReactNode
  /** Where to look at first; later moves are the layers' or the person's. */
  initial?: { center: [number, number]; zoom: number }
  isPicking?: boolean
}

/** One map for the life of a page, with the built-in outlines or the operator's own style beneath. */
export default function MapView({ label, children, initial, isPicking = false }: MapViewProps) {
  const t = useMessages(messages)
  const canvas = useRef<HTMLDivElement>(null)
  const scheme = useComputedColorScheme("light")
  const schemeAtStart = useRef<Scheme>(scheme)
  const initialView = useRef(initial)
  const [map, setMap] = useState<MapLibre>()
  const [isImpossible, setImpossible] = useState(false)
  const { data: settings } = useQuery({
    queryKey: ["console-settings"],
    queryFn: () => answerOf(api.GET("/api/v3/console-settings")),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const styleUrl = settings?.data.mapStyleUrl

  useEffect(() => {
    if (!canvas.current || styleUrl === undefined) return
    const { center, zoom } = initialView.current ?? { center: [12, 22] as [number, number], zoom: 1.2 }
    let created: MapLibre
    try {
      created = new MapLibre({
        container: canvas.current,
        style: styleUrl ?? outlineStyle(schemeAtStart.current),
        center,
        zoom,
        attributionControl: false,
        dragRotate: false,
        pitchWithRotate: false,
        fadeDuration: 0,
      })
    } catch {
      setImpossible(true)
      return
    }
    created.touchZoomRotate.disableRotation()
    created.addControl(new NavigationControl({ showCompass: false }), "top-right")
    created.addControl(new ScaleControl(), "bottom-left")
    created.addControl(new AttributionControl({ compact: true }), "bottom-right")
    created.getCanvas().setAttribute("aria-label", label)
    created.once("load", () => {
      if (styleUrl === null) installOutlines(created)
      setMap(created)
    })
    // Tests and screenshots wait for this: everything that was asked for is drawn.
    created.on("idle", () => canvas.current?.setAttribute("data-drawn", "true"))
    created.on("dataloading", () => canvas.current?.removeAttribute("data-drawn"))
    return () => {
      setMap(undefined)
      created.remove()
    }
  }, [styleUrl, label])

  useEffect(() => {
    if (map && styleUrl === null) paintBase(map, scheme)
  }, [map, scheme, styleUrl])

  useEffect(() => {
    if (map) map.getCanvas().style.cursor = isPicking ? "crosshair" : ""
  }, [map, isPicking])

  return (
    <section className="map" aria-label={label} data-ready={map !== undefined}>
      <div ref={canvas} className="map-canvas" />
      {isImpossible ? <div className="map-message quiet">{t("noWebGl")}</div> : null}
      {map ? <MapContext.Provider value={map}>{children}</MapContext.Provider> : null}
    </section>
  )
}

/** Coarse outlines at once, fine ones when someone looks closely; lines of the grid follow the view. */
function installOutlines(map: MapLibre): void {
  const show = async (detail: Detail) => {
    const { land, borders, names } = await loadOutlines(detail)
    source(map, "land")?.setData(land)
    source(map, "borders")?.setData(borders)
    source(map, "names")?.setData(names)
  }
  const fineZoom = 5
  let detail: Detail | undefined
  const update = () => {
    const wanted: Detail = map.getZoom() >= fineZoom ? "fine" : "coarse"
    const bounds = map.getBounds()
    source(map, "graticule")?.setData(
      graticule({
        west: bounds.getWest(),
        south: bounds.getSouth(),
        east: bounds.getEast(),
        north: bounds.getNorth(),
      }),
    )
    if (detail === "fine" || wanted === detail) return
    detail = wanted
    void show(wanted)
  }
  map.on("moveend", update)
  update()
}

function source(map: MapLibre, id: string): GeoJSONSource | undefined {
  return map.getSource<GeoJSONSource>(id)
}

function paintBase(map: MapLibre, scheme: Scheme): void {
  const palette = palettes[scheme]
  map.setPaintProperty("water", "background-color", palette.water)
  map.setPaintProperty("land", "fill-color", palette.land)
  map.setPaintProperty("coast", "line-color", palette.coast)
  map.setPaintProperty("graticule", "line-color", palette.graticule)
  map.setPaintProperty("borders", "line-color", palette.border)
  map.setPaintProperty("names", "text-color", palette.name)
  map.setPaintProperty("names", "text-halo-color", palette.halo)
}
