import { useQuery } from "@tanstack/react-query"
import type { Feature, Polygon } from "geojson"
import { useEffect, useRef } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { fitPlaces } from "../../../map/fit.ts"
import { Lasso } from "../../../map/Lasso.tsx"
import MapView, { useMap } from "../../../map/MapView.tsx"
import type { GeoJSONSource } from "../../../map/map-library.ts"
import { Pin } from "../../../map/Pin.tsx"
import { PinMarker } from "../../../map/PinMarker.tsx"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { profileMessages } from "./profiles/profile-messages.ts"
import type { Area } from "./profiles/profiles.queries.ts"

type Ring = readonly (readonly [number, number])[]

export interface AreaMapProps {
  hubId: string
  areas: readonly Area[]
  /** What was drawn and is not saved yet. */
  ring: Ring | undefined
  color: string
  isDrawing: boolean
  onDrawn(ring: Ring): void
}

/** More corners add nothing to an area that was drawn by hand. */
const maxCorners = 200

export default function AreaMap({ hubId, areas, ring, color, isDrawing, onDrawn }: AreaMapProps) {
  const t = useMessages(profileMessages)
  const { data: hubs = [] } = useQuery(hubsQuery)
  const hub = hubs.find(({ _id }) => _id === hubId)
  return (
    <MapView label={t("areas")} isPicking={isDrawing}>
      {hub ? <Fitted hub={hub} areas={areas} /> : null}
      {areas.map((area) => (
        <AreaShape
          key={area._id}
          id={area._id}
          ring={ringOf(area)}
          color={area.color ?? "#c7791a"}
          isFaint={!area.isActive}
        />
      ))}
      {ring ? <AreaShape id="draft" ring={ring} color={color} isFaint={false} /> : null}
      {hub ? (
        <PinMarker lng={hub.lng} lat={hub.lat}>
          <Pin label={hub.name} color="#1f7a63" />
        </PinMarker>
      ) : null}
      {isDrawing ? <Lasso onDrawn={(drawn) => onDrawn(thinned(drawn))} /> : null}
    </MapView>
  )
}

function thinned(ring: Ring): Ring {
  const step = Math.max(1, Math.ceil(ring.length / maxCorners))
  return ring.filter((_, index) => index % step === 0)
}

function ringOf({ geoTaggingCoordinate }: Area): Ring {
  return (geoTaggingCoordinate.coordinates[0] ?? []).flatMap(([lng, lat]) =>
    lng === undefined || lat === undefined ? [] : [[lng, lat] as const],
  )
}

interface AreaShapeProps {
  id: string
  ring: Ring
  color: string
  isFaint: boolean
}

function AreaShape({ id, ring, color, isFaint }: AreaShapeProps) {
  const map = useMap()
  useEffect(() => {
    if (!map) return
    const source = `area-${id}`
    map.addSource(source, { type: "geojson", data: shapeOf([]) })
    map.addLayer({ id: source, type: "fill", source, paint: { "fill-color": color, "fill-opacity": 0.25 } })
    map.addLayer({
      id: `${source}-edge`,
      type: "line",
      source,
      paint: { "line-color": color, "line-width": 2, "line-opacity": isFaint ? 0.4 : 1 },
    })
    return () => {
      if (!map.getSource(source)) return
      map.removeLayer(`${source}-edge`)
      map.removeLayer(source)
      map.removeSource(source)
    }
  }, [map, id, color, isFaint])
  useEffect(() => {
    map?.getSource<GeoJSONSource>(`area-${id}`)?.setData(shapeOf(ring))
  }, [map, id, ring])
  return null
}

function shapeOf(ring: Ring): Feature<Polygon> {
  const corners = [...ring, ...ring.slice(0, 1)].map(([lng, lat]) => [lng, lat])
  return { type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates: [corners] } }
}

/** Looks at the hub and its areas once. */
function Fitted({ hub, areas }: { hub: { lng: number; lat: number }; areas: readonly Area[] }) {
  const map = useMap()
  const hasFitted = useRef(false)
  useEffect(() => {
    if (!map || hasFitted.current) return
    hasFitted.current = true
    fitPlaces(map, [hub, ...areas.flatMap((area) => ringOf(area).map(([lng, lat]) => ({ lng, lat })))])
  }, [map, hub, areas])
  return null
}
