import { useEffect } from "react"
import type { LngLat } from "../../../../packages/geodesy/geodesy.ts"
import { useMessages } from "../../i18n/language.tsx"
import { KeepInView } from "../KeepInView.tsx"
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
      {...(start ? { initial: [start[0], start[1]] } : {})}
    >
      <Clicks onPick={onPick} />
      {position ? <KeepInView lng={position[0]} lat={position[1]} /> : null}
      {position ? (
        <PinMarker lng={position[0]} lat={position[1]} onDragged={({ lng, lat }) => onPick([lng, lat])}>
          <Pin label={t("chosen")} />
        </PinMarker>
      ) : null}
    </MapView>
  )
}

function Clicks({ onPick }: Pick<PlacePickerProps, "onPick">) {
  const map = useMap()
  useEffect(() => {
    if (!map) return
    const click = ({ lngLat }: MapMouseEvent) => {
      const at = lngLat.wrap()
      onPick([round(at.lng), round(at.lat)])
    }
    map.on("click", click)
    return () => {
      map.off("click", click)
    }
  }, [map, onPick])
  return null
}
