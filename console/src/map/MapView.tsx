import { useComputedColorScheme } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react"
import { server } from "../api/server.ts"
import { useMessages } from "../i18n/language.tsx"
import { defineMessages } from "../i18n/messages.ts"
import { type DrawnMap, paintBase, returnMap, takeMap } from "./drawn-map.ts"
import { MapExtras } from "./MapExtras.tsx"
import type { Map as MapLibre } from "./map-library.ts"
import { addStreetSources, initialViewOf, showRegions, showStreets } from "./streets.ts"

const messages = defineMessages("console.mapView", {
  noWebGl: "This browser cannot draw maps: WebGL is switched off or missing. Everything else works.",
  noStyle: "The street map could not be loaded; the built-in one is shown. Reload the page to try again.",
})

const MapContext = createContext<MapLibre | undefined>(undefined)

/** The map that a layer belongs to, once its style is there. */
export function useMap(): MapLibre | undefined {
  return useContext(MapContext)
}

interface Shown {
  map: MapLibre | undefined
  /** The built-in map, and not the operator's own style. */
  isBuiltIn: boolean
}

const nothing: Shown = { map: undefined, isBuiltIn: false }

export interface MapViewProps {
  label: string
  /** Layers: components that add and remove their own sources. They are mounted once the map is ready. */
  children?: ReactNode
  /** Where to look at first, by default the installed street maps; later moves are the layers' or the person's. */
  initial?: [lng: number, lat: number]
  isPicking?: boolean
  /** Without permission to add maps there is no hint how to. */
  hasHint?: boolean
}

/** A map in a page, with the built-in outlines or the operator's own style beneath. */
export default function MapView({
  label,
  children,
  initial,
  isPicking = false,
  hasHint = true,
}: MapViewProps) {
  const t = useMessages(messages)
  const host = useRef<HTMLDivElement>(null)
  const scheme = useComputedColorScheme("light", { getInitialValueInEffect: false })
  const schemeAtStart = useRef(scheme)
  const initialView = useRef(initial)
  const [{ map, isBuiltIn }, setShown] = useState<Shown>(nothing)
  const [isImpossible, setImpossible] = useState(false)
  const { data: settings } = useQuery({
    queryKey: ["console-settings"],
    queryFn: () => server.get("/api/v3/console-settings"),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const styleUrl = settings?.data.mapStyleUrl
  const streets = settings?.data

  useEffect(() => {
    if (!host.current || styleUrl === undefined || !streets) return
    let drawn: DrawnMap
    try {
      drawn = takeMap(
        host.current,
        styleUrl,
        schemeAtStart.current,
        initialViewOf(initialView.current, streets),
      )
    } catch {
      setImpossible(true)
      return
    }
    if (!initialView.current) showRegions(drawn.map, streets.maps, false)
    let isHere = true
    drawn.map.getCanvas().setAttribute("aria-label", label)
    void drawn.ready.then(() => {
      if (!isHere) return
      const isBuiltIn = drawn.styleUrl === null
      if (styleUrl !== null && isBuiltIn) {
        const view = initialViewOf(initialView.current, { ...streets, mapStyleUrl: null })
        if (view) drawn.map.jumpTo(view)
      }
      setShown({ map: drawn.map, isBuiltIn })
    })
    return () => {
      isHere = false
      setShown(nothing)
      returnMap(drawn)
    }
  }, [styleUrl, streets, label])

  useLayoutEffect(() => {
    if (map && streets && isBuiltIn) addStreetSources(map, streets.maps)
  }, [map, isBuiltIn, streets])

  useEffect(() => {
    if (!map || !streets || !isBuiltIn) return
    paintBase(map, scheme)
    void showStreets(map, streets.maps, scheme)
  }, [map, scheme, isBuiltIn, streets])

  useEffect(() => {
    if (map) map.getCanvas().style.cursor = isPicking ? "crosshair" : ""
  }, [map, isPicking])

  return (
    <div className="map" data-ready={map !== undefined}>
      <div ref={host} className="map-canvas" />
      {isImpossible ? <div className="map-message quiet">{t("noWebGl")}</div> : null}
      {isBuiltIn && typeof styleUrl === "string" ? <p className="map-hint quiet">{t("noStyle")}</p> : null}
      {map && streets && isBuiltIn ? (
        <MapExtras map={map} settings={streets} hasHint={hasHint && styleUrl === null} />
      ) : null}
      {map ? <MapContext.Provider value={map}>{children}</MapContext.Provider> : null}
    </div>
  )
}
