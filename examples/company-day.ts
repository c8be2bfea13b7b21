/*
 * A day of a company through the HTTP API of a running server: three hubs, fifty workers, 2,000 tasks that
 * are planned, moved, handed over, worked on and finished, schedules that are tried, paused and run by hand, and
 * the figures that the day must end with.
 *
 *   FIELDWAY_URL=http://127.0.0.1:8080 FIELDWAY_EMAIL=… FIELDWAY_PASSWORD=… node examples/company-day.ts
 *
 * Use an organization that you can throw away: what the day makes stays. Where the server limits
 * the rate of calls, the client waits as requested.
 */
import assert from "node:assert/strict"
import { ApiError, createFieldway, type Fieldway } from "../packages/api-client/src/index.ts"

export interface Day {
  url: string
  email: string
  password: string
  workers?: number
  tasks?: number
}

type Calls = Fieldway["api"]

/** The calls of somebody who signs in, with patience for a server that limits their rate. */
async function callsOf(url: string, email: string, password: string): Promise<Calls> {
  const fieldway = createFieldway({ url, retries: 100 })
  await fieldway.signIn(email, password)
  return fieldway.api
}

async function isRefused(call: Promise<unknown>, why: string): Promise<void> {
  await assert.rejects(call, (error) => error instanceof ApiError && error.status === 400, why)
}

/** Runs the day and returns what was done. Throws at the first surprise. */
export async function companyDay({ url, email, password, workers = 50, tasks = 2000 }: Day) {
  const api = await callsOf(url, email, password)
  const mark = Date.now().toString(36)
  const hubs = await openHubs(api, mark)
  const roles = await api.listRoles()
  const fieldRole = roles.data.find(({ name }) => name === "field user")
  assert.ok(fieldRole, "there is no role for field users")
  const people = await hireWorkers(url, api, { hubs, roleId: fieldRole._id, mark, workers })
  const flow = `Delivery ${mark}`
  await api.createFlow({ body: { name: flow, pages: pagesOfDelivery, configurations: [] } })

  const ids = await planTasks(api, { flow, hubs, people, tasks })
  await checkTotals(api, flow, { total: tasks, done: 0 })
  const moved = await moveSome(api, ids, hubs)
  const handedOver = await handOver(api, ids, people)
  const finished = await work(api, people, flow)
  await checkTotals(api, flow, { total: tasks, done: finished })
  await refuseWhatIsDone(api, flow)
  const deleted = await cancelSome(api, flow)
  await checkTotals(api, flow, { total: tasks - deleted, done: finished })
  const scheduled = await planSchedules(api, { flow, hubs, people })
  await checkTotals(api, flow, { total: tasks - deleted + scheduled, done: finished })
  return { tasks, moved, handedOver, finished, deleted, scheduled }
}

const pagesOfDelivery = [
  {
    id: "page0",
    components: [
      {
        id: "receiver",
        component: "input",
        type: "String",
        title: "Receiver",
        required: true,
        showAs: "title",
      },
      { id: "place", component: "input", type: "Geolocation", title: "Place", showAs: "expectedCoordinate" },
      { id: "parcels", component: "input", type: "Numeric", title: "Parcels", default: 1 },
    ],
  },
  {
    id: "page1",
    components: [
      {
        id: "delivered",
        component: "select",
        title: "Delivered",
        options: ["Handed over", "Left at the door"],
        min: 1,
        max: 1,
      },
    ],
  },
]

interface Hub {
  _id: string
  lat: number
  lng: number
}

async function openHubs(api: Calls, mark: string): Promise<Hub[]> {
  const hubs: Hub[] = []
  for (const [name, lat, lng] of [
    ["North", 52.4, 4.9],
    ["South", 51.9, 4.5],
    ["East", 52.2, 6.9],
  ] as const) {
    const { data } = await api.createHub({ body: { name: `${name} ${mark}`, address: "Quay 1", lat, lng } })
    hubs.push({ _id: data._id, lat, lng })
  }
  return hubs
}

interface Worker {
  email: string
  hubId: string
  api: Calls
}

async function hireWorkers(
  url: string,
  api: Calls,
  { hubs, roleId, mark, workers }: { hubs: readonly Hub[]; roleId: string; mark: string; workers: number },
): Promise<Worker[]> {
  const people: Worker[] = []
  const password = "Parcels-at-noon-1x!"
  for (let number = 0; number < workers; number += 1) {
    const home = hubs[number % hubs.length]?._id ?? ""
    const email = `worker-${number}-${mark}@fieldway.example`
    const hubId = hubs.map((hub) => hub._id)
    await api.createUser({ body: { name: `Worker ${number}`, email, roleId, hubId, password } })
    people.push({ email, hubId: home, api: await callsOf(url, email, password) })
  }
  return people
}

interface Plan {
  flow: string
  hubs: readonly Hub[]
  people: readonly Worker[]
  tasks: number
}

async function planTasks(api: Calls, { flow, hubs, people, tasks: count }: Plan): Promise<string[]> {
  const tasks = Array.from({ length: count }, (_, number) => {
    const worker = people[number % people.length]
    const hub = hubs.find(({ _id }) => _id === worker?.hubId) ?? hubs[0]
    return {
      flow,
      hubId: hub?._id,
      receiver: `Receiver ${number}`,
      place: `${(hub?.lat ?? 0) + (number % 50) / 1000},${(hub?.lng ?? 0) + (number % 40) / 1000}`,
      refId: `order-${number}`,
      ...(number % 10 === 0 ? {} : { assignee: [worker?.email] }),
    }
  })
  const made = await api.createTasks({ body: { tasks } })
  assert.ok("tasks" in made, "tasks were not made at once")
  assert.deepEqual([made.success, made.failed], [count, 0])
  return made.tasks.map(({ _id }) => String(_id))
}

async function checkTotals(api: Calls, flow: string, wanted: { total: number; done: number }): Promise<void> {
  const { tasks, metadata } = await api.listTasks({ query: { limit: 1, flow } })
  assert.deepEqual({ total: tasks.total, done: metadata.counting.doneTotal }, wanted)
}

/** Every twentieth task goes to the next hub; people and state stay. */
async function moveSome(api: Calls, ids: readonly string[], hubs: readonly Hub[]): Promise<number> {
  const chosen = ids.filter((_id, index) => index % 20 === 5)
  const tasks = chosen.map((_id, index) => ({ _id, hubId: hubs[index % hubs.length]?._id }))
  const { success } = await api.moveTasks({ body: { tasks } })
  assert.equal(success, chosen.length)
  return success
}

/** A worker falls ill: their tasks go to the next one; what nobody had goes to a third. */
async function handOver(api: Calls, ids: readonly string[], people: readonly Worker[]): Promise<number> {
  const [, ill, second, third] = people
  assert.ok(ill && second && third)
  const query = { status: "ONGOING", limit: 10_000, fields: "_id", assignee: ill.email }
  const { tasks: assigned } = await api.listTasks({ query })
  const unassigned = ids.filter((_id, index) => index % 10 === 0)
  const tasks = [
    ...assigned.data.map(({ _id }) => ({ _id, assignee: [second.email] })),
    ...unassigned.map((_id) => ({ _id, assignee: [third.email] })),
  ]
  const { success } = await api.assignTasks({ body: { tasks } })
  assert.equal(success, tasks.length)
  return success
}

/** Each worker looks at their own tasks in order and finishes half of them, with one call as a phone that was offline. */
async function work(api: Calls, people: readonly Worker[], flow: string): Promise<number> {
  let finished = 0
  for (const worker of people) {
    const query = { status: "ONGOING", sortBy: "orderIndex", sortOrder: "asc", limit: 10_000 }
    const { tasks: mine } = await worker.api.listTasks({ query: { ...query, assignee: worker.email } })
    const half = mine.data.slice(0, Math.ceil(mine.data.length / 2))
    const first = half[0]
    if (!first) continue
    const early = worker.api.patchTask({ path: { taskId: String(first._id) }, body: { status: "DONE" } })
    await isRefused(early, "a task without its outcome cannot be finished")
    const tasks = half.map(({ _id, expectedCoordinate }) => ({
      _id,
      status: "DONE",
      delivered: "Handed over",
      doneCoordinate: expectedCoordinate,
    }))
    const { success } = await worker.api.patchTasks({ body: { tasks } })
    assert.equal(success, half.length)
    finished += success
  }
  const done = await api.listTasks({ query: { status: "DONE", limit: 1, flow } })
  assert.equal(done.tasks.total, finished)
  return finished
}

async function refuseWhatIsDone(api: Calls, flow: string): Promise<void> {
  const done = await api.listTasks({ query: { status: "DONE", limit: 1, flow } })
  const task = done.tasks.data[0]
  assert.ok(task)
  const path = { taskId: String(task._id) }
  await isRefused(api.patchTask({ path, body: { receiver: "Somebody else" } }), "it cannot be edited")
  await isRefused(api.assignTask({ path, body: { assignee: [] } }), "it cannot be given back")
  await isRefused(api.moveTask({ path, body: { hubId: String(task.hubId) } }), "it cannot be moved")
  await isRefused(api.deleteTask({ path }), "it cannot be deleted")
}

/** A customer cancels: their open tasks are deleted, and one of them comes back from the trash. */
async function cancelSome(api: Calls, flow: string): Promise<number> {
  const open = await api.listTasks({ query: { status: "ONGOING", limit: 40, fields: "_id", flow } })
  const tasks = open.tasks.data.map(({ _id }) => ({ _id: String(_id) }))
  const { success } = await api.deleteTasks({ body: { tasks } })
  assert.equal(success, tasks.length)
  const trash = await api.listTrash({ query: { type: "Task", limit: 200 } })
  const entry = trash.data.find(({ sourceId }) => sourceId === tasks[0]?._id)
  assert.ok(entry?._id, "a deleted task is in the trash")
  await api.restoreTrash({ path: { trashId: entry._id } })
  await api.getTask({ path: { taskId: tasks[0]?._id ?? "" } })
  return success - 1
}

const daysAhead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** A round of every hub, from tomorrow on: tried before it is saved, one day left out, paused, and run once by hand. */
async function planSchedules(
  api: Calls,
  { flow, hubs, people }: { flow: string; hubs: readonly Hub[]; people: readonly Worker[] },
): Promise<number> {
  for (const [index, hub] of hubs.entries()) {
    const worker = people.find(({ hubId }) => hubId === hub._id)
    assert.ok(worker)
    const body = {
      name: `Round ${index + 1}`,
      hubId: hub._id,
      flow,
      task: { receiver: `Round ${index + 1}`, place: `${hub.lat},${hub.lng}` },
      assignee: [worker.email],
      periode: "daily" as const,
      startTime: daysAhead(1),
      endTime: daysAhead(7),
      schedules: [{ time: ["06:30", "13:15"] }],
    }
    const { data: preview } = await api.previewSchedule({ body: { ...body, limit: 50 } })
    assert.equal(preview.runs.length, 14, "twice a day for seven days")
    const { data: schedule } = await api.createSchedule({ body })
    const path = { scheduleId: schedule._id }
    await api.skipScheduleDate({ path, body: { date: daysAhead(2) } })
    await api.pauseSchedule({ path })
    await api.resumeSchedule({ path })
    await api.runSchedule({ path })
    const { taskSchedules: after } = await api.getSchedule({ path })
    assert.equal(after.logExecuted.status, "SUCCESS")
    const { task } = await api.getTask({ path: { taskId: String(after.logExecuted.taskId) } })
    assert.deepEqual([task.createdFrom, task.status, task.hubId], ["SCHEDULER", "ONGOING", hub._id])
  }
  return hubs.length
}

if (import.meta.main) {
  const { FIELDWAY_URL: url = "http://127.0.0.1:8080" } = process.env
  const { FIELDWAY_EMAIL: email, FIELDWAY_PASSWORD: password } = process.env
  assert.ok(email && password, "set FIELDWAY_EMAIL and FIELDWAY_PASSWORD")
  const started = performance.now()
  const done = await companyDay({ url, email, password })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(`${JSON.stringify(done)} in ${seconds} s, without a surprise\n`)
}
