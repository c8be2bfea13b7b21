import { AppError, isBusy } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { boxAround, boxHolds, distanceMeters, type LngLat } from "#packages/geodesy/geodesy.ts"
import { findPlaces } from "../../location/places/index.ts"
import { roadSupplyOf } from "../../location/roads/index.ts"
import { placesOfHubs } from "../../organization/hubs/index.ts"
import { offerSlots, type Slot } from "../../planning/slots/index.ts"
import type { FormRow } from "./forms.ts"

export interface FoundAddress {
  label: string
  /** `lat,lng` */
  coordinate: string
}

const maxAddresses = 5
const maxSlots = 6

/** Addresses for a text, near the form's hub, from the installed maps. */
export async function findAddresses(
  app: App,
  form: FormRow,
  text: string,
  language: string,
): Promise<FoundAddress[]> {
  const near = await positionOfHub(app, form)
  const { maxKilometers } = form.settings
  const box = near && maxKilometers > 0 ? boxAround(near, maxKilometers * 1000) : undefined
  const options = { limit: maxAddresses, near, countries: [], isComplete: true }
  const wire = {
    languages: [language],
    withAddress: false,
    withNames: false,
    keyOfCategory: "category" as const,
  }
  const found = await findPlaces(app.sql, text, options, wire)
  return found.flatMap(({ display_name, lat, lon }) =>
    box && !boxHolds(box, [Number(lon), Number(lat)])
      ? []
      : [{ label: display_name.slice(0, 500), coordinate: `${lat},${lon}` }],
  )
}

/** Whether a place is as near to the hub as the form demands. */
export async function isServed(app: Pick<App, "sql">, form: FormRow, position: LngLat): Promise<boolean> {
  const { maxKilometers } = form.settings
  if (maxKilometers === 0) return true
  const hub = await positionOfHub(app, form)
  return hub === undefined || distanceMeters(hub, position) <= maxKilometers * 1000
}

async function positionOfHub(
  { sql }: Pick<App, "sql">,
  { organizationId, hubId }: FormRow,
): Promise<LngLat | undefined> {
  const hub = (await placesOfHubs(sql, organizationId)).find(({ id }) => id === hubId)
  return hub && [hub.lng, hub.lat]
}

/** Appointment windows that fit a visit there, by time; they are held for ten minutes. */
export async function offerTimes(
  app: App,
  { organizationId, hubId, settings }: FormRow,
  position: LngLat,
  signal: AbortSignal,
): Promise<Slot[] | "busy"> {
  const { visitMinutes, windowMinutes, days } = settings
  const query = {
    ...{ hubId, position, windowMinutes, days, tags: [] },
    serviceMinutes: visitMinutes,
    count: maxSlots,
  }
  try {
    const slots = await offerSlots(app.sql, organizationId, query, {
      now: app.clock.now(),
      roads: roadSupplyOf({ config: app.settings, sql: app.sql, objects: app.objects }, organizationId),
      signal,
    })
    return slots.toSorted((one, other) => one.startsAt.epochMilliseconds - other.startsAt.epochMilliseconds)
  } catch (error) {
    if (isBusy(error)) return "busy"
    if (error instanceof AppError) return []
    throw error
  }
}
