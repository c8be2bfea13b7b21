import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { formatLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { aFlow, aHub, anOrganization, aUser, type Person } from "#samples/builders.ts"
import { type StartedApp, startApp } from "../../start-app.ts"
import { type Random, randomOf } from "../random.ts"
import {
  type Driver,
  driveUntil,
  follow,
  type Made,
  type Order,
  placeAt,
  type Truth,
  trafficOf,
} from "./drivers.ts"
import { type DayReport, reportOf } from "./report.ts"
import { installStreets, plane, type Streets } from "./roads.ts"
import { clockOf, day, instantAt, secondsOf, wireTime } from "./times.ts"

export interface DayOrder {
  seed: string
  visits: number
  vehicles: number
  newOrders: number
  cancellations: number
  breakdowns: number
  /** An OpenStreetMap extract; without one, distances are great circles. */
  map: string | undefined
  /** Minutes at the end of each shift that the first plan leaves free. */
  reserve: number
  /** Seconds of planning; by the number of visits unless given. */
  seconds?: number
}

type Event = { at: number } & (
  | { kind: "order"; order: Order }
  | { kind: "cancellation" }
  | { kind: "breakdown"; vehicle: number }
)

const hour = 3600
const hubPlace: LngLat = [-56.165, -34.87]
const input = (id: string, type: string, routeAs?: string) => ({
  ...{ id, component: "input", title: id, type },
  ...(routeAs ? { routeAs } : {}),
})
const components = [
  { ...input("receiver", "String", "VisitName"), showAs: "title" },
  { ...input("place", "Geolocation", "Coordinate"), showAs: "expectedCoordinate" },
  input("opens", "Time", "OpenTime"),
  input("closes", "Time", "CloseTime"),
  input("minutes", "Numeric", "VisitDuration"),
]

/** A day of a delivery company through the service: planned, dispatched, driven, and planned again at every event. */
export async function deliveryDay(order: DayOrder): Promise<DayReport> {
  const app = await startApp()
  try {
    const streets = order.map
      ? await installStreets(order.map, { sql: app.sql, objects: app.app.objects })
      : plane
    return await new Day(app, order, streets).run()
  } finally {
    await app.close()
  }
}

class Day {
  readonly #app: StartedApp
  readonly #size: DayOrder
  readonly #random: Random
  readonly #truth: Truth
  readonly #orders = new Map<string, Order>()
  readonly #drivers: Driver[] = []
  readonly #people = new Map<string, Person>()
  readonly #promised = new Map<string, number>()
  readonly #made: Made[] = []
  readonly #unsent: Made[] = []
  readonly #cancelled = new Set<string>()
  readonly #brokenAt = new Map<string, number>()
  readonly #changes = new Map<string, number>()
  readonly #proposalTimes: number[] = []
  #maxPerOrder = 0
  #owner: Person | undefined
  #hubId = ""
  #flow = ""

  constructor(app: StartedApp, size: DayOrder, streets: Streets) {
    this.#app = app
    this.#size = size
    this.#random = randomOf(`delivery day ${size.seed}`)
    this.#truth = { streets, random: this.#random, orders: this.#orders, traffic: trafficOf }
  }

  async run(): Promise<DayReport> {
    const { visits, newOrders } = this.#size
    this.#moveTo(5 * hour)
    await this.#found()
    const known = Array.from({ length: visits }, (_, index) => this.#anOrder(`v${index}`, 8 * hour))
    const later = Array.from({ length: newOrders }, (_, index): Event => {
      const at = 9 * hour + this.#random.number() * 6 * hour
      return { kind: "order", at, order: this.#anOrder(`n${index}`, at + hour) }
    })
    const sent = await this.#asVisits(known)
    const planned = await this.#post("/routing", this.#request(sent, new Map(), this.#size.reserve))
    await this.#post("/dispatch", { resultId: planned._id })
    this.#readPlan(planned.result, 8 * hour)
    for (const event of this.#eventsOf(later)) await this.#meet(planned._id, event)
    await this.#advance(24 * hour)
    return this.#report(await this.#perfectPlan())
  }

  async #found(): Promise<void> {
    const { sql } = this.#app
    const org = await anOrganization(sql, { timeZone: "UTC" })
    const [lng, lat] = hubPlace
    const hub = await aHub(sql, { org, lat, lng })
    this.#owner = org.owner
    this.#hubId = hub.id
    this.#flow = (await aFlow(sql, { org, pages: [{ id: "page0", components }] })).name
    for (let k = 0; k < this.#size.vehicles; k++) {
      const person = await aUser(sql, { org, hubs: [hub], role: "field user" })
      const vehicleId = `van-${k}`
      this.#people.set(vehicleId, person)
      this.#drivers.push({
        ...{ vehicleId, next: [], place: hubPlace, freeAt: 8 * hour, leftHub: false, meters: 0 },
        ...{ leg: undefined, isBroken: false },
      })
    }
  }

  /** A third has a window of two hours that begins no earlier than `soonest`. */
  #anOrder(id: string, soonest: number): Order {
    const { random, streets } = this.#truth
    const place = (): LngLat => [-56.24 + 0.17 * random.number(), -34.91 + 0.09 * random.number()]
    let at = place()
    while (!streets.isReachable(at)) at = place()
    const opens = Math.ceil(soonest / 1800) * 1800 + 1800 * random.integer(0, 8)
    const window =
      random.chance(1 / 3) && opens <= 15 * hour ? ([opens, opens + 2 * hour] as const) : undefined
    return { id, place: at, window, serviceSeconds: 60 * random.integer(4, 8) }
  }

  /** Tasks of orders, as visits of a plan. From then on an order has the id of its visit. */
  async #asVisits(orders: readonly Order[]): Promise<Record<string, unknown>[]> {
    const visits: Record<string, unknown>[] = []
    for (let from = 0; from < orders.length; from += 200) {
      const part = orders.slice(from, from + 200)
      const made = await this.#call("post", "/tasks/bulk", {
        tasks: part.map(({ id, place, window, serviceSeconds }) => ({
          ...{ flow: this.#flow, hubId: this.#hubId, receiver: id, place: formatLatLng(place) },
          ...{ startTime: `${day}T06:00:00Z`, endTime: `${day}T20:00:00Z`, minutes: serviceSeconds / 60 },
          ...(window ? { opens: clockOf(window[0]), closes: clockOf(window[1]) } : {}),
        })),
      })
      const taskIds = made.tasks.map(({ _id }: { _id: string }) => _id)
      const { data } = await this.#call("post", "/routing/visits", { taskIds })
      const ofTask = new Map(data.map((visit: { id: string }) => [visit.id, visit]))
      for (const [index, order] of part.entries()) {
        const id = `taskId-${taskIds[index]}`
        const { timeWindow, visitTime, ...visit } = ofTask.get(id) as Record<string, unknown>
        const times = order.window ? { timeWindow } : {}
        visits.push({ ...visit, ...times, visitTime: order.serviceSeconds / 60 })
        this.#orders.set(id, { ...order, id })
      }
    }
    return visits
  }

  #request(visits: readonly object[], endOf: ReadonlyMap<string, number>, reserveMinutes = 0) {
    const { seconds } = this.#size
    return {
      ...{ hubId: this.#hubId, visits, routingDate: day, ...(seconds ? { seconds } : {}) },
      vehicles: this.#drivers.map(({ vehicleId }) => ({
        ...{ id: vehicleId, name: vehicleId, assignee: this.#people.get(vehicleId)?.email, speed: 30 },
        workingTime: { startTime: "08:00", endTime: clockOf(endOf.get(vehicleId) ?? 18 * hour) },
      })),
      configuration: { returnToHub: true, autoSpeed: this.#size.map !== undefined, reserveMinutes },
    }
  }

  #eventsOf(orders: readonly Event[]): Event[] {
    const { cancellations, breakdowns, vehicles } = this.#size
    const at = () => (9 + 6 * this.#random.number()) * hour
    const broken = this.#random.some(
      Array.from({ length: vehicles }, (_, k) => k),
      breakdowns,
    )
    const events: Event[] = [
      ...orders,
      ...Array.from({ length: cancellations }, (): Event => ({ kind: "cancellation", at: at() })),
      ...broken.map((vehicle): Event => ({ kind: "breakdown", at: at(), vehicle })),
    ]
    return events.toSorted((one, other) => one.at - other.at)
  }

  /** Everybody drives until then, then the plan adapts and is accepted. */
  async #meet(resultId: string, event: Event): Promise<void> {
    await this.#advance(event.at)
    const body = await this.#inputOf(event)
    if (!body) return
    const begun = performance.now()
    const proposal = await this.#post(`/result/${resultId}/replan`, { ...body, acceptWithin: null })
    this.#proposalTimes.push(performance.now() - begun)
    const accepted = await this.#post(`/result/${resultId}/replan/${proposal._id}/accept`, {})
    const own = new Set((body.visits ?? []).map(({ id }: { id?: unknown }) => id))
    const isOut = new Set([...(body.brokenVehicleIds ?? [])])
    let moved = 0
    for (const { visitId, from, to } of proposal.changes.visits) {
      if (own.has(visitId) || from === to || from === null || isOut.has(from)) continue
      moved++
      for (const vehicleId of [from, to])
        if (vehicleId) this.#changes.set(vehicleId, (this.#changes.get(vehicleId) ?? 0) + 1)
    }
    if (event.kind === "order") this.#maxPerOrder = Math.max(this.#maxPerOrder, moved)
    this.#readPlan(accepted.result, event.at)
  }

  async #inputOf(event: Event): Promise<ReplanInput | undefined> {
    if (event.kind === "order") return { visits: await this.#asVisits([event.order]) }
    if (event.kind === "breakdown") {
      const driver = this.#drivers[event.vehicle]
      if (!driver) return undefined
      driver.isBroken = true
      this.#brokenAt.set(driver.vehicleId, event.at)
      return { brokenVehicleIds: [driver.vehicleId] }
    }
    const open = this.#drivers.flatMap(({ next, isBroken, leg }) =>
      isBroken ? [] : next.filter((id) => id !== leg?.to),
    )
    if (open.length === 0) return undefined
    const cancelled = this.#random.pick(open)
    this.#cancelled.add(cancelled)
    return { cancelledVisitIds: [cancelled] }
  }

  /** Drivers take over what the plan says; who ordered is promised a time. */
  #readPlan({ routing }: PlannedRoutes, now: number): void {
    const done = new Set(this.#made.map(({ order }) => order.id))
    for (const driver of this.#drivers) {
      const nodes = routing.find(({ vehicleId }) => vehicleId === driver.vehicleId)?.trips ?? []
      const stops = nodes.filter(({ isHub, visitId }) => !isHub && !done.has(visitId))
      for (const { visitId, eta } of stops)
        if (!this.#promised.has(visitId)) this.#promised.set(visitId, secondsOf(eta))
      const leaves = nodes.find(({ isHub }) => isHub)?.etd
      if (!driver.leftHub && !driver.leg && leaves) driver.freeAt = Math.max(now, secondsOf(leaves))
      follow(driver, driver.isBroken ? [] : stops.map(({ visitId }) => visitId), now, this.#truth)
    }
  }

  /** Drives on, and the phones send what they did and where they are. */
  async #advance(now: number): Promise<void> {
    this.#moveTo(Math.min(now, 24 * hour - 60))
    for (const driver of this.#drivers) {
      const made = driveUntil(driver, now, this.#truth)
      this.#made.push(...made)
      this.#unsent.push(...made)
    }
    for (const stop of this.#unsent.splice(0)) {
      const taskId = stop.order.id.replace("taskId-", "")
      const isDone = stop.end <= now
      const left = isDone ? { leftTime: wireTime(stop.end), status: "DONE" } : {}
      await this.#call("patch", `/task/${taskId}`, { arrivedTime: wireTime(stop.arrival), ...left })
      if (!isDone) this.#unsent.push(stop)
    }
    for (const driver of this.#drivers.filter(({ leg, isBroken }) => leg && !isBroken)) {
      const person = this.#people.get(driver.vehicleId)
      const [lon, lat] = placeAt(driver, now, this.#orders)
      const point = { lat, lon, createdTime: this.#app.clock.now().toString() }
      if (person && now < 24 * hour) await this.#app.as(person).expect(201).post("/location-history", point)
    }
  }

  /** The same orders, known from the start, with the same vehicles for as long as they drive. */
  async #perfectPlan(): Promise<{ meters: number; dropped: number }> {
    const open = [...this.#orders.values()].filter(({ id }) => !this.#cancelled.has(id))
    const visits = open.map(({ id, place, window, serviceSeconds }) => ({
      ...{ id: `perfect-${id}`, name: id, address: id, coordinate: formatLatLng(place) },
      ...{ visitTime: serviceSeconds / 60 },
      ...(window ? { timeWindow: { startTime: clockOf(window[0]), endTime: clockOf(window[1]) } } : {}),
    }))
    const { result } = await this.#post("/routing", this.#request(visits, this.#brokenAt))
    const meters = (result as PlannedRoutes).routing.map(({ trips }) =>
      trips.reduce((sum, node) => sum + Number(node.distance ?? 0), 0),
    )
    return { meters: meters.reduce((sum, one) => sum + one, 0), dropped: result.dropped.length }
  }

  #report(perfect: { meters: number; dropped: number }): DayReport {
    const { streets } = this.#truth
    for (const driver of this.#drivers)
      if (driver.leftHub && !driver.isBroken) driver.meters += streets.drive(driver.place, hubPlace).meters
    return reportOf({
      ...{ made: this.#made, promised: this.#promised, perfect, maxPerOrder: this.#maxPerOrder },
      ...{ expected: this.#orders.size - this.#cancelled.size, proposalTimes: this.#proposalTimes },
      changes: this.#drivers.map(({ vehicleId }) => this.#changes.get(vehicleId) ?? 0),
      meters: this.#drivers.reduce((sum, { meters }) => sum + meters, 0),
    })
  }

  #moveTo(seconds: number): void {
    this.#app.clock.move(instantAt(seconds).toString())
  }

  // biome-ignore lint/suspicious/noExplicitAny: responses are read as what the API says
  async #post(path: string, body: object): Promise<any> {
    return (await this.#call("post", path, body)).data ?? {}
  }

  // biome-ignore lint/suspicious/noExplicitAny: responses are read as what the API says
  async #call(method: "post" | "patch", path: string, body: object): Promise<any> {
    if (!this.#owner) throw new Error("There is no company yet")
    const reply = await this.#app.as(this.#owner)[method](path, body)
    if (reply.statusCode >= 300)
      throw new Error(`${method} ${path}: ${reply.statusCode} ${reply.body.slice(0, 500)}`)
    return reply.json()
  }
}

interface ReplanInput {
  visits?: Record<string, unknown>[]
  cancelledVisitIds?: string[]
  brokenVehicleIds?: string[]
}

interface PlannedRoutes {
  routing: {
    vehicleId: string
    trips: { visitId: string; isHub: boolean; eta: string; etd: string; distance?: number }[]
  }[]
}
