import { useEffect } from "react"
import type { LngLat } from "../../../../packages/geodesy/geodesy.ts"
import { useMessages } from "../../i18n/language.tsx"
import MapView, { useMap } from "../MapView.tsx"
import type { MapMouseEvent } from "../map-library.ts"
import { Pin } from "../Pin.tsx"
import { PinMarker, round } from "../PinMarker.tsx"
import { placeMessages } from "./messages.ts"

export interface PlacePickerProps {
  position: LngLat | undefined
  /** Where to look at first without a position. */
  around: LngLat | undefined
  onPick(position: LngLat): void
}

/** A small map: a click chooses a place, and its pin can be dragged. */
export default function PlacePicker({ position, around, onPick }: PlacePickerProps) {
  const t = useMessages(placeMessages)
  const start = position ?? around
  return (
    <MapView
      label={t("mapLabel")}
      isPicking
      hasHint={false}
      {...(start ? { initial: { center: [start[0], start[1]], zoom: position ? 16 : 12 } } : {})}
    >
      <Clicks position={position} onPick={onPick} />
      {position ? (
        <PinMarker lng={position[0]} lat={position[1]} onDragged={({ lng, lat }) => onPick([lng, lat])}>
          <Pin label={t("chosen")} />
        </PinMarker>
      ) : null}
    </MapView>
  )
}

/** Reports clicks, and keeps a position that was typed or found in view. */
function Clicks({ position, onPick }: Pick<PlacePickerProps, "position" | "onPick">) {
  const map = useMap()
  const [lng, lat] = position ?? []
  useEffect(() => {
    if (!map) return
    const click = ({ lngLat }: MapMouseEvent) => {
      const at = lngLat.wrap()
      onPick([round(at.lng), round(at.lat)])
    }
    map.on("click", click)
    return () => void map.off("click", click)
  }, [map, onPick])
  useEffect(() => {
    if (!map || lng === undefined || lat === undefined) return
    if (!map.getBounds().contains([lng, lat])) map.easeTo({ center: [lng, lat], zoom: 16 })
  }, [map, lng, lat])
  return null
}
