import { destination, type LngLat } from "#packages/geodesy/geodesy.ts"
import { formatLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { aHub, aUser, type Organization } from "#samples/builders.ts"
import type { Stage } from "../../console/tests/stage.ts"
import { type DemoApi, demoApi } from "../../server/demo/api.ts"
import { type City, depots, installMap, openCity } from "../../server/demo/city.ts"
import { pick, seededRandom } from "../../server/demo/random.ts"
import { parcels, receivers } from "../../server/demo/seed.ts"

export interface Company {
  owner: DemoApi
  people: readonly { email: string; name: string }[]
}

interface CompanyOptions {
  people: number
  tasks: number
  /** Of the tasks, the share that has somebody already. */
  assigned: number
  /** Places are on roads; without it anywhere in the city, which takes no calls. */
  isOnRoads: boolean
}

const center = depots.north.place
const tasksAtOnce = 500
/** The hour of the organization's clock when it is made: the day is before its people. */
const startHour = 7

/** On a stage: one hub in Montevideo with its map, people with a van each, and tasks of today. */
export async function aCompany(stage: Stage, options: CompanyOptions): Promise<Company> {
  const random = seededRandom(23)
  const owner = demoApi(stage.address, await stage.tokenOf(stage.owner.email, stage.owner.password))
  const { organizationId } = await owner.call<{ organizationId: string }>("GET", "/user")
  const timeZone = zoneAtHour(startHour)
  await owner.call("PUT", `/organization/${organizationId}`, { timeZone })
  await installMap(owner)
  const org = { id: organizationId } as Organization
  const [lng, lat] = center
  const hub = await aHub(stage.sql, { org, name: "North depot", lng, lat, timeZone })
  const hubId = hub.id
  const people = await addPeople(stage, { owner, org, hub, count: options.people })
  const city = await openCity(owner)
  const start = Temporal.Now.zonedDateTimeISO(timeZone).startOfDay()
  for (let from = 0; from < options.tasks; from += tasksAtOnce) {
    const tasks: unknown[] = []
    for (let at = from; at < Math.min(options.tasks, from + tasksAtOnce); at += 1) {
      const { place, address } = await aPlace(city, random, options.isOnRoads)
      const person = at < options.tasks * options.assigned ? people[at % people.length] : undefined
      tasks.push({
        flow: "Delivery",
        hubId,
        startTime: start
          .add({ hours: startHour + 1 })
          .toInstant()
          .toString(),
        endTime: start
          .add({ hours: 17 + Math.floor(random() * 5) })
          .toInstant()
          .toString(),
        ...(person ? { assignee: [person.email] } : {}),
        createdFrom: "WEB",
        receiverName: `${pick(random, receivers)} ${at + 1}`,
        deliveryAddress: address,
        deliveryPoint: formatLatLng(place),
        parcelType: pick(random, parcels),
        weight: Math.round(random() * 200) / 10,
      })
    }
    await owner.call("POST", "/tasks/bulk", { tasks })
  }
  return { owner, people }
}

async function aPlace(city: City, random: () => number, isOnRoads: boolean) {
  const meters = 300 + random() * 3_200
  if (isOnRoads) return city.placeNear(center, meters, random)
  const place: LngLat = destination(center, random() * 360, meters)
  return { place, address: "Montevideo" }
}

interface PeopleOptions {
  owner: DemoApi
  org: Organization
  hub: Awaited<ReturnType<typeof aHub>>
  count: number
}

async function addPeople({ sql }: Stage, { owner, org, hub, count }: PeopleOptions) {
  const people: { email: string; name: string }[] = []
  const vehicles: unknown[] = []
  for (let number = 1; number <= count; number += 1) {
    const name = `Courier ${number}`
    const { email } = await aUser(sql, { org, role: "field user", name, hubs: [hub] })
    people.push({ email, name })
    vehicles.push({
      name: `Van ${number}`,
      hubId: hub.id,
      assignee: email,
      speed: 30,
      workingTime: { startTime: "08:00", endTime: "18:00" },
    })
  }
  for (let from = 0; from < vehicles.length; from += 100)
    await owner.call("POST", "/vehicles", { vehicles: vehicles.slice(from, from + 100) })
  return people
}

/** A time zone in which it is this hour now. */
function zoneAtHour(hour: number): string {
  const ahead = ((hour - Temporal.Now.zonedDateTimeISO("UTC").hour + 36) % 24) - 12
  return ahead === 0 ? "UTC" : `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`
}
