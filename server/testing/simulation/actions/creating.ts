import type { Reply } from "../../start-app.ts"
import { emailOfPhone, type ModelTask, workersIn } from "../model.ts"
import { type Action, aPlanner, during, once, type Step } from "../step.ts"
import { must } from "../violation.ts"

export const cities = ["Lisboa", "Porto", "Évora", "Faro", "São João", "O'Neill", "100%_off", ""]
export const sites = ["Quay", "mill", "Ärger", "depot 7", "Depot 10", "Zoo", "quay"]

export interface TaskBody {
  flow: string
  hubId: string
  siteName: string
  boxes?: number | null
  city?: string
  note?: string
  phone?: string
  email?: string
  refId?: string
  assignee?: string[]
  startTime: string
  endTime: string
}

/** A body as a client sends it. The window is the whole simulated day, so that workers may finish at any time. */
export function aBody(
  { random, company, world, index }: Step,
  hubId: string,
  more: Partial<TaskBody> = {},
): TaskBody {
  const start = world.clock.now().subtract({ minutes: random.integer(1, 300) })
  const people = workersIn(company, hubId)
  return {
    flow: company.flow.name,
    hubId,
    siteName: `${random.pick(sites)} ${index}`,
    ...(random.chance(0.7) ? { boxes: random.integer(0, 40) / 4 } : {}),
    ...(random.chance(0.7) ? { city: random.pick(cities) } : {}),
    ...(random.chance(0.3) ? { note: `call ${random.integer(1, 9)} times` } : {}),
    ...(random.chance(0.5) ? customer(random.integer(1000, 9999)) : {}),
    ...(people.length > 0 && random.chance(0.5)
      ? { assignee: random.some(people, random.integer(1, 2)).map(({ email }) => email) }
      : {}),
    startTime: wireTime(start),
    endTime: wireTime(start.add({ hours: 48 })),
    ...more,
  }
}

/** How a customer can be reached. */
const customer = (number: number) => ({
  phone: `+1415555${number}`,
  email: emailOfPhone(`+1415555${number}`),
})

const wireTime = (time: Temporal.Instant) =>
  time.round("second").toString().replace("T", " ").replace("Z", "")

function taskOf(id: string, body: TaskBody): ModelTask {
  return {
    id,
    hubId: body.hubId,
    status: body.assignee?.length ? "ONGOING" : "UNASSIGNED",
    assignee: body.assignee ?? [],
    siteName: body.siteName,
    boxes: body.boxes ?? null,
    city: body.city ?? null,
    note: body.note ?? null,
    refId: body.refId ?? null,
    phone: body.phone ?? null,
    startTime: body.startTime,
    isDeleted: false,
  }
}

export function created({ model }: Step, id: string, body: TaskBody): void {
  must(!model.tasks.has(id), "a new task has a new id", id)
  model.add(taskOf(id, body))
}

export const expectStatus = (reply: Reply, status: number, rule: string) =>
  must(reply.statusCode === status, rule, `${reply.statusCode} ${reply.body.slice(0, 300)}`)

const createTask: Action = {
  name: "create a task",
  weight: during(6, 18, 10),
  async run(step) {
    const { planner, hubId } = aPlanner(step)
    const body = aBody(step, hubId)
    const key = once(step)
    const reply = await step.world.persist(step.random, planner, (calls) => calls.post("/task", body, key))
    expectStatus(reply, 201, "a valid task is created")
    created(step, reply.json().task._id, body)
    step.model.keep({ person: planner, path: "/task", body, headers: key, reply })
  },
}

/** More statements than creating a task takes: the last ones meet no fault. */
const statements = 28

const createUnderFaults: Action = {
  name: "create tasks while the connection to the database breaks at each statement in turn",
  weight: during(6, 18, 1),
  async run(step) {
    for (let at = 1; at <= statements; at += 1) {
      const { planner, hubId } = aPlanner(step)
      const body = aBody(step, hubId)
      const key = once(step)
      const blow = step.random.pick(["before", "after", "away"] as const)
      const reply = await step.world.persist(
        step.random,
        planner,
        (calls) => calls.post("/task", body, key),
        { kind: "database", at, blow },
      )
      expectStatus(reply, 201, "a valid task is created")
      created(step, reply.json().task._id, body)
    }
  },
}

const createTwice: Action = {
  name: "create a task by two calls with one key at the same time",
  weight: during(6, 18, 2),
  async run(step) {
    const { planner, hubId } = aPlanner(step)
    const body = aBody(step, hubId)
    const key = once(step)
    const send = () => step.world.ask(step.random, planner, (calls) => calls.post("/task", body, key))
    const replies = await Promise.all([send(), send()])
    for (const reply of replies) expectStatus(reply, 201, "a repeated call has the first one's response")
    const ids = new Set(replies.map((reply) => reply.json().task._id as string))
    must(ids.size === 1, "two calls with one key create one task", [...ids])
    for (const id of ids) created(step, id, body)
  },
}

const createMany: Action = {
  name: "create tasks in bulk, some of them invalid",
  weight: during(6, 12, 4),
  async run(step) {
    const { random, world } = step
    const { planner, hubId } = aPlanner(step)
    const bodies = Array.from({ length: random.integer(2, 8) }, (_, place) => ({
      isValid: random.chance(0.8),
      body: aBody(step, hubId, { siteName: `bulk ${step.index}.${place}` }),
    }))
    const key = once(step)
    const tasks = bodies.map(({ body, isValid }) => (isValid ? body : { ...body, flow: "No such flow" }))
    const reply = await world.persist(random, planner, (calls) => calls.post("/tasks/bulk", { tasks }, key))
    expectStatus(reply, 201, "a bulk call is answered for each item")
    step.model.keep({ person: planner, path: "/tasks/bulk", body: { tasks }, headers: key, reply })
    const items = reply.json().tasks as { status: boolean; _id?: string }[]
    must(items.length === bodies.length, "a bulk response has an entry for each item")
    for (const [place, { body, isValid }] of bodies.entries()) {
      const item = items[place]
      must(item?.status === isValid, "invalid items fail, and valid ones succeed", items)
      if (item?._id) created(step, item._id, body)
    }
  },
}

const upsert: Action = {
  name: "create or change a task by its refId, several times at the same time",
  weight: during(5, 20, 5),
  async run(step) {
    const { random, world, model, company } = step
    const refId = `order-${random.integer(1, 30)}`
    const known = model.liveTasks().filter((task) => task.refId === refId)
    if (known.some(({ status }) => status === "DONE")) return
    const hubId = known[0]?.hubId ?? random.pick(company.hubs).id
    const body = aBody(step, hubId, { refId })
    delete body.assignee
    const send = () => world.ask(random, company.org.owner, (calls) => calls.put("/tasks/upsert", body))
    const replies = await Promise.all(Array.from({ length: random.chance(0.6) ? 4 : 1 }, send))
    // A restored task may have the refId of one that was created meanwhile.
    if (known.length > 1) {
      for (const reply of replies) expectStatus(reply, 400, "an upsert of two tasks is refused")
      return
    }
    for (const reply of replies) expectStatus(reply, 200, "an upsert succeeds")
    const events = replies.map((reply) => reply.json().event as string)
    const expected = known.length > 0 ? 0 : 1
    must(
      events.filter((event) => event === "create").length === expected,
      "one refId creates one task",
      events,
    )
    const id = replies[0]?.json().task._id as string
    const [task] = known
    if (!task) return created(step, id, body)
    must(task.id === id, "an upsert changes the task of its refId", [task.id, id])
    applyBody(task, body)
  },
}

/** Keys that a body leaves out stay as they were. */
export function applyBody(task: ModelTask, body: Partial<TaskBody>): void {
  if (body.siteName !== undefined) task.siteName = body.siteName
  if (body.boxes !== undefined) task.boxes = body.boxes
  if (body.city !== undefined) task.city = body.city
  if (body.note !== undefined) task.note = body.note
  if (body.phone !== undefined) task.phone = body.phone
  if (body.startTime !== undefined) task.startTime = body.startTime
}

export const creatingActions: readonly Action[] = [
  createTask,
  createUnderFaults,
  createTwice,
  createMany,
  upsert,
]
