import { Type } from "typebox"
import { systemCaller } from "#core/access/system-caller.ts"
import { inTransaction, type Tx, unlessAway } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { defineJob, type Job, type JobContext } from "#core/jobs/define-job.ts"
import { type InspectionRule, inspectionRule } from "#shared/vehicle-inspection.ts"
import { listHubs } from "../../../organization/hubs/index.ts"
import { findOrganization } from "../../../organization/organizations/index.ts"
import { type FlowRow, listEveryFlow, organizationsWithConfiguration } from "../../../work/flows/index.ts"
import { createTasks, type TaskBody } from "../../../work/tasks/index.ts"
import { defaultWorkingTime, findDrivenVehicles, type VehicleRow } from "../../../work/vehicles/index.ts"

/** Before the working time of the vehicle begins. */
const minutesBefore = 60
const organizationsAtOnce = 50

/** Creates the inspection of each vehicle for its driver, once a day, before the working time begins. */
const createInspections = defineJob({
  name: "fleet.create-inspections",
  payload: Type.Object({}),
  maxAttempts: 1,
  timeoutSeconds: 300,
  cron: "*/10 * * * *",
  async handle(context) {
    const { sql, signal, log } = context
    for (let after = ""; !signal.aborted; ) {
      const ids = await organizationsWithConfiguration(sql, "inspection", {
        after,
        limit: organizationsAtOnce,
      })
      for (const organizationId of ids) {
        if (signal.aborted) return
        await inspectionsOf(context, organizationId).catch(
          unlessAway((error) =>
            log.error({ organizationId, reason: String(error) }, "inspections could not be created"),
          ),
        )
      }
      after = ids.at(-1) ?? ""
      if (ids.length < organizationsAtOnce) return
    }
  },
})

export const inspectionJobs: readonly Job[] = [createInspections]

interface Due {
  flow: FlowRow
  vehicle: VehicleRow
  day: string
  until: Temporal.Instant
}

async function inspectionsOf(context: JobContext, id: string): Promise<void> {
  const { sql, clock } = context
  const now = clock.now()
  const organizationId = id as Id<"organization">
  const caller = systemCaller(organizationId, { email: "System", name: "System" })
  const [flows, vehicles, hubs, organization] = await Promise.all([
    listEveryFlow(sql, { organizationId }),
    findDrivenVehicles(sql, caller, undefined),
    listHubs(sql, caller, { direction: "asc" }),
    findOrganization(sql, organizationId),
  ])
  const zones = new Map<string, string | null>(hubs.map(({ id: hubId, timeZone }) => [hubId, timeZone]))
  for (const flow of flows) {
    const rule = inspectionRule(flow.configurations)
    if (!rule) continue
    for (const vehicle of vehicles.filter(({ tags }) => concerns(rule, tags))) {
      const shift = shiftAt(vehicle, zones.get(vehicle.hubId) ?? organization.timeZone, now)
      if (shift && rule.weekdays.includes(shift.weekday))
        await inTransaction(sql, (tx) => createInspection(tx, { flow, vehicle, ...shift }, context))
    }
  }
}

const concerns = ({ tags }: InspectionRule, own: readonly string[]) =>
  tags.length === 0 || tags.some((tag) => own.includes(tag))

/** The day whose inspection is due now; undefined before it, and once the working time has ended. */
function shiftAt(
  { workingTime }: VehicleRow,
  timeZone: string,
  now: Temporal.Instant,
): { day: string; weekday: number; until: Temporal.Instant } | undefined {
  const { startTime, endTime, multiday = 0 } = { ...defaultWorkingTime, ...workingTime }
  const local = now.toZonedDateTimeISO(timeZone)
  const date = local.toPlainDate()
  const at = (time: string) => date.toZonedDateTime({ timeZone, plainTime: time }).toInstant()
  const until = date.add({ days: multiday }).toZonedDateTime({ timeZone, plainTime: endTime }).toInstant()
  const begins = at(startTime).subtract({ minutes: minutesBefore })
  if (Temporal.Instant.compare(now, begins) < 0 || Temporal.Instant.compare(now, until) >= 0) return undefined
  return { day: date.toString(), weekday: date.dayOfWeek, until }
}

/** The row is the lock: a second run finds it. */
async function createInspection(
  tx: Tx,
  { flow, vehicle, day, until }: Due,
  { clock, live }: JobContext,
): Promise<void> {
  const { organizationId } = flow
  const rows = await tx`
    insert into vehicle_inspections (organization_id, vehicle_id, flow_id, vehicle_hub_id, day)
    values (${organizationId}, ${vehicle.id}, ${flow.id}, ${vehicle.hubId}, ${day}::date) on conflict do nothing returning 1`
  if (rows.length === 0) return
  const now = clock.now()
  const title = (flow.pages[0]?.components ?? []).find(
    ({ component, showAs, type }) =>
      component === "input" && showAs === "title" && (type ?? "String") === "String",
  )
  const body = {
    ...{
      flow: flow.name,
      hubId: vehicle.hubId,
      assignee: [vehicle.assignee ?? ""],
      createdFrom: "SCHEDULER",
    },
    ...{ startTime: now.toString(), endTime: until.toString() },
    ...(title ? { [title.id]: `${vehicle.name}: ${flow.name}` } : {}),
  }
  const caller = systemCaller(organizationId, { email: "System", name: "System" })
  const [created] = await createTasks(tx, caller, [body as TaskBody], { now, live })
  const made = created && "task" in created ? created.task.id : null
  const problem = created && "refusal" in created ? created.refusal.message.slice(0, 500) : null
  await tx`
    update vehicle_inspections set task_id = ${made}, problem = ${problem}
    where organization_id = ${organizationId} and vehicle_id = ${vehicle.id} and flow_id = ${flow.id} and day = ${day}::date`
}
