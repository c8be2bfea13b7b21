import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useMemo, useRef } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { Fences, type MapFence } from "../../../map/Fences.tsx"
import { FlaggedPoints } from "../../../map/FlaggedPoints.tsx"
import { fitPlaces } from "../../../map/fit.ts"
import MapView, { useMap } from "../../../map/MapView.tsx"
import { PinMarker } from "../../../map/PinMarker.tsx"
import { useShownPart } from "../../../map/shown-part.ts"
import { TrackLine } from "../../../map/TrackLine.tsx"
import { dayMessages } from "./day-messages.ts"
import { type Days, placeAt, reachedAt, trackQuery, type Vertex, verticesOf, wholeZoom } from "./tracks.ts"

export interface DayWay {
  userId: string
  name: string
  color: string
  vertices: readonly Vertex[]
  /** Points that were excluded from the track. */
  flagged: readonly { lon: number; lat: number }[]
}

export interface DayMapProps {
  days: Days
  ways: readonly DayWay[]
  /** Places where a person arrived. */
  fences: readonly MapFence[]
  /** Epoch milliseconds of the moment that is shown. */
  time: number
}

/** The tracks of the day: strong up to the shown moment, faint after it. */
export default function DayMap({ days, ways, fences, time }: DayMapProps) {
  const t = useMessages(dayMessages)
  return (
    <MapView label={t("mapLabel")}>
      <FitWays ways={ways} />
      <Fences fences={fences} />
      {ways.map((way) => (
        <Way key={way.userId} way={way} days={days} time={time} />
      ))}
    </MapView>
  )
}

function Way({ way, days, time }: { way: DayWay; days: Days; time: number }) {
  const shown = useShownPart(wholeZoom(days))
  // One day is whole at any zoom; of many days what is looked at is read again, exactly.
  const { data: nearby } = useQuery({
    ...trackQuery(way.userId, days, shown),
    enabled: shown !== undefined && days.until !== undefined,
    placeholderData: keepPreviousData,
  })
  const vertices = shown && nearby && nearby.vertices.length > 0 ? verticesOf(nearby) : way.vertices
  const places = useMemo(() => vertices.map(({ lng, lat }) => [lng, lat] as const), [vertices])
  const at = placeAt(vertices, time)
  return (
    <>
      <FlaggedPoints id={way.userId} points={way.flagged} />
      <TrackLine id={way.userId} places={places} color={way.color} played={reachedAt(vertices, time)} />
      {at ? (
        <PinMarker lng={at.lng} lat={at.lat} anchor="center">
          <div className="map-person" style={{ background: way.color }} title={way.name}>
            {way.name
              .split(" ")
              .map((word) => word.charAt(0))
              .slice(0, 2)
              .join("")}
          </div>
        </PinMarker>
      ) : null}
    </>
  )
}

function FitWays({ ways }: { ways: readonly DayWay[] }) {
  const map = useMap()
  const fitted = useRef("")
  useEffect(() => {
    const key = ways.map(({ userId, vertices }) => `${userId}-${vertices[0]?.time ?? ""}`).join()
    if (!map || fitted.current === key) return
    fitted.current = key
    fitPlaces(
      map,
      ways.flatMap(({ vertices }) => vertices),
    )
  }, [map, ways])
  return null
}
