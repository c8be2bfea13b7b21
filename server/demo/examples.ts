import { formatLatLng } from "#packages/geodesy/lng-lat-text.ts"
import type { DemoApi } from "./api.ts"
import { depots, timeZone } from "./city.ts"
import { seededRandom } from "./random.ts"

const plannedVisits = 100
const vansOfRound = 3
/** One courier of each depot, who will not be in time with everything. */
const behind = ["worker-3", "worker-8", "worker-13"]
const customers = 24

/** One of everything else that people look for: data records, a schedule, an automation, areas, alerts, and a plan of the west depot. */
export async function seedExamples(owner: DemoApi, now: Temporal.Instant): Promise<void> {
  const hubs = await owner.call<{ data: { _id: string; name: string }[] }>("GET", "/hubs")
  const hubId = (name: string) => hubs.data.find((hub) => hub.name === name)?._id ?? ""
  const { flows } = await owner.call<{ flows: { data: { _id: string; name: string }[] } }>(
    "GET",
    "/flows?limit=-1",
  )
  const flow = flows.data.find(({ name }) => name === "Delivery")
  if (!flow) return
  const harbour = hubId(depots.harbour.name)
  await seedCustomers(owner, harbour)
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate()
  await owner.call("POST", "/task/schedule", {
    name: "Morning round of the pharmacies",
    hubId: harbour,
    flowId: flow._id,
    task: { receiverName: "Harbour pharmacy", parcelType: "Cool box" },
    assignee: ["worker-2@demo.fieldway.example"],
    timeZone,
    periode: "daily",
    startTime: today.toString(),
    endTime: today.add({ years: 1 }).toString(),
    schedules: [{ time: ["06:30"] }],
  })
  await owner.call("POST", "/automation", {
    name: "Return trip after a delivery that failed",
    event: "onTaskFinished",
    automationType: "createTask",
    automationDetails: {
      flow: flow.name,
      flowId: flow._id,
      hubId: harbour,
      taskData: { receiverName: "$refFlow.receiverName", parcelType: "Box" },
    },
    rules: { flow: flow.name, flowId: flow._id },
    // To be switched on: the couriers of the demo finish something every minute.
    isActive: false,
  })
  await narrowWindows(owner, now)
  await seedWatch(owner)
  await planDay(owner, hubId(depots.west.name))
}

/** What a few couriers have today ends within the next hours: they need help. */
async function narrowWindows(owner: DemoApi, now: Temporal.Instant): Promise<void> {
  for (const [index, name] of behind.entries()) {
    const { tasks } = await owner.call<{ tasks: { data: { _id: string }[] } }>(
      "GET",
      `/tasks?status=ONGOING&assignee=${name}@demo.fieldway.example&fields=_id`,
    )
    await owner.call("PATCH", "/tasks/bulk", {
      tasks: tasks.data.map(({ _id }, stop) => ({
        _id,
        endTime: now.add({ minutes: 15 + (4 + 3 * index) * stop }).toString(),
      })),
    })
  }
}

/** Areas, and rules about what happens in the demo: some of them find something within minutes. */
async function seedWatch(owner: DemoApi): Promise<void> {
  const [lng, lat] = depots.harbour.place
  const { data: town } = await owner.call<{ data: { _id: string } }>("POST", "/geofence", {
    name: "Old town",
    group: "Zones",
    color: "#2f6fde",
    geometry: {
      type: "Polygon",
      coordinates: [
        [
          [lng - 0.008, lat - 0.006],
          [lng + 0.01, lat - 0.006],
          [lng + 0.01, lat + 0.004],
          [lng - 0.008, lat + 0.004],
          [lng - 0.008, lat - 0.006],
        ],
      ],
    },
  })
  for (const { name, place } of [depots.east, depots.north, depots.west])
    await owner.call("POST", "/geofence", {
      name: `Yard of the ${name}`,
      group: "Yards",
      geometry: { type: "Point", coordinates: [...place] },
      radiusMeters: 250,
    })
  await owner.call("POST", "/alert-rule", { name: "Task is late", kind: "late", settings: { minutes: 15 } })
  await owner.call("POST", "/alert-rule", {
    name: "Enters the old town",
    kind: "enter",
    settings: { geofenceIds: [town._id] },
  })
  await owner.call("POST", "/alert-rule", {
    name: "Call for help",
    kind: "device",
    settings: { alarms: ["sos", "crash"] },
  })
}

async function seedCustomers(owner: DemoApi, hubId: string): Promise<void> {
  const random = seededRandom(23)
  const { data_type: type } = await owner.call<{ data_type: { _id: string } }>("POST", "/data-type", {
    name: "Customers",
    fields: [
      { id: "dataId", title: "Customer number", type: "text", primaryKey: true, required: true },
      { id: "customerName", title: "Name", type: "text", required: true },
      { id: "segment", title: "Segment", type: "option", optionData: ["Pharmacy", "Restaurant", "Office"] },
      { id: "monthlyOrders", title: "Orders per month", type: "number" },
      { id: "place", title: "Place", type: "geolocation" },
      { id: "contractEnd", title: "Contract until", type: "date" },
    ],
  })
  const [lng, lat] = depots.harbour.place
  const around = () => (random() - 0.5) / 20
  await owner.call("POST", "/data/bulk", {
    data: Array.from({ length: customers }, (_, index) => ({
      dataTypeId: type._id,
      hubId,
      dataId: `C-${100 + index}`,
      customerName: `Customer ${index + 1}`,
      segment: ["Pharmacy", "Restaurant", "Office"][index % 3],
      monthlyOrders: Math.round(5 + random() * 60),
      place: formatLatLng([lng + around(), lat + around()]),
      contractEnd: `${2027 + (index % 3)}-06-30`,
    })),
  })
}

type Vehicle = Record<
  "_id" | "name" | "speed" | "capacity" | "workingTime" | "breakTime" | "assignee",
  unknown
>

/** A part of the waiting day is planned; its plan waits to be dispatched. */
async function planDay(owner: DemoApi, hubId: string): Promise<void> {
  const { tasks } = await owner.call<{ tasks: { data: { _id: string }[] } }>(
    "GET",
    `/tasks?hubId=${hubId}&status=UNASSIGNED&limit=${plannedVisits}&fields=_id`,
  )
  const taskIds = tasks.data.map(({ _id }) => _id)
  const visits = await owner.call<{ data: unknown[] }>("POST", "/routing/visits", { taskIds })
  const vehicles = await owner.call<{ data: Vehicle[] }>(
    "GET",
    `/vehicles?hubId=${hubId}&limit=${vansOfRound}&sortBy=name&sortOrder=asc`,
  )
  await owner.call("POST", "/routing", {
    hubId,
    name: "West depot, first round",
    visits: visits.data,
    vehicles: vehicles.data.map(({ _id, name, speed, capacity, workingTime, breakTime, assignee }) => ({
      ...{ id: _id, hubId, name, speed, capacity, workingTime, breakTime, assignee },
      costs: { day: 60, hour: 14, kilometer: 0.4 },
    })),
    background: true,
  })
}
