import MapView from "../../map/MapView.tsx"
import { Pin } from "../../map/Pin.tsx"
import { PinMarker } from "../../map/PinMarker.tsx"

/** Where one task is to be done. */
export default function TaskPlaceMap({ coordinate, title }: { coordinate: string; title: string }) {
  const [lat, lng] = coordinate.split(",").map(Number)
  if (lat === undefined || lng === undefined || !Number.isFinite(lat) || !Number.isFinite(lng)) return null
  return (
    <MapView label={title} initial={{ center: [lng, lat], zoom: 6 }}>
      <PinMarker lng={lng} lat={lat}>
        <Pin label={title} />
      </PinMarker>
    </MapView>
  )
}
