import { type Caller, may } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { findOrganization } from "../../../organization/organizations/index.ts"
import { findFlow } from "../../flows/index.ts"
import { taskErrors } from "../errors.ts"
import { emitTasks, publishTasks } from "../events.ts"
import { findWritten, lockTasks } from "../queries.ts"
import { wasEverAssigned } from "../read/histories.ts"
import { type TaskRow, toWireTask } from "../wire.ts"
import type { ChangeContext } from "../write/change-tasks.ts"
import type { TaskPatch } from "../write/task-body.ts"
import { updateTasks } from "../write/write-tasks.ts"
import { readClientAttributes } from "./client-attributes.ts"
import { doneTimeOf } from "./complete.ts"
import { readValues } from "./component-values.ts"

/** More come from a client that repeats itself under new ids. */
const maxAdditions = 20
/** A task is read in lists: what is attached to it must not grow without limit. */
const maxBytes = 100_000

export interface Addition {
  /** Chosen by the client, so that a repeated call attaches nothing a second time. */
  additionId: string
  /** By the person who finished the task: the first completion stands, with the correction beside it. */
  isCorrection: boolean
  patch: TaskPatch
}

/** What one person entered for a task that another had finished before. */
interface StoredAddition {
  _id: string
  doneBy: string
  doneTime: string
  addedTime: string
  isCorrection?: true
  values: Record<string, unknown>
}

/**
 * Attaches a second completion to a task that is finished already, or that was given to somebody else meanwhile: two
 * people, or two phones, did the same work without a network. The first one stands; nothing of the second is lost.
 */
export async function addToFinished(
  tx: Tx,
  caller: Caller,
  taskId: string,
  { additionId, isCorrection, patch }: Addition,
  context: ChangeContext,
): Promise<{ task: TaskRow; warnings: string[] }> {
  // Also tasks that the caller no longer has: the history says whether they had it.
  const permissions = new Set([...caller.permissions].filter((name) => name !== "view/task/only-me"))
  const [task] = await lockTasks(tx, { ...caller, permissions }, [taskId])
  if (!task) throw taskErrors.notFound()
  const isAssigned = task.assignee.includes(caller.email)
  if (!isAssigned && !may(caller, "edit/task") && !(await wasEverAssigned(tx, task, caller.email)))
    throw taskErrors.notFound()
  const earlier = (task.attributes.additions ?? []) as StoredAddition[]
  if (earlier.some(({ _id }) => _id === additionId)) return { task, warnings: [] }
  if (task.status !== "DONE" && isAssigned)
    throw taskErrors.invalid({ message: "This task is open and yours. Finish it instead" })
  if (isCorrection) await checkCorrection(tx, caller, task, doneTimeOf(patch, context.now))
  const pages = (await findFlow(tx, caller, task.flowId))?.pages ?? []
  const { attributes, warnings } = readClientAttributes(patch, pages)
  const { values, problems } = readValues(pages, patch, "change")
  const addition = {
    ...attributes,
    _id: additionId,
    ...(isCorrection ? { isCorrection } : {}),
    doneBy: caller.email,
    doneTime: doneTimeOf(patch, context.now).toString(),
    addedTime: context.now.toString(),
    values,
  }
  const additions = [...earlier, addition]
  if (additions.length > maxAdditions || JSON.stringify(additions).length > maxBytes)
    throw taskErrors.invalid({ message: "Too much is attached to this task already. Ask your planner" })
  const next: TaskRow = {
    ...task,
    attributes: { ...task.attributes, additions },
    updatedBy: caller.email,
    updatedTime: context.now,
  }
  const entries = [{ taskId: task.id, action: "add" as const, changeData: toWireTask(task) }]
  await updateTasks(tx, caller, { tasks: [next], entries, now: context.now })
  const [written] = await findWritten(tx, caller, [task.id])
  if (!written) throw new Error("a task vanished in the transaction that added to it")
  await emitTasks(tx, context.live, "onTaskUpdated", [written])
  await publishTasks(tx, context.live, "task.updated", [written])
  const unread = problems.map(({ component, reason }) => `${component.title ?? component.id} ${reason}`)
  return { task: written, warnings: [...warnings, ...unread] }
}

/** Who finished a task may correct it for as long as the organization allows; who may edit tasks, always. */
async function checkCorrection(tx: Tx, caller: Caller, task: TaskRow, at: Temporal.Instant): Promise<void> {
  if (task.status !== "DONE" || !task.doneTime)
    throw taskErrors.invalid({ message: "This task is not finished" })
  if (may(caller, "edit/task")) return
  if (task.doneBy !== caller.email) throw taskErrors.forbidden()
  const { correctionMinutes } = (await findOrganization(tx, caller.organizationId)).configuration
  const minutes = typeof correctionMinutes === "number" ? correctionMinutes : 0
  if (Temporal.Instant.compare(at, task.doneTime.add({ minutes })) > 0) throw taskErrors.notCorrectable()
}
