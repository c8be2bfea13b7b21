import { useEffect, useMemo, useRef } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { Fences, type MapFence } from "../../../map/Fences.tsx"
import { fitPlaces } from "../../../map/fit.ts"
import { LivePeople, type PersonOnMap } from "../../../map/LivePeople.tsx"
import MapView, { useMap } from "../../../map/MapView.tsx"
import { Pin } from "../../../map/Pin.tsx"
import { PinMarker } from "../../../map/PinMarker.tsx"
import { trackingMessages } from "./messages.ts"
import { movementNow, type Position } from "./positions.ts"

export interface TrackingMapProps {
  positions: readonly Position[]
  now: number
  chosen: string | undefined
  fences: readonly MapFence[]
  /** A place to look at: latitude and longitude. */
  at: string | undefined
  onChoose(userId: string | undefined): void
}

export default function TrackingMap({ positions, now, chosen, fences, at, onChoose }: TrackingMapProps) {
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
      <LookAt people={people} chosen={chosen} />
      {place ? <LookAtPlace lat={place[0]} lng={place[1]} /> : null}
      <Fences fences={fences} />
      <LivePeople people={people} onChoose={onChoose} />
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

/** All of the team at first; then the chosen person, when that changes. */
function LookAt({ people, chosen }: { people: readonly PersonOnMap[]; chosen: string | undefined }) {
  const map = useMap()
  const hasFitted = useRef(false)
  const latest = useRef(people)
  latest.current = people
  useEffect(() => {
    if (!map || hasFitted.current || people.length === 0) return
    hasFitted.current = true
    fitPlaces(map, people)
  }, [map, people])
  useEffect(() => {
    const person = latest.current.find((candidate) => candidate.id === chosen)
    if (map && person) map.easeTo({ center: [person.lng, person.lat], zoom: Math.max(map.getZoom(), 10) })
  }, [map, chosen])
  return null
}
