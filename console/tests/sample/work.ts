import type { DemoWorker } from "../../../server/demo/seed.ts"
import type { Stage } from "../stage.ts"
import type { Call, Entry } from "./operation.ts"
import { picturePng } from "./pictures.ts"

export interface SampleOptions {
  stage: Stage
  token: string
  call: Call
  workers: readonly DemoWorker[]
}

export interface SampleWork {
  flowId: string
  taskId: string
  openTaskId: string
  dataTypeId: string
  hubs: Entry[]
}

const hourMilliseconds = 3_600_000
const receivers = ["Reception", "At the counter", "The neighbour at 14", "Back office"]
const openOfEachCourier = 4

/** Deliveries that are done since the morning, one of them with photos and a signature; records, teams, schedules. */
export async function sampleWork(options: SampleOptions): Promise<SampleWork> {
  const { call } = options
  const [{ flows }, { data: listedHubs }] = await Promise.all([
    call<{ flows: { data: Entry[] } }>("GET", "/flows?limit=-1"),
    call<{ data: Entry[] }>("GET", "/hubs"),
  ])
  const { data: users } = await call<{ data: { email: string; hubId: string[] }[] }>("GET", "/users?limit=-1")
  const ownHub = users.find(({ email }) => email === options.workers[0]?.email)?.hubId[0]
  // The depot of the first couriers first.
  const hubs = listedHubs.toSorted((one, other) => Number(other._id === ownHub) - Number(one._id === ownHub))
  const flow = flows.data.find(({ name }) => name === "Delivery")
  if (!flow) throw new Error("the default flow Delivery is missing")
  const finished = await finishMorning(options)
  const dataTypeId = await sampleRecords(call, hubs)
  await sampleSchedules(options, hubs, flow)
  await samplePeople(options, hubs)
  return { flowId: flow._id, ...finished, dataTypeId, hubs }
}

interface ListedTask {
  _id: string
  assignee: string[]
}

/** Of each courier's tasks all but the last few are done, spread over the hours before now. */
async function finishMorning(options: SampleOptions): Promise<{ taskId: string; openTaskId: string }> {
  const { call, workers } = options
  const listed = await call<{ tasks: { data: ListedTask[] } }>("GET", "/tasks?status=ONGOING&limit=-1")
  const done = workers.flatMap(({ email }) =>
    listed.tasks.data.filter(({ assignee }) => assignee.includes(email)).slice(openOfEachCourier),
  )
  const taskId = done[0]?._id ?? ""
  const [door, parcel, name] = await Promise.all([
    uploadPicture(options, taskId, 0, "proofPhoto", "door"),
    uploadPicture(options, taskId, 1, "proofPhoto", "parcel"),
    uploadPicture(options, taskId, 0, "receiverSignature", "signature"),
  ])
  const proof = { proofPhoto_0_url: door, proofPhoto_1_url: parcel, receiverSignature: name }
  await call("PATCH", `/task/${taskId}`, proof)
  await call("PATCH", "/tasks/bulk", {
    tasks: done.map(({ _id }, index) => ({
      _id,
      status: "DONE",
      doneTime: new Date(Date.now() - ((index * 7) % 11) * 0.6 * hourMilliseconds).toISOString(),
      receivedBy: receivers[index % receivers.length],
      deliveryResult: index % 9 === 4 ? "Delivered to a neighbour" : "Delivered",
    })),
  })
  const own = listed.tasks.data.find(({ assignee }) => assignee.includes(workers[0]?.email ?? ""))
  return { taskId, openTaskId: own?._id ?? "" }
}

async function uploadPicture(
  { stage, token }: SampleOptions,
  taskId: string,
  index: number,
  component: string,
  subject: "door" | "parcel" | "signature",
): Promise<string> {
  const name = `${taskId}_${index}_${component}`
  const form = new FormData()
  form.set("photo", new Blob([picturePng(subject)], { type: "image/png" }), `${name}.png`)
  const { url } = (await stage.send(token, `/task/photo/${name}`, form)) as { url: string }
  return url
}

/** Customers as a data type with 150 records. Returns the type's id. */
async function sampleRecords(call: Call, hubs: readonly Entry[]): Promise<string> {
  const field = (id: string, title: string, type: string) => ({ id, title, type })
  const { data_type: type } = await call<{ data_type: Entry }>("POST", "/data-type", {
    name: "Customers",
    fields: [
      { ...field("dataId", "Name", "primaryKey"), primaryKey: true },
      field("street", "Street", "text"),
      field("opens", "Opens", "time"),
      field("limit", "Credit limit", "number"),
      { ...field("tier", "Tier", "option"), optionData: ["Gold", "Silver"] },
      field("active", "Active", "boolean"),
    ],
  })
  const names = [
    "Harbour books",
    "Mill bakery",
    "Canal pharmacy",
    "Tower optics",
    "Garden café",
    "Station kiosk",
  ]
  const streets = ["18 de Julio", "Avenida Rivera", "Calle Colonia", "Bulevar España"]
  await call("POST", "/data/bulk", {
    data: Array.from({ length: 150 }, (_, index) => ({
      dataTypeId: type._id,
      hubId: hubs[index % hubs.length]?._id,
      dataId: `${names[index % names.length]} ${Math.floor(index / names.length) + 1}`,
      street: `${streets[index % streets.length]} ${1 + ((index * 13) % 180)}`,
      opens: index % 2 === 0 ? "08:30" : "09:00",
      limit: ((index * 7) % 40) * 50,
      tier: index % 3 === 0 ? "Gold" : "Silver",
      active: index % 4 !== 0,
    })),
  })
  return type._id
}

async function sampleSchedules(
  { call, workers }: SampleOptions,
  hubs: readonly Entry[],
  flow: Entry,
): Promise<void> {
  const year = new Date().getUTCFullYear()
  const common = {
    hubId: hubs[0]?._id,
    flowId: flow._id,
    startTime: new Date().toISOString().slice(0, 10),
    endTime: `${year + 1}-12-31`,
    timeZone: "America/Montevideo",
  }
  await call("POST", "/task/schedule", {
    ...common,
    name: "Fresh bread to the hotel",
    periode: "daily",
    task: { receiverName: "Hotel reception", deliveryAddress: "Calle Sarandí 512, Montevideo" },
    assignee: [workers[0]?.email],
    schedules: [{ time: ["06:30"] }],
  })
  await call("POST", "/task/schedule", {
    ...common,
    name: "Laundry round",
    periode: "weekly",
    task: { receiverName: "Dental practice", deliveryAddress: "Avenida Rivera 2040, Montevideo" },
    assignee: [],
    schedules: [
      { day: "monday", time: ["08:00"] },
      { day: "thursday", time: ["08:00", "15:00"] },
    ],
  })
}

export const invited = "new.dispatcher@demo.fieldway.example"
export const nightDesk = { email: "night@demo.fieldway.example", password: "Lantern-Quay-72" }
const policy = {
  name: "Office",
  minimumLength: 12,
  complexity: 3,
  passwordHistory: 3,
  expiration: 180,
  expirationNotificationDays: 14,
  minimumDuration: -1,
  accountLockout: 5,
  accountLockoutDuration: 30,
}

/** A role of their own, teams, a policy, a key for a tracker, an invitation that is on its way. */
async function samplePeople({ call, workers }: SampleOptions, hubs: readonly Entry[]): Promise<void> {
  const { data: roles } = await call<{ data: (Entry & { permissions: string[] })[] }>("GET", "/roles")
  const users = await call<{ data: { _id: string; email: string }[] }>("GET", "/users?limit=-1")
  const idOf = (email: string | undefined) => users.data.find((user) => user.email === email)?._id
  await Promise.all([
    call("POST", "/role", { name: "Warehouse", permissionList: ["view/task", "view/hub", "assign/task"] }),
    addNightDesk(call, hubs),
    call("POST", "/team", { name: "Morning round", hubId: hubs[0]?._id }),
    call("POST", "/team", { name: "Heavy goods", hubId: hubs[1]?._id }),
    call("POST", "/password-policies", policy),
    call("POST", "/device-key", { userId: idOf(workers[0]?.email), name: "Van 2, tracker" }),
    call("POST", "/token", {
      name: "Till of the shop",
      expires_at: new Date(Date.now() + 90 * 24 * hourMilliseconds).toISOString(),
    }),
    call("POST", "/user/invite", {
      email: [invited],
      roleId: roles.find(({ name }) => name === "planner")?._id,
      hubId: [hubs[0]?._id],
    }),
  ])
}

/** The night shift signs in with a code by e-mail as well as the password. */
async function addNightDesk(call: Call, hubs: readonly Entry[]): Promise<void> {
  const permissionList = ["view/task", "view/tracking", "view/hub", "security/otp-email"]
  const { data: role } = await call<{ data: Entry }>("POST", "/role", { name: "Night desk", permissionList })
  await call("POST", "/user", {
    name: "Night desk",
    roleId: role._id,
    hubId: hubs.map(({ _id }) => _id),
    ...nightDesk,
  })
}
