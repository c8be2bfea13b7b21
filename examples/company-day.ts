/*
 * A day of a company through the HTTP API of a running server: three hubs, fifty workers, 2,000 tasks that
 * are planned, moved, handed over, worked on and finished, and the figures that the day must end with.
 *
 *   FIELDWAY_URL=http://127.0.0.1:8080 FIELDWAY_EMAIL=… FIELDWAY_PASSWORD=… node examples/company-day.ts
 *
 * Use an organization that you can throw away: what the day makes stays. The calls need no rate limit
 * (RATE_LIMIT=0), or wait for it: an answer 429 is repeated after a second.
 */
import assert from "node:assert/strict"
import { setTimeout as pause } from "node:timers/promises"

interface Answer {
  status: number
  // The API answers a different shape at every address; an example reads what it needs.
  body: Record<string, never>
}

export interface Day {
  url: string
  token: string
  workers?: number
  tasks?: number
}

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>

function caller(url: string, token: string): Call {
  return async (method, path, body) => {
    for (;;) {
      const reply = await fetch(`${url}/api/v3${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      if (reply.status === 429) {
        await pause(1000)
        continue
      }
      return { status: reply.status, body: (await reply.json()) as Answer["body"] }
    }
  }
}

async function expected(status: number, answer: Promise<Answer>): Promise<never> {
  const { status: got, body } = await answer
  assert.equal(got, status, JSON.stringify(body).slice(0, 500))
  return body as never
}

/** Signs in with e-mail and password. */
export async function signIn(url: string, email: string, password: string): Promise<string> {
  const reply = await fetch(`${url}/api/v3/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  })
  const { token } = (await reply.json()) as { token?: string }
  assert.ok(token, `signing in failed with ${reply.status}`)
  return token
}

/** Runs the day and returns what was done. Throws at the first surprise. */
export async function companyDay({ url, token, workers = 50, tasks = 2000 }: Day) {
  const call = caller(url, token)
  const mark = Date.now().toString(36)
  const hubs = await openHubs(call, mark)
  const roles: { data: { _id: string; name: string }[] } = await expected(200, call("GET", "/roles"))
  const fieldRole = roles.data.find(({ name }) => name === "field user")
  assert.ok(fieldRole, "there is no role for field users")
  const people = await hireWorkers(url, call, { hubs, roleId: fieldRole._id, mark, workers })
  const flow = `Delivery ${mark}`
  await expected(201, call("POST", "/flow", { name: flow, pages: pagesOfDelivery, configurations: [] }))

  const ids = await planTasks(call, { flow, hubs, people, tasks })
  await checkTotals(call, flow, { total: tasks, done: 0 })
  const moved = await moveSome(call, ids, hubs)
  const handedOver = await handOver(call, ids, people)
  const finished = await work(call, people, flow)
  await checkTotals(call, flow, { total: tasks, done: finished })
  await refuseWhatIsDone(call, flow)
  const deleted = await cancelSome(call, flow)
  await checkTotals(call, flow, { total: tasks - deleted, done: finished })
  return { tasks, moved, handedOver, finished, deleted }
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
        id: "outcome",
        component: "select",
        title: "Outcome",
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

async function openHubs(call: Call, mark: string): Promise<Hub[]> {
  const hubs: Hub[] = []
  for (const [name, lat, lng] of [
    ["North", 52.4, 4.9],
    ["South", 51.9, 4.5],
    ["East", 52.2, 6.9],
  ] as const) {
    const body = { name: `${name} ${mark}`, address: "Quay 1", lat, lng }
    const { data }: { data: Hub } = await expected(200, call("POST", "/hub", body))
    hubs.push(data)
  }
  return hubs
}

interface Worker {
  email: string
  hubId: string
  call: Call
}

async function hireWorkers(
  url: string,
  call: Call,
  { hubs, roleId, mark, workers }: { hubs: readonly Hub[]; roleId: string; mark: string; workers: number },
): Promise<Worker[]> {
  const people: Worker[] = []
  const password = `Day-${mark}-1x!`
  for (let number = 0; number < workers; number += 1) {
    const home = hubs[number % hubs.length]?._id ?? ""
    const email = `worker-${number}-${mark}@fieldway.example`
    const hubId = hubs.map((hub) => hub._id)
    await expected(201, call("POST", "/user", { name: `Worker ${number}`, email, roleId, hubId, password }))
    people.push({ email, hubId: home, call: caller(url, await signIn(url, email, password)) })
  }
  return people
}

async function planTasks(
  call: Call,
  {
    flow,
    hubs,
    people,
    tasks,
  }: { flow: string; hubs: readonly Hub[]; people: readonly Worker[]; tasks: number },
): Promise<string[]> {
  const bodies = Array.from({ length: tasks }, (_, number) => {
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
  const made: { success: number; failed: number; tasks: { _id: string }[] } = await expected(
    201,
    call("POST", "/tasks/bulk", { tasks: bodies }),
  )
  assert.deepEqual([made.success, made.failed], [tasks, 0])
  return made.tasks.map(({ _id }) => _id)
}

async function checkTotals(call: Call, flow: string, wanted: { total: number; done: number }): Promise<void> {
  const list: { tasks: { total: number }; metadata: { counting: { doneTotal: number } } } = await expected(
    200,
    call("GET", `/tasks?limit=1&flow=${encodeURIComponent(flow)}`),
  )
  assert.deepEqual({ total: list.tasks.total, done: list.metadata.counting.doneTotal }, wanted)
}

/** Every twentieth task goes to the next hub; people and state stay. */
async function moveSome(call: Call, ids: readonly string[], hubs: readonly Hub[]): Promise<number> {
  const chosen = ids.filter((_id, index) => index % 20 === 5)
  const tasks = chosen.map((_id, index) => ({ _id, hubId: hubs[index % hubs.length]?._id }))
  const { success }: { success: number } = await expected(200, call("PUT", "/tasks/bulk/move", { tasks }))
  assert.equal(success, chosen.length)
  return success
}

/** A worker falls ill: his tasks go to the next one; what nobody had goes to a third. */
async function handOver(call: Call, ids: readonly string[], people: readonly Worker[]): Promise<number> {
  const [, ill, second, third] = people
  assert.ok(ill && second && third)
  const list: { tasks: { data: { _id: string }[] } } = await expected(
    200,
    call("GET", `/tasks?status=ONGOING&limit=10000&fields=_id&assignee=${encodeURIComponent(ill.email)}`),
  )
  const unassigned = ids.filter((_id, index) => index % 10 === 0)
  const tasks = [
    ...list.tasks.data.map(({ _id }) => ({ _id, assignee: [second.email] })),
    ...unassigned.map((_id) => ({ _id, assignee: [third.email] })),
  ]
  const { success }: { success: number } = await expected(200, call("PUT", "/tasks/bulk/assign", { tasks }))
  assert.equal(success, tasks.length)
  return success
}

/** Each worker looks at his own tasks in order and finishes half of them, with one call as a phone that was offline. */
async function work(call: Call, people: readonly Worker[], flow: string): Promise<number> {
  let finished = 0
  for (const worker of people) {
    const mine: { tasks: { data: { _id: string; expectedCoordinate: string }[] } } = await expected(
      200,
      worker.call(
        "GET",
        `/tasks?status=ONGOING&sortBy=orderIndex&sortOrder=asc&limit=10000&assignee=${encodeURIComponent(worker.email)}`,
      ),
    )
    const half = mine.tasks.data.slice(0, Math.ceil(mine.tasks.data.length / 2))
    if (half.length === 0) continue
    const first = half[0]
    const refused = await worker.call("PATCH", `/task/${first?._id}`, { status: "DONE" })
    assert.equal(refused.status, 400, "a task without its outcome cannot be finished")
    const tasks = half.map(({ _id, expectedCoordinate }) => ({
      _id,
      status: "DONE",
      outcome: "Handed over",
      doneCoordinate: expectedCoordinate,
    }))
    const { success }: { success: number } = await expected(
      200,
      worker.call("PATCH", "/tasks/bulk", { tasks }),
    )
    assert.equal(success, half.length)
    finished += success
  }
  const done: { tasks: { total: number } } = await expected(
    200,
    call("GET", `/tasks?status=DONE&limit=1&flow=${encodeURIComponent(flow)}`),
  )
  assert.equal(done.tasks.total, finished)
  return finished
}

async function refuseWhatIsDone(call: Call, flow: string): Promise<void> {
  const done: { tasks: { data: { _id: string; hubId: string }[] } } = await expected(
    200,
    call("GET", `/tasks?status=DONE&limit=1&flow=${encodeURIComponent(flow)}`),
  )
  const task = done.tasks.data[0]
  assert.ok(task)
  await expected(400, call("PATCH", `/task/${task._id}`, { receiver: "Somebody else" }))
  await expected(400, call("PUT", `/task/${task._id}/assign`, { assignee: [] }))
  await expected(400, call("PUT", `/task/${task._id}/move`, { hubId: task.hubId }))
  await expected(400, call("DELETE", `/task/${task._id}`))
}

/** A customer cancels: his open tasks are deleted, and one of them comes back from the trash. */
async function cancelSome(call: Call, flow: string): Promise<number> {
  const open: { tasks: { data: { _id: string }[] } } = await expected(
    200,
    call("GET", `/tasks?status=ONGOING&limit=40&fields=_id&flow=${encodeURIComponent(flow)}`),
  )
  const tasks = open.tasks.data
  const { success }: { success: number } = await expected(200, call("DELETE", "/tasks/bulk", { tasks }))
  assert.equal(success, tasks.length)
  const trash: { data: { data: { _id: string; sourceId: string }[] } } = await expected(
    200,
    call("GET", "/trash?type=Task&limit=200"),
  )
  const entry = trash.data.data.find(({ sourceId }) => sourceId === tasks[0]?._id)
  assert.ok(entry, "a deleted task is in the trash")
  await expected(200, call("POST", `/trash/${entry._id}/restore`))
  await expected(200, call("GET", `/task/${entry.sourceId}`))
  return success - 1
}

if (import.meta.main) {
  const { FIELDWAY_URL = "http://127.0.0.1:8080", FIELDWAY_EMAIL, FIELDWAY_PASSWORD } = process.env
  assert.ok(FIELDWAY_EMAIL && FIELDWAY_PASSWORD, "set FIELDWAY_EMAIL and FIELDWAY_PASSWORD")
  const token = await signIn(FIELDWAY_URL, FIELDWAY_EMAIL, FIELDWAY_PASSWORD)
  const started = performance.now()
  const done = await companyDay({ url: FIELDWAY_URL, token })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(`${JSON.stringify(done)} in ${seconds} s, without a surprise\n`)
}
