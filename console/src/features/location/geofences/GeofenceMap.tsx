import { useEffect, useMemo, useRef } from "react"
import { destination, type LngLat, midpoint } from "#packages/geodesy/geodesy.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { fitPlaces } from "../../../map/fit.ts"
import { KeepInView } from "../../../map/KeepInView.tsx"
import MapView, { useMap } from "../../../map/MapView.tsx"
import type { MapMouseEvent } from "../../../map/map-library.ts"
import { PinMarker, round } from "../../../map/PinMarker.tsx"
import { useHubPlaces } from "../../organization/hubs/use-hub-places.ts"
import { AreaShapes, type ShownArea } from "./AreaShapes.tsx"
import { geofenceMessages } from "./geofence-messages.ts"
import { draftOf, type Geofence, type GeofenceDraft } from "./geofences.queries.ts"

export interface GeofenceMapProps {
  geofences: readonly Geofence[]
  draft: GeofenceDraft | undefined
  onPoints(points: readonly LngLat[]): void
  /** Set while a click takes the area of the map that is there. */
  onTake: ((place: LngLat) => void) | undefined
  onOpen: ((fence: Geofence) => void) | undefined
}

/** Beyond this a shape was imported, and markers of all of its points would cover it. */
const maxMarkers = 150

export default function GeofenceMap({ geofences, draft, onPoints, onTake, onOpen }: GeofenceMapProps) {
  const t = useMessages(geofenceMessages)
  const areas = useMemo(
    () => geofences.filter(({ _id }) => _id !== draft?.id).map((fence): ShownArea => shown(draftOf(fence))),
    [geofences, draft?.id],
  )
  const edited = useMemo(() => (draft && draft.points.length > 0 ? [shown(draft)] : []), [draft])
  const center = draft?.points[0]
  return (
    <MapView label={t("mapLabel")} isPicking={draft !== undefined}>
      <Fitted areas={areas} edited={draft} />
      <AreaShapes
        id="geofences"
        areas={areas}
        onChoose={
          draft || !onOpen
            ? undefined
            : (id) => {
                const fence = geofences.find(({ _id }) => _id === id)
                if (fence) onOpen(fence)
              }
        }
      />
      <AreaShapes id="geofence-draft" areas={edited} onChoose={undefined} />
      {draft?.kind === "circle" && center ? <KeepInView lng={center[0]} lat={center[1]} /> : null}
      {draft ? <Picking draft={draft} onPoints={onPoints} onTake={onTake} /> : null}
      {draft && draft.points.length <= maxMarkers ? <Vertices draft={draft} onPoints={onPoints} /> : null}
    </MapView>
  )
}

const shown = ({ id, ...draft }: GeofenceDraft): ShownArea => ({ id: id ?? "new", ...draft })

interface EditingProps {
  draft: GeofenceDraft
  onPoints(points: readonly LngLat[]): void
}

/** A click or tap adds a point; of a circle it moves the centre. */
function Picking({ draft, onPoints, onTake }: EditingProps & Pick<GeofenceMapProps, "onTake">) {
  const map = useMap()
  const latest = useRef({ draft, onPoints, onTake })
  latest.current = { draft, onPoints, onTake }
  useEffect(() => {
    if (!map) return
    const add = ({ lngLat }: MapMouseEvent) => {
      const { draft: current, onPoints: report, onTake: take } = latest.current
      const { lng, lat } = lngLat.wrap()
      const point: LngLat = [round(lng), round(lat)]
      if (take) return take(point)
      report(current.kind === "circle" ? [point] : [...current.points, point])
    }
    map.on("click", add)
    return () => {
      map.off("click", add)
    }
  }, [map])
  return null
}

/** A handle at each point, and between two of them one that adds a point. */
function Vertices({ draft, onPoints }: EditingProps) {
  const t = useMessages(geofenceMessages)
  const { kind, points } = draft
  const edges =
    kind === "circle" ? [] : kind === "polygon" && points.length > 2 ? points : points.slice(0, -1)
  return (
    <>
      {numbered(edges).map(({ point, index }) => {
        const next = points[(index + 1) % points.length] ?? point
        const [lng, lat] = midpoint(point, next)
        return (
          <PinMarker key={`middle-${index}-${points.length}`} lng={lng} lat={lat} anchor="center">
            <button
              type="button"
              className="geofence-middle"
              aria-label={t("addPoint", { number: index + 1 })}
              onClick={(event) => {
                event.stopPropagation()
                onPoints(points.toSpliced(index + 1, 0, [round(lng), round(lat)]))
              }}
            >
              +
            </button>
          </PinMarker>
        )
      })}
      {numbered(points).map(({ point: [lng, lat], index }) => (
        <PinMarker
          key={`point-${index}-${points.length}`}
          lng={lng}
          lat={lat}
          anchor="center"
          onDragged={(place) => onPoints(points.with(index, [place.lng, place.lat]))}
        >
          <button
            type="button"
            className="geofence-vertex"
            aria-label={t("point", { number: index + 1 })}
            onClick={(event) => event.stopPropagation()}
          >
            {index + 1}
          </button>
        </PinMarker>
      ))}
    </>
  )
}

/** Points have no other identity than their place in the shape. */
const numbered = (points: readonly LngLat[]) => points.map((point, index) => ({ point, index }))

/** Looks at all areas once, then at each one that is opened. */
function Fitted({ areas, edited }: { areas: readonly ShownArea[]; edited: GeofenceDraft | undefined }) {
  const map = useMap()
  const hubs = useHubPlaces()
  const fitted = useRef<string>(undefined)
  const key = edited ? (edited.id ?? "new") : areas.length > 0 ? "all" : undefined
  useEffect(() => {
    if (map && fitted.current === undefined && key === undefined) fitPlaces(map, hubs)
    if (!map || key === undefined || fitted.current === key || (fitted.current && key === "all")) return
    fitted.current = key
    const places = (edited ? [edited] : areas).flatMap(extent)
    // A new one has no points yet: the map stays at the hubs.
    fitPlaces(map, places)
  }, [map, areas, edited, key, hubs])
  return null
}

function extent({ points, kind, meters }: Pick<ShownArea, "points" | "kind" | "meters">) {
  const around = kind === "polygon" ? [] : [0, 90, 180, 270]
  return points.flatMap((point) =>
    [point, ...around.map((bearing) => destination(point, bearing, meters))].map(([lng, lat]) => ({
      lng,
      lat,
    })),
  )
}
