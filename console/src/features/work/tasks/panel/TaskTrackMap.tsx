import { useMemo } from "react"
import MapView from "../../../../map/MapView.tsx"
import { Pin } from "../../../../map/Pin.tsx"
import { PinMarker } from "../../../../map/PinMarker.tsx"
import { TrackLine } from "../../../../map/TrackLine.tsx"

export interface TaskTrackMapProps {
  label: string
  vertices: readonly (readonly (number | null)[])[]
  coordinate: string | undefined
  title: string
}

/** A track as a line, with the location of the task. */
export default function TaskTrackMap({ label, vertices, coordinate, title }: TaskTrackMapProps) {
  const places = useMemo(() => vertices.map(([lng, lat]) => [lng ?? 0, lat ?? 0] as const), [vertices])
  const [lat, lng] = (coordinate ?? "").split(",").map(Number)
  return (
    <MapView label={label}>
      <TrackLine id="task" places={places} color="#1f7a63" isFitted />
      {lat !== undefined && lng !== undefined && Number.isFinite(lat) && Number.isFinite(lng) ? (
        <PinMarker lng={lng} lat={lat}>
          <Pin label={title} />
        </PinMarker>
      ) : null}
    </MapView>
  )
}
