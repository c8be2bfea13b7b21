import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { readLine } from "#core/plain-text.ts"
import { findFlow } from "../../../work/flows/index.ts"
import { findEquipment } from "../equipment/queries.ts"
import { readMeters, requireVehicle } from "../meters/queries.ts"
import { type EntryRow, writeEntry } from "./entries.ts"
import { maintenanceErrors } from "./errors.ts"
import { countPlans, findPlan, insertPlan, type PlanRow, type PlanValues, updatePlan } from "./queries.ts"
import type { EntryInput, PlanChange, PlanInput } from "./schemas.ts"
import { dayIn } from "./today.ts"

const maxPlans = 100

interface Subject {
  vehicleId: string | null
  equipmentId: string | null
  hubId: string
  odometerMeters: number | null
  engineSeconds: number | null
}

export async function createPlan(
  tx: Tx,
  caller: Caller,
  body: PlanInput,
  now: Temporal.Instant,
): Promise<PlanRow> {
  const { organizationId } = caller
  const subject = await readSubject(tx, caller, body)
  const values = await readValues(tx, caller, body, subject)
  const today = await dayIn(tx, organizationId, now)
  if ((await countPlans(tx, organizationId, subject.vehicleId ?? subject.equipmentId ?? "")) >= maxPlans)
    throw maintenanceErrors.invalid({ message: `A vehicle or equipment has at most ${maxPlans} plans` })
  const done = readDone(body, subject, today)
  const id = await insertPlan(
    tx,
    caller,
    subject,
    {
      ...values,
      doneOn: done.doneOn,
      doneMeters: done.odometerMeters ?? 0,
      doneSeconds: done.engineSeconds ?? 0,
      readAt: readTime(body, now),
    },
    now,
  )
  return findPlan(tx, caller, id, today)
}

export async function changePlan(
  tx: Tx,
  caller: Caller,
  id: string,
  body: PlanChange,
  now: Temporal.Instant,
): Promise<PlanRow> {
  const today = await dayIn(tx, caller.organizationId, now)
  const before = await findPlan(tx, caller, id, today)
  await updatePlan(tx, caller, before.id, await readValues(tx, caller, body, before), now)
  return findPlan(tx, caller, before.id, today)
}

/** Writes work into the log: of a plan, or of a vehicle or equipment by itself. */
export async function createEntry(
  tx: Tx,
  caller: Caller,
  body: EntryInput,
  now: Temporal.Instant,
): Promise<EntryRow> {
  const today = await dayIn(tx, caller.organizationId, now)
  const plan = body.planId === undefined ? undefined : await findPlan(tx, caller, body.planId, today)
  const subject = await readSubject(tx, caller, plan ? subjectOf(plan) : body)
  const name = body.name?.trim() ? readLine(body.name, "maint", "name") : plan?.name
  if (!name) throw maintenanceErrors.invalid({ fields: { name: ["is required without a plan"] } })
  const done = readDone(body, subject, today)
  const entry = await writeEntry(
    tx,
    caller.organizationId,
    {
      ...{ vehicleId: subject.vehicleId, equipmentId: subject.equipmentId, hubId: subject.hubId },
      ...{ planId: plan?.id ?? null, taskId: null, name, note: body.note?.trim() || null, ...done },
      ...{ cost: body.cost ?? null, readAt: readTime(body, now) },
    },
    { by: caller.email, now },
  )
  if (!entry) throw new Error("an entry was not written")
  return entry
}

/** Meters that somebody entered are not moved by what is counted later. */
const readTime = ({ odometerKilometers, engineHours }: EntryInput | PlanInput, now: Temporal.Instant) =>
  odometerKilometers === undefined && engineHours === undefined ? now : null

const subjectOf = ({ vehicleId, equipmentId }: PlanRow) => ({
  vehicleId: vehicleId ?? undefined,
  equipmentId: equipmentId ?? undefined,
})

async function readSubject(
  tx: Tx,
  caller: Caller,
  { vehicleId, equipmentId }: { vehicleId?: string | undefined; equipmentId?: string | undefined },
): Promise<Subject> {
  if ((vehicleId === undefined) === (equipmentId === undefined))
    throw maintenanceErrors.invalid({ message: "Send either vehicleId or equipmentId" })
  if (equipmentId !== undefined) {
    const { id, hubId } = await findEquipment(tx, caller, equipmentId)
    return { vehicleId: null, equipmentId: id, hubId, odometerMeters: null, engineSeconds: null }
  }
  const { id, hubId } = await requireVehicle(tx, caller, vehicleId ?? "")
  const meters = (await readMeters(tx, caller.organizationId, [id])).get(id)
  return {
    ...{ vehicleId: id, equipmentId: null, hubId },
    odometerMeters: meters?.odometerMeters ?? 0,
    engineSeconds: meters?.engineSeconds ?? 0,
  }
}

async function readValues(
  tx: Tx,
  caller: Caller,
  body: PlanChange,
  { vehicleId }: Pick<Subject, "vehicleId">,
): Promise<PlanValues> {
  const { everyKilometers = null, everyHours = null, everyDays = null, flowId = null } = body
  if (everyKilometers === null && everyHours === null && everyDays === null)
    throw maintenanceErrors.invalid({ message: "A plan needs an interval: kilometres, engine hours or days" })
  if (vehicleId === null && (everyKilometers !== null || everyHours !== null))
    throw maintenanceErrors.invalid({ message: "Equipment has no meters: its interval is days" })
  const flow = flowId === null ? undefined : await findFlow(tx, caller, flowId)
  if (flowId !== null && !flow) throw maintenanceErrors.noFlow()
  return {
    name: readLine(body.name, "maint", "name"),
    everyMeters: everyKilometers === null ? null : everyKilometers * 1000,
    everySeconds: everyHours === null ? null : everyHours * 3600,
    everyDays,
    remindMeters: (body.remindKilometers ?? 0) * 1000,
    remindSeconds: (body.remindHours ?? 0) * 3600,
    remindDays: body.remindDays ?? 0,
    flowId: flow?.id ?? null,
    isActive: body.isActive ?? true,
  }
}

function readDone(
  body: Pick<EntryInput, "doneOn" | "odometerKilometers" | "engineHours">,
  subject: Subject,
  today: string,
) {
  const doneOn = body.doneOn ?? today
  if (doneOn > today)
    throw maintenanceErrors.invalid({
      fields: { doneOn: ["lies in the future"] },
      message: "doneOn lies in the future",
    })
  const { odometerKilometers, engineHours } = body
  if (subject.vehicleId === null) return { doneOn, odometerMeters: null, engineSeconds: null }
  return {
    doneOn,
    odometerMeters: odometerKilometers === undefined ? subject.odometerMeters : odometerKilometers * 1000,
    engineSeconds: engineHours === undefined ? subject.engineSeconds : engineHours * 3600,
  }
}
