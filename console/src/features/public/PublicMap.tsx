import { useEffect, useRef } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { fitPlaces } from "../../map/fit.ts"
import MapView, { useMap } from "../../map/MapView.tsx"
import { Pin } from "../../map/Pin.tsx"
import { PinMarker } from "../../map/PinMarker.tsx"
import { publicMessages } from "./messages.ts"

export interface PublicPlace {
  id: string
  lat: number
  lng: number
  label: string
  kind: "person" | "destination"
}

/** A few places: people as circles, the destination as a pin. */
export default function PublicMap({ places }: { places: readonly PublicPlace[] }) {
  const t = useMessages(publicMessages)
  return (
    <MapView label={t("mapLabel")} hasHint={false}>
      <FitOnce places={places} />
      {places.map((place) =>
        place.kind === "destination" ? (
          <PinMarker key={place.id} lng={place.lng} lat={place.lat}>
            <Pin label={place.label} />
          </PinMarker>
        ) : (
          <PinMarker key={place.id} lng={place.lng} lat={place.lat} anchor="center">
            <div className="map-person" title={place.label}>
              {place.label.charAt(0)}
            </div>
          </PinMarker>
        ),
      )}
    </MapView>
  )
}

function FitOnce({ places }: { places: readonly PublicPlace[] }) {
  const map = useMap()
  const hasFitted = useRef(false)
  useEffect(() => {
    if (!map || hasFitted.current || places.length === 0) return
    hasFitted.current = true
    fitPlaces(map, places)
  }, [map, places])
  return null
}
