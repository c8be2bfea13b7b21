import { formatLatLng } from "#packages/geodesy/lng-lat-text.ts"
import type { DemoApi } from "./api.ts"
import { type City, depots, openCity, timeZone } from "./city.ts"
import { pick, seededRandom } from "./random.ts"
import type { DemoWorker } from "./seed.ts"

export interface RouteDayOptions {
  /** Tasks that wait to be planned, and vans with a courier each. */
  visits: number
  vans: number
  /** Default: opened here. */
  city?: City
}

export interface RouteDay {
  hubId: string
  workers: DemoWorker[]
}

const depot = depots.west.place
const password = "Lantern-Quay-71"
const largestVanKilograms = 700
const heavyEach = 50
const shops = ["Grocer", "Pharmacy", "School", "Workshop", "Office", "Restaurant", "Clinic", "Florist"]

/** A depot whose whole day waits to be planned: visits with weights and opening hours, vans with limits. */
export async function seedRouteDay(
  owner: DemoApi,
  now: Temporal.Instant,
  { visits, vans, city: opened }: RouteDayOptions,
): Promise<RouteDay> {
  const random = seededRandom(11)
  const city = opened ?? (await openCity(owner))
  const hub = await owner.call<{ data: { _id: string } }>("POST", "/hub", {
    name: depots.west.name,
    address: `${depots.west.address}, Montevideo`,
    lng: depot[0],
    lat: depot[1],
    timeZone,
  })
  const hubId = hub.data._id
  const { data: roles } = await owner.call<{ data: { _id: string; name: string }[] }>("GET", "/roles")
  const roleId = roles.find(({ name }) => name === "field user")?._id
  await nameCapacities(owner)
  const workers: DemoWorker[] = []
  for (let number = 1; number <= vans; number++) {
    const email = `west-${number}@demo.fieldway.example`
    await owner.call("POST", "/user", {
      name: `West courier ${number}`,
      email,
      roleId,
      hubId: [hubId],
      password,
    })
    workers.push({ email, password, hub: depot, speedMetersPerSecond: 8 + random() * 4 })
  }
  await owner.call("POST", "/vehicles", {
    vehicles: workers.map(({ email }, index) => ({
      name: `West van ${index + 1}`,
      hubId,
      assignee: email,
      speed: 28,
      tags: index % 3 === 0 ? ["cool"] : [],
      capacity: { weight: { min: 0, max: index % 4 === 3 ? largestVanKilograms : 450 } },
      workingTime: { startTime: "08:00", endTime: "17:00" },
      breakTime: { startTime: "12:30", endTime: "13:00" },
    })),
  })
  const task = async (index: number) => {
    const hour = 8 + Math.floor(random() * 6)
    // A few are heavier than any van takes, so that the plan has something to explain.
    const weight =
      (index + 1) % Math.min(heavyEach, visits) === 0
        ? largestVanKilograms + 100
        : Math.round((2 + random() * 22) * 10) / 10
    const { place, address } = await city.placeNear(depot, 500 + 7500 * Math.sqrt(random()), random)
    return {
      flow: "Delivery",
      hubId,
      startTime: now.subtract({ minutes: 30 }).toString(),
      endTime: now.add({ hours: 20 }).toString(),
      createdFrom: "WEB",
      receiverName: `${pick(random, shops)} ${index + 1}`,
      deliveryAddress: address,
      deliveryPoint: formatLatLng(place),
      parcelType: "Box",
      visitDuration: 4 + Math.floor(random() * 6),
      weight,
      ...(index % 3 === 0 ? { openTime: `${clock(hour)}:00`, closeTime: `${clock(hour + 3)}:00` } : {}),
    }
  }
  const tasks: Awaited<ReturnType<typeof task>>[] = []
  for (let index = 0; index < visits; index += 1) tasks.push(await task(index))
  await owner.call("POST", "/tasks/bulk", { tasks })
  return { hubId, workers }
}

async function nameCapacities(owner: DemoApi): Promise<void> {
  const { data } = await owner.call<{ data: unknown[] }>("GET", "/capacity-constraints")
  if (data.length === 0)
    await owner.call("POST", "/capacity-constraint", {
      capacityConstraint: [{ name: "weight", denominator: "kg" }],
    })
}

function clock(hour: number): string {
  return String(hour).padStart(2, "0")
}
