import { useEffect, useMemo, useRef } from "react"
import type { BoundingBox } from "#packages/geodesy/geodesy.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { CountedPlaces } from "../../../map/CountedPlaces.tsx"
import { Fences, type MapFence } from "../../../map/Fences.tsx"
import { fitPlaces } from "../../../map/fit.ts"
import { LivePeople, type PersonOnMap } from "../../../map/LivePeople.tsx"
import MapView, { useMap } from "../../../map/MapView.tsx"
import { Pin } from "../../../map/Pin.tsx"
import { PinMarker } from "../../../map/PinMarker.tsx"
import { type Area, areaOf } from "./live/area.ts"
import type { Cluster } from "./live/people-in-sight.ts"
import { trackingMessages } from "./messages.ts"
import { movementNow, type Position } from "./positions.ts"

export interface TrackingMapProps {
  positions: readonly Position[]
  /** People who are shown as numbers. */
  clusters: readonly Cluster[]
  /** Where to look at first, if not at the positions. */
  bounds: BoundingBox | null
  now: number
  chosen: string | undefined
  fences: readonly MapFence[]
  /** A place to look at: latitude and longitude. */
  at: string | undefined
  onChoose(userId: string | undefined): void
  /** Called with the area in view, each time it is another one. */
  onArea: ((area: Area) => void) | undefined
}

export default function TrackingMap({
  positions,
  clusters,
  bounds,
  now,
  chosen,
  fences,
  at,
  onChoose,
  onArea,
}: TrackingMapProps) {
  const t = useMessages(trackingMessages)
  const people = useMemo(() => {
    return positions.flatMap((position): PersonOnMap[] => {
      const { lat, lon } = position
      if (lat === null || lon === null) return []
      const movement = movementNow(position, now)
      return [
        {
          id: position.userId,
          name: position.name,
          lat,
          lng: lon,
          movement,
          bearing: movement === "moving" ? position.bearing : null,
          isChosen: position.userId === chosen,
        },
      ]
    })
  }, [positions, now, chosen])
  const place = at?.split(",").map(Number) as [number, number] | undefined
  return (
    <MapView label={t("mapLabel")}>
      <LookAt people={people} bounds={bounds} chosen={chosen} />
      {onArea ? <WatchArea onArea={onArea} /> : null}
      {place ? <LookAtPlace lat={place[0]} lng={place[1]} /> : null}
      <Fences fences={fences} />
      <LivePeople people={people} onChoose={onChoose} />
      {clusters.length > 0 ? <CountedPlaces places={clusters} /> : null}
    </MapView>
  )
}

function LookAtPlace({ lat, lng }: { lat: number; lng: number }) {
  const t = useMessages(trackingMessages)
  const map = useMap()
  useEffect(() => {
    map?.easeTo({ center: [lng, lat], zoom: Math.max(map.getZoom(), 15) })
  }, [map, lat, lng])
  return (
    <PinMarker lng={lng} lat={lat}>
      <Pin label={t("place")} />
    </PinMarker>
  )
}

/** Reports the area in view once the map stands still. */
function WatchArea({ onArea }: { onArea(area: Area): void }) {
  const map = useMap()
  useEffect(() => {
    if (!map) return
    let last: string | undefined
    const report = () => {
      const bounds = map.getBounds()
      const [west, south] = bounds.getSouthWest().toArray()
      const [east, north] = bounds.getNorthEast().toArray()
      const area = areaOf({ west, south, east, north }, map.getZoom())
      const name = `${area.bbox} ${area.zoom}`
      if (name !== last) onArea(area)
      last = name
    }
    report()
    map.on("moveend", report)
    return () => void map.off("moveend", report)
  }, [map, onArea])
  return null
}

interface LookAtProps {
  people: readonly PersonOnMap[]
  bounds: BoundingBox | null
  chosen: string | undefined
}

/** All of the team at first; then the chosen person, when that changes. */
function LookAt({ people, bounds, chosen }: LookAtProps) {
  const map = useMap()
  const hasFitted = useRef(false)
  const latest = useRef(people)
  latest.current = people
  useEffect(() => {
    if (!map || hasFitted.current || (people.length === 0 && !bounds)) return
    hasFitted.current = true
    const { west = 0, south = 0, east = 0, north = 0 } = bounds ?? {}
    const corners = [
      { lat: south, lng: west },
      { lat: north, lng: east },
    ]
    fitPlaces(map, bounds ? corners : people)
  }, [map, people, bounds])
  const isKnown = people.some(({ id }) => id === chosen)
  useEffect(() => {
    const person = isKnown && latest.current.find((candidate) => candidate.id === chosen)
    if (map && person) map.easeTo({ center: [person.lng, person.lat], zoom: Math.max(map.getZoom(), 10) })
  }, [map, chosen, isKnown])
  return null
}
