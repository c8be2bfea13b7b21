import type { Tx } from "#core/database/database.ts"
import type { DomainEvent, StoredEventName } from "#core/domain-events.ts"
import type { Id } from "#core/ids.ts"
import { parseDateTime } from "#shared/wire-time.ts"
import { reservedTaskKeys } from "../../work/flows/index.ts"
import { noteDefects } from "./inspections/defects.ts"
import { writeEntry } from "./maintenance/entries.ts"
import { dayIn } from "./maintenance/today.ts"

/** More texts than any flow has. */
const maxTexts = 500
const maxCodeCharacters = 200

interface Finished {
  taskId: string
  title: string | null
  flow: string
  doneBy: string | null
  doneAt: Temporal.Instant
  isDone: boolean
  texts: string[]
  record: Readonly<Record<string, unknown>>
}

interface Reference {
  taskId: string
  /** Of an inspection, `id` is its flow. */
  kind: "plan" | "equipment" | "inspection"
  id: string
  equipmentId: string | null
  vehicleId: string | null
  hubId: string | null
  name: string
  odometerMeters: number | null
  engineSeconds: number | null
}

/**
 * Listener of domain events: what finished tasks mean for vehicles and equipment. A task that a plan created is the
 * maintenance, an inspection notes defects, and a task with the code of equipment among its values belongs to its history.
 */
export async function noteFinishedTasks(
  tx: Tx,
  organizationId: string,
  event: StoredEventName,
  events: readonly DomainEvent[],
): Promise<void> {
  if (event !== "onTaskFinished") return
  const finished = new Map(events.map((one) => [one.referenceId, readFinished(one)]))
  for (const reference of await readReferences(tx, organizationId, [...finished.values()])) {
    const task = finished.get(reference.taskId)
    if (!task) continue
    if (reference.equipmentId) await noteAtEquipment(tx, organizationId, reference.equipmentId, task)
    if (reference.kind === "inspection" && reference.vehicleId)
      await noteDefects(tx, organizationId as Id<"organization">, {
        ...{
          taskId: task.taskId,
          vehicleId: reference.vehicleId,
          flowId: reference.id,
          hubId: reference.hubId,
        },
        ...{ foundBy: task.doneBy ?? "System", foundAt: task.doneAt, record: task.record },
      })
    if (reference.kind !== "plan") continue
    if (task.isDone) await notePlanDone(tx, organizationId, reference, task)
    else await notePlanFailed(tx, organizationId, reference.id)
  }
}

function readFinished(event: DomainEvent): Finished {
  const record = ("record" in event ? event.record : JSON.parse(event.recordJson)) as Record<string, unknown>
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : null)
  const doneAt = parseDateTime(String(record.doneTime ?? ""))
  return {
    taskId: event.referenceId,
    title: text(record.title)?.slice(0, 500) ?? null,
    flow: text(record.flow) ?? "",
    doneBy: text(record.doneBy),
    doneAt: doneAt === undefined ? Temporal.Now.instant() : Temporal.Instant.fromEpochMilliseconds(doneAt),
    isDone: record.outcome !== "failed" && record.outcome !== "returned",
    texts: textsOf(record),
    record,
  }
}

/** The values of the flow's components, and of the lines in its lists. */
function textsOf(record: Readonly<Record<string, unknown>>): string[] {
  const found = new Set<string>()
  const add = (value: unknown) => {
    if (typeof value !== "string" || found.size >= maxTexts) return
    const code = value.trim().toLowerCase()
    if (code !== "" && code.length <= maxCodeCharacters) found.add(code)
  }
  for (const [key, value] of Object.entries(record)) {
    if (reservedTaskKeys.has(key)) continue
    add(value)
    if (!Array.isArray(value)) continue
    for (const line of value as unknown[]) {
      if (typeof line === "object" && line !== null) Object.values(line).forEach(add)
      else add(line)
    }
  }
  return [...found]
}

/** One statement for any number of tasks; organizations without plans and equipment pay two looks into an index. */
function readReferences(tx: Tx, organizationId: string, tasks: readonly Finished[]): Promise<Reference[]> {
  const codes = tasks.flatMap(({ taskId, texts }) => texts.map((code) => ({ taskId, code })))
  return tx<Reference[]>`
    select plans.task_id, 'plan' as kind, plans.id, plans.equipment_id, plans.vehicle_id, plans.audit_hub_id as hub_id, plans.name, meters.odometer_meters,
      meters.engine_seconds
    from maintenance_plans plans
    left join vehicle_meters meters on meters.organization_id = plans.organization_id and meters.vehicle_id = plans.vehicle_id
    where plans.organization_id = ${organizationId} and plans.task_id = any (${tasks.map(({ taskId }) => taskId)})
    union all
    select task_id, 'inspection', flow_id, null, vehicle_id, vehicle_hub_id, '', null, null from vehicle_inspections
    where organization_id = ${organizationId} and task_id = any (${tasks.map(({ taskId }) => taskId)})
    union all
    select value.task_id, 'equipment', equipment.id, equipment.id, null, null, equipment.name, null, null
    from unnest(${codes.map(({ taskId }) => taskId)}::text[], ${codes.map(({ code }) => code)}::text[]) as value (task_id, code)
    join equipment on equipment.organization_id = ${organizationId} and lower(equipment.code) = value.code`.reusePlan()
}

async function noteAtEquipment(tx: Tx, organizationId: string, equipmentId: string, task: Finished) {
  await tx`
    insert into equipment_tasks (organization_id, equipment_id, task_id, title, flow, done_by, done_at)
    values (${organizationId}, ${equipmentId}, ${task.taskId}, ${task.title}, ${task.flow}, ${task.doneBy}, ${task.doneAt})
    on conflict (organization_id, equipment_id, task_id) do update set
      title = excluded.title, done_by = excluded.done_by, done_at = excluded.done_at`
}

async function notePlanDone(tx: Tx, organizationId: string, reference: Reference, task: Finished) {
  const { id: planId, vehicleId, equipmentId, hubId, name, odometerMeters, engineSeconds } = reference
  await writeEntry(
    tx,
    organizationId,
    {
      ...{ planId, vehicleId, equipmentId, hubId, name, odometerMeters, engineSeconds, taskId: task.taskId },
      ...{
        note: task.title,
        cost: null,
        readAt: task.doneAt,
        doneOn: await dayIn(tx, organizationId, task.doneAt),
      },
    },
    { by: task.doneBy ?? "System", now: task.doneAt },
  )
}

/** Somebody decides what happens next: another task would meet the same obstacle. */
async function notePlanFailed(tx: Tx, organizationId: string, planId: string) {
  await tx`
    update maintenance_plans set task_id = null, task_problem = 'The task was not successful'
    where organization_id = ${organizationId} and id = ${planId}`
}
