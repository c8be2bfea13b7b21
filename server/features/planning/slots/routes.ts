import { Type } from "typebox"
import { type Caller, hasHub, may } from "#core/access/caller.ts"
import { inTransaction, type Sql, type Tx } from "#core/database/database.ts"
import { whileConnected } from "#core/http/limits/heavy-requests.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { toT1 } from "#shared/wire-time.ts"
import { roadSupplyOf } from "../../location/roads/index.ts"
import { createTasks, findTasks, TaskBody, taskErrors } from "../../work/tasks/index.ts"
import { slotErrors } from "./errors.ts"
import { moveToSlot } from "./move-to-slot.ts"
import { bookSlot, hubOfSlot, offerSlots, type Slot } from "./offer-slots.ts"

const SlotSchema = Type.Object(
  {
    _id: Type.String(),
    hubId: Type.String(),
    startTime: Type.String(),
    endTime: Type.String(),
    heldUntil: Type.String({ description: "Until then it can be booked" }),
    extraMinutes: Type.Integer({ description: "Driving that the visit adds to the routes of its day" }),
    extraMeters: Type.Integer(),
  },
  { title: "AppointmentSlot" },
)

const Params = Type.Object({ slotId: IdSchema("slot") })

const roadsOf = (app: App, organizationId: string) =>
  roadSupplyOf({ config: app.settings, sql: app.sql, objects: app.objects }, organizationId)

export function slotRoutes(app: App): void {
  app.post("/slot/offers", {
    config: { anyOf: ["add/task", "edit/task"], admission: "waiting" },
    schema: {
      operationId: "offerSlots",
      summary: "List and hold the appointment windows that fit a visit, cheapest first",
      description:
        "Windows of the coming days in which a vehicle of the hub can make the visit in addition to its other work. They are held for ten minutes; booking one frees the others. To move an open task of the hub, send taskId: its present time counts as free, and it stays with its assignee.",
      body: Type.Object({
        hubId: IdSchema("hub"),
        coordinate: Type.String({ description: '"lat,lng" of the visit' }),
        visitTime: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 600, description: "Minutes on site, default 10" }),
        ),
        tags: Type.Optional(
          Type.Array(Type.String(), { maxItems: 10, description: "What the vehicle needs" }),
        ),
        days: Type.Optional(Type.Integer({ minimum: 1, maximum: 14, description: "From today, default 7" })),
        windowMinutes: Type.Optional(
          Type.Integer({ minimum: 30, maximum: 480, description: "Length of a window, default 120" }),
        ),
        count: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 10, description: "Windows to hold, default 5" }),
        ),
        taskId: Type.Optional(IdSchema("task")),
        replaces: Type.Optional(
          Type.Array(IdSchema("slot"), {
            maxItems: 10,
            description: "Held slots of an earlier offer for the same visit: they are freed first",
          }),
        ),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          data: Type.Array(SlotSchema, { description: "Empty if no vehicle has room" }),
        }),
      },
    },
    async handler({ sql, caller, body }, reply) {
      const position = parseLatLng(body.coordinate)
      if (!position) throw slotErrors.badInput({ fields: { coordinate: ['must be "latitude,longitude"'] } })
      if (!hasHub(caller, body.hubId)) throw slotErrors.badHub()
      const { hubId, visitTime = 10, tags = [], days = 7, windowMinutes = 120, count = 5 } = body
      const replaces = body.replaces?.map((id) => id.toLowerCase()) ?? []
      const task = body.taskId && (await findMovable(sql, caller, body.taskId, hubId))
      const query = {
        ...{ hubId, position, serviceMinutes: visitTime, tags, days, windowMinutes, count, replaces },
        ...(task ? { moves: { taskId: task.id, assignee: task.assignee[0] } } : {}),
      }
      const { organizationId } = caller
      const slots = await offerSlots(sql, organizationId, query, {
        now: app.clock.now(),
        roads: roadsOf(app, organizationId),
        signal: whileConnected(reply),
      })
      return { status: true as const, data: slots.map(toWire) }
    },
  })

  app.post("/slot/:slotId/book", {
    config: { anyOf: ["add/task", "edit/task"] },
    schema: {
      operationId: "bookSlot",
      summary: "Book a held appointment slot for a new task or for an open one",
      description:
        "The task gets the times of the slot, and a new one its hub. An open one takes its place in the planned day of its assignee. Exactly one of several bookings succeeds; the others, and bookings after the slot was held, return 409. Needs add/task with task, and edit/task with taskId.",
      params: Params,
      body: Type.Object({
        task: Type.Optional(TaskBody),
        taskId: Type.Optional(IdSchema("task")),
      }),
      response: {
        201: Type.Object({ status: Type.Literal(true), data: SlotSchema, taskId: Type.String() }),
      },
    },
    async handler({ sql, caller, params, body }, reply) {
      const { task, taskId } = body
      await checkSlot(sql, caller, params.slotId)
      if ((task === undefined) === (taskId === undefined))
        throw slotErrors.badInput({ fields: { task: ["either task or taskId is required"] } })
      if (!may(caller, task ? "add/task" : "edit/task")) throw taskErrors.forbidden()
      const { organizationId } = caller
      const context = { now: app.clock.now(), live: app.live, roads: roadsOf(app, organizationId) }
      const booked = await inTransaction(sql, (tx) =>
        bookSlot(tx, organizationId, params.slotId, context.now, (slot) =>
          task ? createAt(tx, caller, task, slot, context) : moveTo(tx, caller, taskId ?? "", slot, context),
        ),
      )
      reply.code(201)
      return { status: true as const, data: toWire(booked.slot), taskId: booked.taskId }
    },
  })
}

type Context = Parameters<typeof createTasks>[3]

async function createAt(
  tx: Tx,
  caller: Caller,
  task: TaskBody,
  slot: Slot,
  context: Context,
): Promise<string> {
  const { hubId } = slot
  const times = { startTime: slot.startsAt.toString(), endTime: slot.endsAt.toString() }
  const [created] = await createTasks(tx, caller, [{ ...task, hubId, ...times } as TaskBody], context)
  if (!created || "refusal" in created) throw created?.refusal ?? slotErrors.badInput()
  return created.task.id
}

async function moveTo(
  tx: Tx,
  caller: Caller,
  taskId: string,
  slot: Slot,
  context: Parameters<typeof moveToSlot>[4],
): Promise<string> {
  const task = await findMovable(tx, caller, taskId, slot.hubId)
  return (await moveToSlot(tx, caller, task, slot, context)).id
}

async function findMovable(sql: Sql, caller: Caller, taskId: string, hubId: string) {
  const [task] = await findTasks(sql, caller, [taskId])
  if (!task) throw taskErrors.notFound()
  if (task.hubId !== hubId || task.status === "DONE")
    throw slotErrors.badInput({ fields: { taskId: ["must be an open task of the hub"] } })
  return task
}

async function checkSlot(sql: Sql, caller: Caller, slotId: string): Promise<void> {
  const hubId = await hubOfSlot(sql, caller.organizationId, slotId)
  if (hubId === undefined || !hasHub(caller, hubId)) throw slotErrors.notFound()
}

function toWire({ id, hubId, startsAt, endsAt, heldUntil, extraSeconds, extraMeters }: Slot) {
  return {
    ...{ _id: id, hubId, extraMeters },
    startTime: toT1(startsAt),
    endTime: toT1(endsAt),
    heldUntil: toT1(heldUntil),
    extraMinutes: Math.round(extraSeconds / 60),
  }
}
