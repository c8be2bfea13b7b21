import { useEffect, useMemo, useRef } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { ClusteredPlaces, type Place } from "../../../map/ClusteredPlaces.tsx"
import { fitPlaces } from "../../../map/fit.ts"
import { LivePeople, type PersonOnMap } from "../../../map/LivePeople.tsx"
import MapView, { useMap } from "../../../map/MapView.tsx"
import { useHubPlaces } from "../../organization/hubs/use-hub-places.ts"
import type { Moment } from "./moment.queries.ts"
import { momentMessages } from "./moment-messages.ts"

/** Slower is standing, km/h. */
const idleSpeed = 3
const nothing = () => undefined

export default function MomentMap({ moment }: { moment: Moment | undefined }) {
  const t = useMessages(momentMessages)
  const people = useMemo(
    () =>
      (moment?.people ?? []).map(
        ({ userId, name, lat, lon, speed }): PersonOnMap => ({
          ...{ id: userId, name, lat, lng: lon, bearing: null, isChosen: false },
          movement: (speed ?? 0) > idleSpeed ? "moving" : "still",
        }),
      ),
    [moment],
  )
  const places = useMemo(
    () =>
      (moment?.tasks ?? []).flatMap(({ _id, title, lat, lon, status, assignee }): Place[] => {
        if (lat === null || lon === null) return []
        const kind = status === "DONE" ? "DONE" : assignee.length === 0 ? "UNASSIGNED" : "ONGOING"
        return [{ id: _id, lat, lng: lon, title: title ?? "", kind, isSelected: false }]
      }),
    [moment],
  )
  return (
    <MapView label={t("mapLabel")}>
      <Fitted places={people.length + places.length > 0 ? [...people, ...places] : undefined} />
      <ClusteredPlaces places={places} onOpen={nothing} onToggle={nothing} />
      <LivePeople people={people} hasTrails={false} onChoose={nothing} />
    </MapView>
  )
}

/** Looks at everything once; at the hubs before there is anything. */
function Fitted({ places }: { places: readonly { lat: number; lng: number }[] | undefined }) {
  const map = useMap()
  const hubs = useHubPlaces()
  const hasFitted = useRef(false)
  useEffect(() => {
    if (!map || hasFitted.current) return
    hasFitted.current = places !== undefined
    fitPlaces(map, places ?? hubs)
  }, [map, places, hubs])
  return null
}
