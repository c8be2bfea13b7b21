import { inTransaction, type Sql, type Tx } from "#core/database/database.ts"
import { AppError, isBusy } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { roadSupplyOf } from "../../location/roads/index.ts"
import {
  bookSlot,
  findHeldSlot,
  moveToSlot,
  offerSlots,
  releaseSlots,
  type Slot,
} from "../../planning/slots/index.ts"
import { customerCaller, type Sender } from "./sender.ts"
import { findTaskOf, type TrackingView } from "./view.ts"

const roadsOf = (app: App, organizationId: string) =>
  roadSupplyOf({ config: app.settings, sql: app.sql, objects: app.objects }, organizationId)

const maxSlots = 6
const serviceMinutes = 30
/** Nearer than this the appointment stays as it is. */
const minHoursBefore = 2

/** Whether the customer may choose another time: it is planned, has a place and is not about to begin. */
export function isReschedulable({ view, sender }: KnownPage, now: Temporal.Instant): boolean {
  return (
    sender.settings.allowReschedule &&
    view.state === "planned" &&
    view.destination !== null &&
    !view.requests.customerCancellation &&
    now.until(view.start).total("hours") >= minHoursBefore
  )
}

interface KnownPage {
  view: TrackingView
  sender: Sender
}

/** Times that fit the plan, in their order; they are held for ten minutes. `before`: an earlier offer, which is freed. */
export async function offerTimes(
  app: App,
  page: KnownPage,
  before: string,
  signal: AbortSignal,
): Promise<Slot[] | "busy"> {
  const { view, sender } = page
  const { organizationId, settings } = sender
  const now = app.clock.now()
  if (!isReschedulable(page, now) || !view.destination) return []
  const held = before.split(" ", maxSlots).filter((id) => /^[0-9a-f]{24}$/.test(id))
  await releaseSlots(app.sql, organizationId, held, view.hubId)
  const query = {
    hubId: view.hubId,
    position: [view.destination.lng, view.destination.lat] as const,
    ...{ serviceMinutes, tags: [], count: maxSlots },
    days: settings.rescheduleDays,
    windowMinutes: settings.rescheduleWindowMinutes,
    moves: { taskId: view.taskId, assignee: await firstAssignee(app.sql, organizationId, view.taskId) },
  }
  try {
    const slots = await offerSlots(app.sql, organizationId, query, {
      now,
      roads: roadsOf(app, organizationId),
      signal,
    })
    const others = slots.filter(({ startsAt }) => !startsAt.equals(view.start))
    return others.toSorted((one, other) => Temporal.Instant.compare(one.startsAt, other.startsAt))
  } catch (error) {
    if (isBusy(error)) return "busy"
    if (error instanceof AppError) return []
    throw error
  }
}

async function firstAssignee(sql: Sql, organizationId: string, taskId: string): Promise<string | undefined> {
  return (await findTaskOf(sql, organizationId, taskId))?.assignee[0]
}

/** Called with the change, in its transaction. */
export type OnRescheduled = (
  tx: Tx,
  context: { pool: Sql; now: Temporal.Instant },
  task: { organizationId: string; id: string; startTime: Temporal.Instant; endTime: Temporal.Instant },
) => Promise<void>

/** Moves the task into a held time. False when it is no longer held, or was offered for something else. */
export async function chooseTime(
  app: App,
  page: KnownPage,
  slotId: string,
  onRescheduled: OnRescheduled,
): Promise<boolean> {
  const { organizationId } = page.sender
  const { destination, hubId, taskId } = page.view
  const now = app.clock.now()
  if (!isReschedulable(page, now) || !destination || !/^[0-9a-f]{24}$/.test(slotId)) return false
  return inTransaction(app.sql, async (tx) => {
    const [slot, task] = await Promise.all([
      findHeldSlot(tx, organizationId, slotId, now),
      findTaskOf(tx, organizationId, taskId),
    ])
    const isSamePlace =
      slot && Math.abs(slot.lng - destination.lng) < 1e-5 && Math.abs(slot.lat - destination.lat) < 1e-5
    if (!isSamePlace || slot.hubId !== hubId || !task || task.status === "DONE") return false
    await bookSlot(tx, organizationId, slot.id, now, async () => {
      const context = { now, live: app.live, roads: roadsOf(app, organizationId) }
      await moveToSlot(tx, customerCaller(organizationId), task, slot, context)
      const moved = { organizationId, id: task.id, startTime: slot.startsAt, endTime: slot.endsAt }
      await onRescheduled(tx, { pool: app.sql, now }, moved)
      return task.id
    })
    return true
  })
}
