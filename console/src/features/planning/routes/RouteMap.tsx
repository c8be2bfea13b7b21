import { useQuery } from "@tanstack/react-query"
import { useEffect, useMemo, useRef, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { fitPlaces } from "../../../map/fit.ts"
import MapView, { useMap } from "../../../map/MapView.tsx"
import { PinMarker } from "../../../map/PinMarker.tsx"
import { TrackLine } from "../../../map/TrackLine.tsx"
import { clockText, placeOf } from "./clock.ts"
import { routeMessages } from "./messages.ts"
import { routeColor } from "./route-colors.ts"
import { linesQuery, type Result, type VehicleRoute } from "./routes.queries.ts"

/** Numbered pins in the colour of their vehicle, as long as they can be distinguished; lines for any number. */
const maxPins = 400

export default function RouteMap({ result }: { result: Result }) {
  const t = useMessages(routeMessages)
  const routes = useMemo(
    () =>
      (result.result?.routing ?? [])
        .map((route, index) => ({ route, color: routeColor(index) }))
        .filter(({ route }) => route.trips.length > 0),
    [result],
  )
  const { data: lines, isError } = useQuery(linesQuery(result))
  const roads = useMemo(
    () =>
      new Map(
        (lines ?? []).map(({ vehicleId, coordinates }) => [
          vehicleId,
          coordinates.map(([lng = 0, lat = 0]): [number, number] => [lng, lat]),
        ]),
      ),
    [lines],
  )
  const isStraight = lines?.some(({ isRoad, coordinates }) => !isRoad && coordinates.length > 1)
  const isLate = lines?.some((line) => line.isLate)
  const note = isError ? "roadsFailed" : isLate ? "roadsLate" : isStraight ? "straightLines" : undefined
  const [alone, setAlone] = useState<string>()
  const shown = routes.filter(({ route }) => alone === undefined || route.vehicleId === alone)
  const stops = shown.flatMap(({ route, color }) => stopsOf(route).map((stop) => ({ ...stop, color })))
  const left = (result.result?.dropped ?? []).flatMap((visit) => {
    const place = placeOf(visit.coordinate)
    return place ? [{ id: visit.id, name: visit.name ?? visit.id, place }] : []
  })
  const hub = placeOf(result.hubCoordinate)
  return (
    <div style={{ position: "relative", height: "100%", minHeight: 360 }}>
      <MapView label={t("map")}>
        <Fitted places={[...stops.map(({ place }) => place), ...(hub ? [hub] : [])]} resultId={result._id} />
        {lines || isError
          ? shown.map(({ route, color }) => (
              <TrackLine
                key={route.vehicleId}
                id={`route-${route.vehicleId}`}
                places={roads.get(route.vehicleId) ?? lineOf(route)}
                color={color}
              />
            ))
          : null}
        {stops.slice(0, maxPins).map((stop) => (
          <PinMarker key={stop.key} lng={stop.place[0]} lat={stop.place[1]} anchor="center">
            <span
              className="route-pin"
              style={{ background: stop.color }}
              title={`${stop.order}. ${stop.name} · ${stop.time}`}
            >
              {stop.order}
            </span>
          </PinMarker>
        ))}
        {left.slice(0, maxPins).map((visit) => (
          <PinMarker key={visit.id} lng={visit.place[0]} lat={visit.place[1]} anchor="center">
            <span className="route-pin route-pin-left" title={visit.name}>
              !
            </span>
          </PinMarker>
        ))}
        {hub ? (
          <PinMarker lng={hub[0]} lat={hub[1]} anchor="center">
            <span className="route-pin route-pin-hub" title={t("hubStop")}>
              ⌂
            </span>
          </PinMarker>
        ) : null}
      </MapView>
      {note ? (
        <div className="route-note" role="status">
          {t(note)}
        </div>
      ) : null}
      <ul className="route-legend" aria-label={t("vehicles")}>
        {routes.map(({ route, color }) => (
          <li key={route.vehicleId}>
            <button
              type="button"
              aria-pressed={alone === route.vehicleId}
              title={
                alone === route.vehicleId
                  ? t("showEverybody")
                  : t("showOnMap", { vehicle: route.vehicleName ?? "" })
              }
              onClick={() => setAlone(alone === route.vehicleId ? undefined : route.vehicleId)}
            >
              <span style={{ background: color }} aria-hidden /> {route.vehicleName} ({stopsOf(route).length})
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function stopsOf(route: VehicleRoute) {
  return route.trips.flatMap((node, index) => {
    const place = placeOf(node.coordinate)
    if (node.isHub || !place) return []
    return [
      {
        key: `${route.vehicleId} ${index}`,
        place,
        order: Number(node.order ?? index),
        name: node.visitName ?? node.visitId,
        time: clockText(node.eta),
      },
    ]
  })
}

function lineOf(route: VehicleRoute): [number, number][] {
  return route.trips.flatMap((node) => {
    const place = placeOf(node.coordinate)
    return place ? [place] : []
  })
}

/** Looks at the whole plan once when it opens. */
function Fitted({ places, resultId }: { places: readonly [number, number][]; resultId: string }) {
  const map = useMap()
  const fitted = useRef("")
  useEffect(() => {
    if (!map || fitted.current === resultId || places.length === 0) return
    fitted.current = resultId
    fitPlaces(
      map,
      places.map(([lng, lat]) => ({ lng, lat })),
    )
  }, [map, places, resultId])
  return null
}
