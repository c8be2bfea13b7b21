import { useEffect, useMemo, useRef } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { Fences, type MapFence } from "../../map/Fences.tsx"
import { FlaggedPoints } from "../../map/FlaggedPoints.tsx"
import { fitPlaces } from "../../map/fit.ts"
import MapView, { useMap } from "../../map/MapView.tsx"
import { PinMarker } from "../../map/PinMarker.tsx"
import { TrackLine } from "../../map/TrackLine.tsx"
import { dayMessages } from "./day-messages.ts"
import { placeAt, reachedAt, type Vertex } from "./tracks.ts"

export interface DayWay {
  userId: string
  name: string
  color: string
  vertices: readonly Vertex[]
  /** Points that were left out of the way. */
  flagged: readonly { lon: number; lat: number }[]
}

export interface DayMapProps {
  ways: readonly DayWay[]
  /** Places that somebody arrived at. */
  fences: readonly MapFence[]
  /** Epoch milliseconds of the moment that is shown. */
  time: number
}

/** Everybody's way of the day, as far as the shown moment strongly, the rest faintly. */
export default function DayMap({ ways, fences, time }: DayMapProps) {
  const t = useMessages(dayMessages)
  return (
    <MapView label={t("mapLabel")}>
      <FitWays ways={ways} />
      <Fences fences={fences} />
      {ways.map((way) => (
        <Way key={way.userId} way={way} time={time} />
      ))}
    </MapView>
  )
}

function Way({ way, time }: { way: DayWay; time: number }) {
  const places = useMemo(() => way.vertices.map(({ lng, lat }) => [lng, lat] as const), [way.vertices])
  const at = placeAt(way.vertices, time)
  return (
    <>
      <FlaggedPoints id={way.userId} points={way.flagged} />
      <TrackLine id={way.userId} places={places} color={way.color} played={reachedAt(way.vertices, time)} />
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
