import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { formatLatLng } from "#packages/geodesy/lng-lat-text.ts"
import type { DemoApi } from "./api.ts"
import { type City, depots, openCity, timeZone } from "./city.ts"
import { pick, seededRandom } from "./random.ts"
import { seedRouteDay } from "./route-day.ts"
import { seedFleet } from "./seed-fleet.ts"

export interface DemoWorker {
  email: string
  password: string
  hub: LngLat
  speedMetersPerSecond: number
}

interface DemoHub {
  id: string
  place: LngLat
}

const hubs = [depots.harbour, depots.east, depots.north]
const workerPassword = "Lantern-Quay-71"
const workersPerHub = 4
const tasksPerWorker = 9
export const receivers = [
  "Corner bakery",
  "Book shop",
  "Dental practice",
  "School kitchen",
  "Flower stall",
  "Hotel reception",
  "Design studio",
  "Pharmacy",
  "Café on the square",
  "Bicycle workshop",
  "Print shop",
  "Law office",
]
export const parcels = ["Box", "Pallet", "Envelope", "Cool box"]

/** Visits of the depot whose day waits to be planned, and its vans. */
const routeDay = { visits: 300, vans: 14 }

/** Fills an empty organization: depots, people, vehicles, tasks of three days, and a day that waits for its routes. */
export async function seedDemo(owner: DemoApi, now: Temporal.Instant): Promise<DemoWorker[]> {
  const random = seededRandom(7)
  const { organizationId } = await owner.call<{ organizationId: string }>("GET", "/user")
  await owner.call("PUT", `/organization/${organizationId}`, { timeZone })
  const city = await openCity(owner)
  const roles = await owner.call<{ data: { _id: string; name: string }[] }>("GET", "/roles")
  const roleId = (name: string) => roles.data.find((role) => role.name === name)?._id ?? ""
  const workers: DemoWorker[] = []
  let number = 0
  for (const options of hubs) {
    const hub = await createHub(owner, options)
    await owner.call("POST", "/user", {
      name: `Dispatcher ${options.name.split(" ")[0]}`,
      email: `dispatch-${++number}@demo.fieldway.example`,
      roleId: roleId("planner"),
      hubId: [hub.id],
      password: workerPassword,
    })
    const own: DemoWorker[] = []
    for (let index = 0; index < workersPerHub; index += 1) {
      number += 1
      const worker = {
        email: `worker-${number}@demo.fieldway.example`,
        password: workerPassword,
        hub: hub.place,
        speedMetersPerSecond: 7 + random() * 5,
      }
      await owner.call("POST", "/user", {
        name: `Courier ${number}`,
        email: worker.email,
        roleId: roleId("field user"),
        hubId: [hub.id],
        password: worker.password,
        phoneNumber: `+598 2000${1000 + number}`,
      })
      await owner.call("POST", "/vehicle", {
        name: `Van ${number}`,
        hubId: hub.id,
        assignee: worker.email,
        speed: 30,
        tags: index % 2 ? ["cool"] : [],
      })
      own.push(worker)
    }
    workers.push(...own)
    await createTasks(owner, { city, hub, workers: own, random, now })
  }
  await seedFleet(owner, now)
  workers.push(...(await seedRouteDay(owner, now, { ...routeDay, city })).workers)
  return workers
}

async function createHub(owner: DemoApi, options: (typeof hubs)[number]): Promise<DemoHub> {
  const { data } = await owner.call<{ data: { _id: string } }>("POST", "/hub", {
    name: options.name,
    address: `${options.address}, Montevideo`,
    lng: options.place[0],
    lat: options.place[1],
    timeZone,
  })
  return { id: data._id, place: options.place }
}

interface TaskPlan {
  city: City
  hub: DemoHub
  workers: readonly DemoWorker[]
  random: () => number
  now: Temporal.Instant
}

/** Yesterday's are partly late, today's are assigned or waiting, tomorrow's wait. */
async function createTasks(owner: DemoApi, { city, hub, workers, random, now }: TaskPlan): Promise<void> {
  const hour = now.round({ smallestUnit: "hour", roundingMode: "floor" })
  const day = (offset: number) => hour.add({ hours: 24 * offset })
  const task = async (start: Temporal.Instant, assignee: readonly string[]) => {
    const { place, address } = await city.placeNear(hub.place, 400 + random() * 3200, random)
    return {
      flow: "Delivery",
      hubId: hub.id,
      startTime: start.toString(),
      endTime: start.add({ hours: 20 }).toString(),
      assignee,
      createdFrom: "WEB",
      receiverName: pick(random, receivers),
      deliveryAddress: address,
      deliveryPoint: formatLatLng(place),
      parcelType: pick(random, parcels),
      weight: Math.round(random() * 200) / 10,
    }
  }
  // By the quarter of an hour, over the last six hours: all of them can be done at once.
  const begun = () => hour.subtract({ minutes: 15 * (2 + Math.floor(random() * 23)) })
  const later = (start: Temporal.Instant) => start.add({ minutes: 15 * Math.floor(random() * 40) })
  const tasks: Awaited<ReturnType<typeof task>>[] = []
  const add = async (count: number, start: () => Temporal.Instant, assignee: readonly string[] = []) => {
    for (let index = 0; index < count; index += 1) tasks.push(await task(start(), assignee))
  }
  for (const { email } of workers) await add(tasksPerWorker, begun, [email])
  await add(8, begun)
  await add(3, () => day(-1))
  await add(15, () => later(day(1)))
  await owner.call("POST", "/tasks/bulk", { tasks })
}
