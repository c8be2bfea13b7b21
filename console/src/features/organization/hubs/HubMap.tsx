import { useEffect, useRef } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { fitPlaces } from "../../../map/fit.ts"
import { KeepInView } from "../../../map/KeepInView.tsx"
import MapView, { useMap } from "../../../map/MapView.tsx"
import type { MapMouseEvent } from "../../../map/map-library.ts"
import { Pin } from "../../../map/Pin.tsx"
import { PinMarker, round } from "../../../map/PinMarker.tsx"
import type { Place } from "./HubListPage.tsx"
import type { Hub } from "./hubs.queries.ts"
import { hubMessages } from "./messages.ts"

export interface HubMapProps {
  hubs: readonly Hub[]
  /** The location of the hub that is being edited. */
  draft: Place | undefined
  isPicking: boolean
  onPick(place: Place): void
}

export default function HubMap({ hubs, draft, isPicking, onPick }: HubMapProps) {
  const t = useMessages(hubMessages)
  return (
    <MapView label={t("mapLabel")} isPicking={isPicking}>
      <FitHubs hubs={hubs} />
      <PickPlace isPicking={isPicking} onPick={onPick} />
      {hubs.map((hub) => (
        <PinMarker key={hub._id} lng={hub.lng} lat={hub.lat}>
          <Pin label={hub.name} color={draft ? "#8b9893" : "#1f7a63"} />
        </PinMarker>
      ))}
      {draft ? <KeepInView lng={draft.lng} lat={draft.lat} /> : null}
      {draft ? (
        <PinMarker lng={draft.lng} lat={draft.lat} onDragged={onPick}>
          <Pin label={t("picked")} color="#c7791a" />
        </PinMarker>
      ) : null}
    </MapView>
  )
}

function FitHubs({ hubs }: { hubs: readonly Hub[] }) {
  const map = useMap()
  const hasFitted = useRef(false)
  useEffect(() => {
    if (!map || hasFitted.current) return
    hasFitted.current = true
    fitPlaces(map, hubs)
  }, [map, hubs])
  return null
}

function PickPlace({ isPicking, onPick }: Pick<HubMapProps, "isPicking" | "onPick">) {
  const map = useMap()
  const pick = useRef(onPick)
  pick.current = onPick
  useEffect(() => {
    if (!map || !isPicking) return
    const clicked = (event: MapMouseEvent) => {
      const at = event.lngLat.wrap()
      pick.current({ lng: round(at.lng), lat: round(at.lat) })
    }
    map.on("click", clicked)
    return () => {
      map.off("click", clicked)
    }
  }, [map, isPicking])
  return null
}
