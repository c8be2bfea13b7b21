import { type Caller, hasHub } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import { hubCountry } from "../../../organization/hubs/index.ts"
import { type Assignable, findAssignable } from "../../../people/users/index.ts"
import { type FlowRow, findFlow } from "../../flows/index.ts"
import { doneTimeOf } from "../complete/complete.ts"
import { demandedWhenMade } from "../complete/requirements.ts"
import { findOpenSubTasks, type OpenSubTask } from "../complete/sub-tasks.ts"
import { type DoneDay, dayOf, lockDoneDays } from "../read/done-order.ts"
import type { TaskRow } from "../wire.ts"
import { type ActivitySteps, stepsOf } from "./activity-master.ts"
import { assigneesOf } from "./assignees.ts"
import type { TaskChange } from "./change-tasks.ts"

/** What changes of tasks refer to, read before any of them is decided. */
export interface References {
  flows: ReadonlyMap<string, FlowRow>
  /** Hubs that exist and that the caller has. */
  hubs: ReadonlyMap<string, NonNullable<TaskRow["hub"]>>
  people: ReadonlyMap<string, Assignable>
  doneDays: Map<string, DoneDay>
  demanded: ReadonlyMap<string, ReadonlySet<string>>
  activities: ReadonlyMap<string, ActivitySteps>
  /** Of the tasks that are to be finished. */
  openSubTasks: readonly OpenSubTask[]
}

export function isFinishing(patch: { status?: string }): boolean {
  return patch.status?.toUpperCase() === "DONE"
}

export async function readReferences(
  tx: Tx,
  caller: Caller,
  tasks: readonly TaskRow[],
  changes: readonly TaskChange[],
  now: Temporal.Instant,
): Promise<References> {
  const edits = changes.filter(({ kind }) => kind === "patch" || kind === "put")
  const flows = new Map<string, FlowRow>()
  for (const flowId of edits.length > 0 ? new Set(tasks.map((task) => task.flowId)) : []) {
    const flow = await findFlow(tx, caller, flowId)
    if (flow) flows.set(flow.id, flow)
  }
  const finished = edits.filter(({ patch }) => isFinishing(patch))
  const finishedIds = new Set(finished.map(({ taskId }) => taskId.toLowerCase()))
  const finishedTasks = tasks.filter((task) => finishedIds.has(task.id))
  // Sent together. The last one locks: other calls that finish tasks of the same person wait until this one has committed.
  const [hubs, people, demanded, activities, openSubTasks, doneDays] = await Promise.all([
    readHubs(
      tx,
      caller,
      changes.flatMap(({ patch }) => patch.hubId?.toLowerCase() ?? []),
    ),
    readPeople(
      tx,
      caller,
      changes.flatMap(({ patch }) => assigneesOf(patch.assignee ? { assignee: patch.assignee } : {})),
    ),
    demandedWhenMade(tx, caller, finishedTasks, flows),
    stepsOf(tx, caller, tasks),
    findOpenSubTasks(tx, caller, finishedTasks),
    lockDoneDays(
      tx,
      caller,
      finished.flatMap(({ patch }) => dayOfDone(patch, now)),
    ),
  ])
  return { flows, hubs, people, demanded, activities, openSubTasks, doneDays }
}

/** A doneTime that will be refused names no day. */
function dayOfDone(patch: Readonly<Record<string, unknown>>, now: Temporal.Instant): string[] {
  try {
    return [dayOf(doneTimeOf(patch, now))]
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}

async function readHubs(tx: Tx, caller: Caller, hubIds: readonly string[]) {
  if (hubIds.length === 0) return new Map<string, NonNullable<TaskRow["hub"]>>()
  const hubs = await tx<NonNullable<TaskRow["hub"]>[]>`
    select id as _id, name, lat, lng, ${hubCountry(tx)} as country_code from hubs
    where organization_id = ${caller.organizationId} and id = any (${[...new Set(hubIds)]}) order by id for key share`
  return new Map(hubs.filter((hub) => hasHub(caller, hub._id)).map((hub) => [hub._id, hub]))
}

async function readPeople(
  tx: Tx,
  caller: Caller,
  emails: readonly string[],
): Promise<ReadonlyMap<string, Assignable>> {
  if (emails.length === 0) return new Map()
  const people = await findAssignable(tx, caller.organizationId, [...new Set(emails)], "")
  return new Map(people.map((person) => [person.email, person]))
}
