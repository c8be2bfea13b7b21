import "../field.css"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { fitPlaces } from "../../../map/fit.ts"
import MapView, { useMap } from "../../../map/MapView.tsx"
import { PinMarker } from "../../../map/PinMarker.tsx"
import { paths } from "../../../paths.ts"
import { PageLoading } from "../../../shell/page-states.tsx"
import { FieldHeader } from "../FieldHeader.tsx"
import { useField } from "../field-context.ts"
import { fixNow } from "../kept/field-positions.ts"
import { mapSettingsQuery } from "../today/kept-choices.ts"
import { useDay } from "../today/use-day.ts"
import { KeepArea } from "./KeepArea.tsx"
import { mapMessages } from "./map-messages.ts"

interface Pinned {
  id: string
  title: string
  number: number
  lat: number
  lng: number
}

/** The open stops of the day in their order, on a map that also works without a network. */
export function DayMapPage() {
  const t = useMessages(mapMessages)
  const { store } = useField()
  const { isRead, open, doneCount } = useDay()
  const { data: settings } = useQuery(mapSettingsQuery(store))
  if (!isRead || !settings) return <PageLoading />
  const pins = open.flatMap((task, index): Pinned[] => {
    const at = typeof task.expectedCoordinate === "string" ? parseLatLng(task.expectedCoordinate) : undefined
    // The number that the stop has in the list.
    const number = doneCount + index + 1
    return at ? [{ id: task._id, title: task.title ?? task.flow, number, lng: at[0], lat: at[1] }] : []
  })
  return (
    <div className="field-thread">
      <FieldHeader title={t("title")} />
      {pins.length === 0 ? <p className="field-notice">{t("noPlaces")}</p> : null}
      <div className="day-map">
        <MapView label={t("title")} hasHint={false}>
          <FitStops pins={pins} />
          {pins.map((pin, index) => (
            <PinMarker key={pin.id} lng={pin.lng} lat={pin.lat} anchor="center">
              <Link
                to={paths.fieldTask}
                params={{ taskId: pin.id }}
                className="day-pin"
                data-next={index === 0 || undefined}
                aria-label={t("stop", { number: pin.number, title: pin.title })}
              >
                {pin.number}
              </Link>
            </PinMarker>
          ))}
          <OwnPlace />
        </MapView>
      </div>
      <KeepArea maps={settings.data.maps} places={pins} />
    </div>
  )
}

function FitStops({ pins }: { pins: readonly Pinned[] }) {
  const map = useMap()
  const key = pins.map(({ id }) => id).join(" ")
  // biome-ignore lint/correctness/useExhaustiveDependencies: when other stops are shown, not whenever they are read again
  useEffect(() => {
    if (map) fitPlaces(map, pins)
  }, [map, key])
  return null
}

function OwnPlace() {
  const t = useMessages(mapMessages)
  const [at, setAt] = useState<readonly [number, number]>()
  useEffect(() => {
    void fixNow().then((fix) => setAt(fix && parseLatLng(fix.coordinate)))
  }, [])
  if (!at) return null
  return (
    <PinMarker lng={at[0]} lat={at[1]} anchor="center">
      <span className="day-self" role="img" aria-label={t("you")} />
    </PinMarker>
  )
}
