import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { changeTasks, type TaskRow } from "../../work/tasks/index.ts"
import type { Slot, SlotContext } from "./offer-slots.ts"
import { type NewPlace, placeInDay } from "./place-in-day.ts"
import { readHub } from "./slot-hub.ts"

type Context = Parameters<typeof changeTasks>[3] & Pick<SlotContext, "roads">

/**
 * Gives an open task of the slot's hub the times of the slot. Its assignee's planned stops of that day get the times and order
 * that the change leaves them. On another day the task leaves its plan.
 */
export async function moveToSlot(
  tx: Tx,
  caller: Caller,
  task: TaskRow,
  slot: Slot,
  { roads, ...context }: Context,
): Promise<TaskRow> {
  const { startsAt, endsAt } = slot
  const { timeZone } = await readHub(tx, caller.organizationId, slot.hubId)
  const dayOf = (at: Temporal.Instant) => at.toZonedDateTimeISO(timeZone).toPlainDate().toString()
  const isSameDay = dayOf(startsAt) === dayOf(task.startTime)
  const [place, ...others] = await placesOf(tx, { task, slot, isSameDay }, { now: context.now, roads })
  const change = {
    ...{ taskId: task.id, kind: "patch" as const },
    patch: { startTime: startsAt.toString(), endTime: endsAt.toString(), ...(place && patchOf(place)) },
    planned: {
      // A route is of one day.
      routingResultId: isSameDay ? task.routingResultId : null,
      // The plan's times and order are those of the appointment before.
      attributes: place?.attributes ?? { eta: null, etd: null, routePlannedOrder: null },
    },
  }
  const changes = others.map((other) => ({
    ...{ taskId: other.taskId, kind: "patch" as const, patch: patchOf(other) },
    planned: { routingResultId: other.routingResultId, attributes: other.attributes },
  }))
  const [changed] = await changeTasks(tx, caller, [change, ...changes], context)
  if (!changed) throw new Error(`the task ${task.id} was not changed`)
  if ("refusal" in changed) throw changed.refusal
  return changed.task
}

const patchOf = ({ orderIndex }: NewPlace) => ({ orderIndex })

/** The stop's place in the day that its assignee has in the slot's time, and what that changes for the stops after it. */
async function placesOf(
  tx: Tx,
  { task, slot, isSameDay }: { task: TaskRow; slot: Slot; isSameDay: boolean },
  context: Pick<SlotContext, "now" | "roads">,
): Promise<NewPlace[]> {
  const [email] = task.assignee
  if (email === undefined || task.status !== "ONGOING") return []
  const { routePlannedOrder: planned } = task.attributes
  const { hubId, serviceMinutes, startsAt, endsAt, lng, lat } = slot
  const moved = {
    ...{ id: task.id, hubId, email, serviceMinutes, position: [lng, lat] as const, startsAt, endsAt },
    before:
      isSameDay && typeof planned === "number"
        ? { orderIndex: task.orderIndex, routePlannedOrder: planned }
        : null,
  }
  return placeInDay(tx, task.organizationId, moved, context)
}
