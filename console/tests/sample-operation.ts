import type { StartedFieldway } from "./started-fieldway.ts"

export interface SampleOperation {
  flowId: string
  taskIds: string[]
  dataTypeId: string
  /** A field user who moved on `day`, and how he signs in. */
  personId: string
  day: string
  fieldUser: { email: string; password: string }
}

const password = "field-User-1"
const people = ["Mara Visser", "Joris Blom", "Aisha Karim"] as const
const places = [
  { name: "Amsterdam", address: "Quay 1, Amsterdam", lat: 52.37, lng: 4.9 },
  { name: "Rotterdam", address: "Harbour 5, Rotterdam", lat: 51.92, lng: 4.48 },
] as const
const customers = [
  "Harbour Books",
  "Mill Bakery",
  "Canal Pharmacy",
  "Tower Optics",
  "Garden Café",
  "Station Kiosk",
  "Dike House",
]
const streets = ["Quay", "Mill Lane", "Canal", "Square", "Garden Row", "Platform", "Dike"]
const taskCount = 300

interface Entry {
  _id: string
  name: string
}

/** A courier's day, made through the API: hubs, people, tasks in every state, and positions of the last minutes. */
export async function sampleOperation(fieldway: StartedFieldway): Promise<SampleOperation> {
  const token = await fieldway.tokenOf(fieldway.owner.email, fieldway.owner.password)
  const call = <Answer>(method: string, path: string, body?: unknown) =>
    fieldway.call(token, method, path, body) as Promise<Answer>
  const hubs: Entry[] = []
  for (const place of places) hubs.push((await call<{ data: Entry }>("POST", "/hub", place)).data)
  const roles = (await call<{ data: Entry[] }>("GET", "/roles")).data
  const fieldRole = roles.find((role) => role.name === "field user")
  const emails: string[] = []
  const personIds: string[] = []
  for (const name of people) {
    const email = `${name.split(" ")[0]?.toLowerCase()}@northside.example`
    const made = await call<{ data: Entry }>("POST", "/user", {
      name,
      email,
      password,
      roleId: fieldRole?._id,
      hubId: hubs.map((hub) => hub._id),
    })
    emails.push(email)
    personIds.push(made.data._id)
  }
  const flows = (await call<{ flows: { data: Entry[] } }>("GET", "/flows?limit=-1")).flows.data
  const flow = flows.find((candidate) => candidate.name === "Delivery")
  if (!flow) throw new Error("the default flow Delivery is missing")
  const now = Date.now()
  const tasks = Array.from({ length: taskCount }, (_, index) => {
    const place = places[index % 3 === 0 ? 1 : 0]
    const hub = hubs[index % 3 === 0 ? 1 : 0]
    return {
      flow: flow.name,
      hubId: hub?._id,
      receiverName: `${customers[index % customers.length]} ${index + 1}`,
      deliveryAddress: `${streets[index % streets.length]} ${(index % 90) + 1}`,
      deliveryPoint: `${place.lat + Math.sin(index) * 0.12},${place.lng + Math.cos(index * 1.7) * 0.2}`,
      note: "Ring twice",
      startTime: new Date(now - 3 * 3_600_000).toISOString(),
      endTime: new Date(now + (((index * 37) % 26) - 4) * 3_600_000).toISOString(),
      ...(index % 4 === 0 ? {} : { assignee: [emails[index % 3]] }),
    }
  })
  const made = await call<{ tasks: Entry[] }>("POST", "/tasks/bulk", { tasks })
  const taskIds = made.tasks.map((task) => task._id)
  const finished = taskIds.filter((_, index) => index % 5 === 1 && index % 4 !== 0)
  await call("PATCH", "/tasks/bulk", { tasks: finished.map((_id) => ({ _id, status: "DONE" })) })
  await call("POST", "/location-history/bulk", {
    location_histories: emails.flatMap((email, person) => drive(email, person, now)),
  })
  return {
    flowId: flow._id,
    taskIds,
    dataTypeId: await sampleRecords(call, hubs),
    personId: personIds[0] ?? "",
    day: new Date(now).toISOString().slice(0, 10),
    fieldUser: { email: emails[0] ?? "", password },
  }
}

type Call = <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>

/** Customers as a data type with 150 records, and three vehicles. Answers the type's id. */
async function sampleRecords(call: Call, hubs: readonly Entry[]): Promise<string> {
  const field = (id: string, title: string, type: string) => ({ id, title, type })
  const { data_type: type } = await call<{ data_type: Entry }>("POST", "/data-type", {
    name: "Customers",
    fields: [
      { ...field("dataId", "Name", "primaryKey"), primaryKey: true },
      field("city", "City", "text"),
      field("opens", "Opens", "time"),
      field("limit", "Credit limit", "number"),
      { ...field("tier", "Tier", "option"), optionData: ["Gold", "Silver"] },
      field("active", "Active", "boolean"),
    ],
  })
  const records = Array.from({ length: 150 }, (_, index) => ({
    dataTypeId: type._id,
    hubId: hubs[index % 2]?._id,
    dataId: `${customers[index % customers.length]} ${index + 1}`,
    city: places[index % 2]?.name,
    opens: "08:30",
    limit: index * 50,
    tier: index % 3 === 0 ? "Gold" : "Silver",
    active: index % 4 !== 0,
  }))
  await call("POST", "/data/bulk", { data: records })
  await call("POST", "/vehicles", {
    vehicles: ["Van 1", "Van 2", "Cargo bike"].map((name, index) => ({
      name,
      hubId: hubs[index % 2]?._id,
      tags: index === 2 ? ["bike"] : ["cooled", "van"],
      capacity: { Weight: { min: 0, max: index === 2 ? 120 : 900 } },
    })),
  })
  return type._id
}

/** Twelve positions, five seconds apart; the third person has been silent for an hour. */
function drive(email: string, person: number, now: number) {
  const quiet = person === 2 ? 3_600_000 : 0
  return Array.from({ length: 12 }, (_, step) => ({
    email,
    lat: 52.36 + person * 0.02 + step * 0.002,
    lon: 4.86 + person * 0.03 + step * 0.004,
    speed: 22,
    createdTime: new Date(now - (12 - step) * 5_000 - quiet).toISOString(),
    data: { battery: 80 - person * 20 },
  }))
}
