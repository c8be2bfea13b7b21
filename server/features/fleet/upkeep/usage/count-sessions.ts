import { Type } from "typebox"
import { systemCaller } from "#core/access/system-caller.ts"
import { type Pool, type Sql, unlessAway } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { defineJob, type Job } from "#core/jobs/define-job.ts"
import {
  type FinishedSession,
  skipSessionUse,
  type TimeSpan,
  uncountedSessions,
  type VehicleUse,
  writeSessionUse,
} from "../../../location/positions/index.ts"
import { listHubs } from "../../../organization/hubs/index.ts"
import { findOrganization } from "../../../organization/organizations/index.ts"
import { visitOfTask } from "../../../planning/routes/index.ts"
import { type FlowPage, listEveryFlow } from "../../../work/flows/index.ts"
import { finishedValues } from "../../../work/tasks/index.ts"
import { type DriverSpan, driverSpans, workTimesOfVehicles } from "../../../work/vehicles/index.ts"
import { secondsOf, shiftsWithin, without } from "./work-spans.ts"

const sessionsAtOnce = 500

/** Finds out how the time of finished sessions was used: newly finished ones, and those from before an upgrade. */
export const countSessions = defineJob({
  name: "fleet.count-sessions",
  payload: Type.Object({}),
  maxAttempts: 1,
  timeoutSeconds: 280,
  cron: "* * * * *",
  async handle({ sql, log, signal }) {
    for (;;) {
      const sessions = await uncountedSessions(sql, sessionsAtOnce)
      for (const [organizationId, own] of Map.groupBy(sessions, (session) => session.organizationId)) {
        if (signal.aborted) return
        const day = await readFleetDay(sql, organizationId, own)
        for (const session of own) {
          if (signal.aborted) return
          await writeSessionUse(sql, session, (tx, current) => readUse(tx, current, day)).catch(
            unlessAway(async (error) => {
              log.error(
                { organizationId, sessionId: session.id, reason: String(error) },
                "the use of a session could not be counted",
              )
              await skipSessionUse(sql, session)
            }),
          )
        }
      }
      if (sessions.length < sessionsAtOnce) return
    }
  },
})

export const usageJobs: readonly Job[] = [countSessions]

type Vehicle = Awaited<ReturnType<typeof workTimesOfVehicles>>[number]

/** What the sessions of an organization have in common. */
interface FleetDay {
  drivers: readonly DriverSpan[]
  vehicles: ReadonlyMap<string, Vehicle>
  timeZoneOf(hubId: string): string
  flows: ReadonlyMap<string, readonly FlowPage[]>
}

async function readFleetDay(sql: Pool, id: string, sessions: readonly FinishedSession[]): Promise<FleetDay> {
  const organizationId = id as Id<"organization">
  const caller = systemCaller(organizationId, { email: "System", name: "System" })
  const earliest = sessions.map(({ startedAt }) => startedAt).toSorted(Temporal.Instant.compare)
  const latest = sessions.map(({ finishedAt }) => finishedAt).toSorted(Temporal.Instant.compare)
  const [drivers, vehicles, hubs, organization, flows] = await Promise.all([
    driverSpans(sql, organizationId, {
      from: earliest[0] as Temporal.Instant,
      until: latest.at(-1) as Temporal.Instant,
    }),
    workTimesOfVehicles(sql, organizationId),
    listHubs(sql, caller, { direction: "asc" }),
    findOrganization(sql, organizationId),
    listEveryFlow(sql, { organizationId }),
  ])
  const zones = new Map<string, string | null>(hubs.map((hub) => [hub.id, hub.timeZone]))
  return {
    drivers,
    vehicles: new Map(vehicles.map((vehicle) => [vehicle.id, vehicle])),
    timeZoneOf: (hubId) => zones.get(hubId) ?? organization.timeZone,
    flows: new Map(flows.map((flow) => [flow.id, flow.pages])),
  }
}

/** What somebody drove for most of a session; undefined without a vehicle. */
async function readUse(sql: Sql, session: FinishedSession, day: FleetDay): Promise<VehicleUse | undefined> {
  const whole: TimeSpan = [session.startedAt.epochMilliseconds, session.finishedAt.epochMilliseconds]
  const driven = day.drivers
    .filter(({ email }) => email === session.email)
    .map(({ vehicleId, from, until }) => ({
      vehicleId,
      milliseconds: Math.min(whole[1], until.epochMilliseconds) - Math.max(whole[0], from.epochMilliseconds),
    }))
    .filter(({ milliseconds }) => milliseconds > 0)
    .toSorted((one, other) => other.milliseconds - one.milliseconds)
  const vehicle = day.vehicles.get(driven[0]?.vehicleId ?? "")
  if (!vehicle) return undefined
  const shifts = shiftsWithin(whole, vehicle, day.timeZoneOf(vehicle.hubId))
  const [first] = shifts
  const offDuty = shifts
    .flatMap(({ spans }) => spans)
    .reduce<TimeSpan[]>((rest, span) => without(rest, span), [whole])
  return {
    vehicleId: vehicle.id,
    offDuty,
    shiftOn:
      first?.day ??
      session.startedAt.toZonedDateTimeISO(day.timeZoneOf(vehicle.hubId)).toPlainDate().toString(),
    shiftSeconds: secondsOf(shifts.flatMap(({ spans }) => spans)),
    loadUsed: await loadOf(sql, session, vehicle, day.flows),
  }
}

/** The loads of what was finished, of the capacity that was used most. */
async function loadOf(
  sql: Sql,
  session: FinishedSession,
  { capacity }: Vehicle,
  flows: FleetDay["flows"],
): Promise<number | null> {
  const limits = Object.entries(capacity).filter(([, { max }]) => max > 0)
  if (limits.length === 0) return null
  const { startedAt: from, finishedAt: to } = session
  const tasks = await finishedValues(sql, session.organizationId, session.email, { from, to })
  const loads = tasks.map(
    ({ flowId, ...task }) =>
      visitOfTask({ ...task, title: null, content: null, lng: null, lat: null }, flows.get(flowId) ?? [])
        .capacity,
  )
  const used = limits.flatMap(([name, { max }]) => {
    const amounts = loads.flatMap((load) => load[name] ?? [])
    return amounts.length === 0 ? [] : [amounts.reduce((sum, amount) => sum + Math.abs(amount), 0) / max]
  })
  return used.length === 0 ? null : Math.max(...used)
}
