import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { formatLatLng, parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { planWarning } from "#shared/plan-warnings.ts"
import { findHub, type HubRow } from "../../../organization/hubs/index.ts"
import { findCapacityConstraints } from "../../capacity-constraints/index.ts"
import { parseClock } from "../clock-time.ts"
import { constraintsByName } from "../constraints-by-name.ts"
import { routeErrors } from "../errors.ts"
import { readVehicles, readVisits, refusal } from "../read-entries.ts"
import type { RoutingBody } from "../request-schemas.ts"
import { listGeotags, tagsAt } from "../roads/geotags.ts"
import { readZone } from "../roads/zone.ts"
import { findConfiguration, findCurrentConfiguration } from "../settings/configurations.ts"
import { defaultSettings, mergeSettings, type Settings, type SettingsInput } from "../settings/settings.ts"
import { usualSpeed } from "./auto-speed.ts"
import { dayCountOf, shiftOf } from "./build-problem.ts"
import { costWarnings, withMeanCosts } from "./costs.ts"
import { isLinked } from "./links.ts"
import type { InputVehicle, InputVisit, PlaceOfHub, RunInput } from "./run-input.ts"

/** A run that can be stored and planned. */
export interface Run {
  hub: HubRow
  hubCoordinate: string
  input: RunInput
  /** Profile of the hub, when nothing was given inline. */
  configurationId: string | null
  /** The settings as the result shows them. */
  configuration: Record<string, unknown>
  warnings: string[]
}

export interface RunContext {
  now: Temporal.Instant
  hasRoadService: boolean
}

/** Between trips a vehicle loads where it starts, and goods of sub-hubs come from the hub. */
function checkOwnPlaces(vehicles: readonly InputVehicle[], settings: Settings): void {
  const index = vehicles.findIndex(({ start, end }) => start || end)
  if (index < 0 || (!settings.multitrip && settings.crossDockingType === "none")) return
  const field = vehicles[index]?.start ? "startCoordinate" : "endCoordinate"
  throw refusal("003", `vehicles.${index}.${field}`, "cannot be combined with several trips or sub-hubs")
}

/**
 * Reads a request in the order of the contract: hub, settings (request over profile over default), sub-hubs,
 * areas, visits and vehicles. Whatever one visit lacks is found by the plan, which drops it with the reason.
 */
export async function readRun(
  sql: Sql,
  caller: Caller,
  body: RoutingBody,
  context: RunContext,
): Promise<Run> {
  const hub = await findHub(sql, caller, body.hubId)
  if (!hub) throw routeErrors.badHub({ fields: { hubId: ["is not one of your hubs"] } })
  const hubCoordinate = body.hubCoordinate?.trim() || formatLatLng([hub.lng, hub.lat])
  const position = parseLatLng(hubCoordinate)
  if (!position) throw refusal("003", "hubCoordinate", 'must be "latitude,longitude"')
  const sent: SettingsInput = Array.isArray(body.configuration) ? {} : (body.configuration ?? {})
  const profile =
    body.configurationId === undefined
      ? await findCurrentConfiguration(sql, caller, hub.id)
      : await findConfiguration(sql, caller, body.configurationId)
  if (body.configurationId !== undefined && profile?.hubId !== hub.id)
    throw routeErrors.badConfiguration({
      message: "configurationId must be the id of a profile of the hub",
      fields: { configurationId: ["is not a profile of the hub"] },
    })
  const visits = readVisits(body.visits)
  const merged = mergeSettings(profile?.settings ?? defaultSettings, sent)
  checkSettings(merged)
  const subHubs = await readSubHubs(sql, caller, merged, sent, hub)
  const speed = merged.autoSpeed
    ? await usualSpeed(sql, hub, merged.defaultSpeed, context)
    : merged.defaultSpeed
  const sentVehicles = readVehicles(body.vehicles, {
    speed,
    isSpeedAuto: merged.autoSpeed,
    hubId: hub.id,
    subHubIds: merged.crossDockingType === "none" ? [] : subHubs.map(({ id }) => id),
  })
  const vehicles = withMeanCosts(sentVehicles)
  checkOwnPlaces(vehicles, merged)
  const paired = visits.findIndex(({ pickupVisitId }) => pickupVisitId !== undefined)
  if (paired >= 0 && merged.crossDockingType !== "none")
    throw refusal("003", `visits.${paired}.pickupVisitId`, "cannot be combined with sub-hubs")
  const linked = visits.findIndex(isLinked)
  if (linked >= 0 && merged.crossDockingType !== "none")
    throw refusal("003", `visits.${linked}.after`, "and workers cannot be combined with sub-hubs")
  const settings: Settings = {
    ...merged,
    capacityConstraint: constraintsInUse(merged, sent, visits, vehicles),
  }
  const zone = settings.useOddEven ? await readZone(sql, caller) : []
  const timeZone = hub.timeZone ?? caller.timeZone
  const saysGroups = sent.useVisitGroup ?? profile?.settings.useVisitGroup
  const routingDate = body.routingDate ?? context.now.toZonedDateTimeISO(timeZone).toPlainDate().toString()
  const input: RunInput = {
    hub: { id: hub.id, name: hub.name, address: hub.address, coordinate: hubCoordinate, position },
    subHubs: settings.crossDockingType === "none" ? [] : subHubs,
    routingDate,
    settings,
    usesGroups: saysGroups ?? true,
    visits: await withAreas(sql, caller, hub, settings, withoutOtherDays(visits, vehicles, routingDate)),
    vehicles,
    zone,
    ...(body.seconds === undefined ? {} : { seconds: body.seconds }),
  }
  const constraints = await findCapacityConstraints(sql, caller)
  return {
    hub,
    hubCoordinate,
    input,
    configurationId: Object.keys(sent).length === 0 ? (profile?.id ?? null) : null,
    configuration: {
      ...settings,
      // Sub-hubs given in full are shown as they were given.
      ...(sent.subHubs ? { subHubs: sent.subHubs } : {}),
      rawConstraint: constraintsByName(
        settings.capacityConstraint.map((name) => ({
          name,
          denominator: constraints.find((known) => known.name === name)?.denominator ?? "",
        })),
      ),
    },
    warnings: [...warningsOf(input, context), ...costWarnings(sentVehicles)],
  }
}

/** Visits that none of the days of the plan suits are dropped with the reason. */
function withoutOtherDays(
  visits: readonly InputVisit[],
  vehicles: readonly InputVehicle[],
  routingDate: string,
): InputVisit[] {
  const dayCount = dayCountOf(vehicles.map((vehicle) => ({ shift: shiftOf(vehicle) })))
  const first = Temporal.PlainDate.from(routingDate)
  const planned = new Set(Array.from({ length: dayCount }, (_, d) => first.add({ days: d }).toString()))
  return visits.map((visit) =>
    visit.days === undefined || visit.invalid !== undefined || visit.days.some((day) => planned.has(day))
      ? visit
      : { ...visit, invalid: "days has none of the days of the plan" },
  )
}

function checkSettings(settings: Settings): void {
  for (const [index, { startTime, endTime }] of settings.oddEvenTime.entries()) {
    const [from, to] = [parseClock(startTime), parseClock(endTime)]
    if (from === undefined || to === undefined || to <= from)
      throw refusal(
        "044",
        `configuration.oddEvenTime.${index}`,
        "must have a start before its end, for example 06:00 and 10:00",
      )
  }
}

async function readSubHubs(
  sql: Sql,
  caller: Caller,
  settings: Settings,
  sent: SettingsInput,
  hub: HubRow,
): Promise<PlaceOfHub[]> {
  if (settings.crossDockingType === "none") return []
  const ids = [...new Set(settings.subHubs.map((id) => id.toLowerCase()))]
  if (ids.length === 0) throw refusal("044", "configuration.subHubs", "is required for cross docking")
  const places: PlaceOfHub[] = []
  for (const id of ids) {
    const found = await findHub(sql, caller, id)
    const isFit =
      found &&
      found.id !== hub.id &&
      (found.countryCode ?? hub.countryCode) === (hub.countryCode ?? found.countryCode)
    if (!isFit)
      throw refusal(
        "044",
        "configuration.subHubs",
        `${id} must be another of your hubs, in the country of the main hub`,
      )
    const given = sent.subHubs?.find((entry) => typeof entry === "object" && entry.id.toLowerCase() === id)
    const coordinate =
      (typeof given === "object" ? given.coordinate : undefined) ?? formatLatLng([found.lng, found.lat])
    places.push({
      id: found.id,
      name: found.name,
      address: found.address,
      coordinate,
      position: parseLatLng(coordinate) ?? [found.lng, found.lat],
    })
  }
  return places
}

const maxConstraints = 10

/** As named in the request or the profile. Where nobody named any, what vehicles limit and visits bring. */
function constraintsInUse(
  merged: Settings,
  sent: SettingsInput,
  visits: readonly InputVisit[],
  vehicles: readonly InputVehicle[],
): string[] {
  if (sent.capacityConstraint !== undefined || merged.capacityConstraint.length > 0)
    return merged.capacityConstraint
  const limited = new Set(vehicles.flatMap(({ capacity }) => Object.keys(capacity)))
  const brought = new Set(visits.flatMap(({ capacity }) => Object.keys(capacity)))
  return [...limited].filter((name) => brought.has(name)).slice(0, maxConstraints)
}

/** Visits with the names of the areas that they lie in among their tags. */
async function withAreas(
  sql: Sql,
  caller: Caller,
  hub: HubRow,
  settings: Settings,
  visits: readonly InputVisit[],
): Promise<InputVisit[]> {
  const all = await listGeotags(sql, caller, hub.id)
  const chosen = all.filter((geotag) =>
    settings.geoTagging ? settings.geoTagging.includes(geotag.id) : geotag.isActive,
  )
  if (chosen.length === 0) return [...visits]
  const tagged = (visit: InputVisit, position: LngLat): InputVisit => ({
    ...visit,
    tags: [...new Set([...visit.tags, ...tagsAt(chosen, position)])],
  })
  return visits.map((visit) => (visit.position ? tagged(visit, visit.position) : visit))
}

function warningsOf(input: RunInput, { hasRoadService }: RunContext): string[] {
  const { settings, zone } = input
  return [
    ...(settings.avoidToll && !hasRoadService ? [planWarning("tollWithoutRoads")] : []),
    ...(settings.useOddEven && zone.length === 0 ? [planWarning("oddEvenWithoutZone")] : []),
  ]
}
