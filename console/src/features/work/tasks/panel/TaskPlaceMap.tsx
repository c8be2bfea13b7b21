import { useMemo } from "react"
import { taskRadiusMeters } from "#packages/geodesy/fence-radius.ts"
import { Fences } from "../../../../map/Fences.tsx"
import MapView from "../../../../map/MapView.tsx"
import { Pin } from "../../../../map/Pin.tsx"
import { PinMarker } from "../../../../map/PinMarker.tsx"

/** Where one task is to be done, and the circle within which a person has arrived. */
export default function TaskPlaceMap({ coordinate, title }: { coordinate: string; title: string }) {
  const [lat, lng] = coordinate.split(",").map(Number)
  const fences = useMemo(
    () =>
      [
        {
          id: coordinate,
          name: "",
          lat: lat ?? 0,
          lng: lng ?? 0,
          radiusMeters: taskRadiusMeters,
          kind: "task",
        },
      ] as const,
    [coordinate, lat, lng],
  )
  if (lat === undefined || lng === undefined || !Number.isFinite(lat) || !Number.isFinite(lng)) return null
  return (
    <MapView label={title} initial={[lng, lat]}>
      <Fences fences={fences} />
      <PinMarker lng={lng} lat={lat}>
        <Pin label={title} />
      </PinMarker>
    </MapView>
  )
}
