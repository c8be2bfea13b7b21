import type { Id } from "#core/ids.ts"
import type { Permission } from "#core/permissions.ts"
import {
  aDataType,
  aFlow,
  aHub,
  anOrganization,
  aTask,
  aUser,
  type Organization,
  type Person,
} from "#samples/builders.ts"
import { aTracker } from "#samples/location-builders.ts"
import { aSchedule } from "#samples/schedule-builder.ts"
import type { FlowPage } from "../../features/work/flows/index.ts"
import { randomOf } from "./random.ts"
import { must } from "./violation.ts"
import type { World } from "./world.ts"

interface Hub {
  id: Id<"hub">
  name: string
}

interface Holder {
  id: string
  holder: { hubId: string } | { vehicleId: string }
  email?: string
}

type Part = "owner" | "planner" | "clerk" | "helper" | "worker"

export interface Member extends Person {
  part: Part
  hubIds: readonly string[]
}

/** Who works where, and what they work with. It does not change during a run, except for what actions change. */
export interface Company {
  org: Organization
  hubs: readonly Hub[]
  flow: { id: string; name: string }
  dataTypeId: string
  /** A part and the vehicles and hub that have it; vans belong to a worker. */
  parts: { itemId: string; name: string; holders: readonly Holder[] }
  /** Drives a vehicle with a tracker. */
  tracked: { driver: Person; imei: string }
  members: readonly Member[]
  workers: readonly Member[]
  /** Those who write tasks: the owner everywhere, planners in their hubs. */
  planners: readonly Member[]
  /** Since when the schedule is followed. */
  scheduledFrom: Temporal.Instant
  /** Another organization of the same installation, which has things of its own. */
  stranger: { person: Person; taskId: string }
}

const input = { component: "input", required: false }
const pages: FlowPage[] = [
  {
    id: "page0",
    components: [
      { ...input, id: "siteName", type: "String", title: "Site", required: true, showAs: "title" },
      { ...input, id: "boxes", type: "number", title: "Boxes", workerCanEdit: true },
      { ...input, id: "city", type: "String", title: "City", showAs: "content" },
      { ...input, id: "note", type: "String", title: "Note", workerCanEdit: true },
      { id: "phone", component: "input", type: "PhoneNumber", title: "Phone" },
      { ...input, id: "email", type: "String", title: "E-mail" },
      { id: "parts", component: "list", title: "Parts", stock: true },
    ],
  },
]

const planning = [
  "view/task",
  "add/task",
  "edit/task",
  "assign/task",
  "move/task",
  "delete/task",
  "export/task",
  "import/data",
  "view/trash",
  "view/data",
  "add/data",
  "edit/data",
  "delete/data",
  "view/tracking",
  "view/hub",
  "view/user",
] as const

/** The hours of the day, in UTC, at which the schedule makes a task. */
export const hoursOfSchedule: readonly number[] = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22]

/** Euro of one short message. */
export const messageCost = 0.07

/** The events that the integrator of the company wants to know. */
export const watchedEvents = ["onTaskCreated", "onTaskFinished", "onTaskDeleted"] as const

export async function aCompany(world: World): Promise<Company> {
  const { sql, clock, receiver } = world
  const org = await anOrganization(sql, { timeZone: "UTC" })
  const hubs: Hub[] = []
  for (const name of ["Harbour", "Station", "Airport"]) hubs.push(await aHub(sql, { org, name }))
  const [harbour, station, airport] = hubs as [Hub, Hub, Hub]
  const flow = await aFlow(sql, { org, name: "Rounds", pages })
  const dataType = await aDataType(sql, { org, name: "Customers" })
  const member = async (
    part: Part,
    places: readonly Hub[],
    permissions: readonly Permission[],
  ): Promise<Member> => ({
    ...(await aUser(sql, { org, hubs: places, permissions })),
    part,
    hubIds: places.map(({ id }) => id),
  })
  const doing: Permission[] = ["view/task", "view/task/only-me", "do/task"]
  const members: Member[] = [
    { ...org.owner, part: "owner", hubIds: hubs.map(({ id }) => id) },
    await member("planner", [harbour, station], planning),
    await member("planner", [airport], planning),
    await member("clerk", [station], ["view/task", "view/data"]),
    await member("helper", [harbour, station], ["view/task", "do/task"]),
    await member("worker", [harbour], doing),
    await member("worker", [harbour, station], doing),
    await member("worker", [airport], doing),
  ]
  for (const event of watchedEvents) {
    const automation = {
      ...{ name: event, event, dataType: "task", automationType: "webhook" },
      automationDetails: { url: receiver.url, retry: "exponential", signature: true },
    }
    const reply = await world.ask(randomOf(event), org.owner, (calls) =>
      calls.post("/automation", automation),
    )
    must(reply.statusCode === 200, "a webhook can be made", reply.body.slice(0, 200))
  }
  const driver = await aUser(sql, { org, hubs: [harbour], role: "field user" })
  const tracker = await aTracker(sql, { org, person: driver })
  const workers = members.filter(({ part }) => part === "worker")
  const parts = await someStock(world, org.owner, harbour, workers)
  await messageChannels(world, org.owner)
  const scheduledFrom = clock.now()
  await aSchedule(sql, {
    ...{ org, hub: harbour, flow, name: "Patrol", task: { siteName: "Patrol" } },
    recurrence: {
      ...{ periode: "daily", startTime: "2000-01-01", endTime: "2199-12-31" },
      schedules: hoursOfSchedule.map((hour) => ({ time: `${String(hour).padStart(2, "0")}:00` })),
    },
    handledUntil: scheduledFrom,
    nextRunAt: scheduledFrom,
  })
  const other = await anOrganization(sql)
  const otherHub = await aHub(sql, { org: other })
  const otherFlow = await aFlow(sql, { org: other, name: "Rounds", pages })
  const task = await aTask(sql, {
    org: other,
    hub: otherHub,
    flow: otherFlow,
    values: { siteName: "Elsewhere" },
  })
  return {
    org,
    hubs,
    flow,
    dataTypeId: dataType.id,
    members,
    workers,
    parts,
    tracked: { driver, imei: tracker.imei },
    scheduledFrom,
    planners: members.filter(({ part }) => part === "owner" || part === "planner"),
    stranger: { person: other.owner, taskId: task.id },
  }
}

async function created(world: World, owner: Person, path: string, body: object) {
  const reply = await world.ask(randomOf(path), owner, (calls) => calls.post(path, body))
  must([200, 201].includes(reply.statusCode), "what a company needs can be made", reply.body.slice(0, 200))
  return reply.json().data
}

/** A hub with filters, and a van for two of the workers. */
async function someStock(world: World, owner: Person, hub: Hub, workers: readonly Member[]) {
  const name = "Filter 22 mm"
  const item = await created(world, owner, "/stock-item", { code: "F-22", name })
  const holders: Holder[] = [{ id: hub.id, holder: { hubId: hub.id } }]
  for (const { email } of workers.slice(0, 2)) {
    const body = { name: `Van of ${email}`, hubId: hub.id, assignee: email }
    const van = await created(world, owner, "/vehicle", body)
    holders.push({ id: van._id, holder: { vehicleId: van._id }, email })
  }
  return { itemId: item._id as string, name, holders }
}

/** Customers are notified by short message and by mail that their task is finished. */
async function messageChannels(world: World, owner: Person): Promise<void> {
  const settings = { quietFrom: "00:00", quietTo: "00:00" }
  const reply = await world.ask(randomOf("messages"), owner, (calls) =>
    calls.put("/customer-message-settings", settings),
  )
  must(reply.statusCode === 200, "messages can be set up", reply.body.slice(0, 200))
  const channel = world.provider.channel({ lookup: true, cost: messageCost, dailyCap: 10_000 })
  for (const body of [channel, { name: "Mail", kind: "email" }]) {
    const { _id } = await created(world, owner, "/customer-message-channel", body)
    await created(world, owner, "/customer-message-template", { event: "done", channelId: _id })
  }
}
