import type { LngLat } from "#packages/geodesy/geodesy.ts"
import type { Random } from "../random.ts"
import type { Streets } from "./roads.ts"

/** A visit of the day as it really is. Times in seconds since midnight. */
export interface Order {
  id: string
  place: LngLat
  window: readonly [from: number, to: number] | undefined
  serviceSeconds: number
}

export interface Driver {
  vehicleId: string
  /** Visits that the plan has for it, in order, without those that were made. */
  next: string[]
  place: LngLat
  /** From then on it can do something else. */
  freeAt: number
  leftHub: boolean
  meters: number
  /** Where it is on the way to, and since when. */
  leg: { to: string; from: LngLat; since: number; until: number } | undefined
  isBroken: boolean
}

export interface Made {
  order: Order
  vehicleId: string
  arrival: number
  begin: number
  end: number
}

export interface Truth {
  streets: Streets
  random: Random
  orders: ReadonlyMap<string, Order>
  /** How much longer than usual a drive takes at that time. */
  traffic(seconds: number): number
}

/** Rush hours in the morning and in the afternoon. */
export function trafficOf(seconds: number): number {
  const hour = seconds / 3600
  if (hour >= 7.5 && hour < 9.5) return 1.25
  return hour >= 16 && hour < 18.5 ? 1.3 : 1.05
}

/** Drives on until a moment; returns the visits that were begun by then. A stop that is being driven to may change. */
export function driveUntil(driver: Driver, now: number, { streets, random, orders, traffic }: Truth): Made[] {
  const made: Made[] = []
  while (!driver.isBroken) {
    const [id] = driver.next
    const order = orders.get(id ?? "")
    if (!order || driver.freeAt > now) break
    if (driver.leg?.to !== order.id) {
      const { seconds } = streets.drive(driver.place, order.place)
      const spread = 0.9 + 0.2 * random.number()
      const took = seconds * traffic(driver.freeAt) * spread
      driver.leg = { to: order.id, from: driver.place, since: driver.freeAt, until: driver.freeAt + took }
    }
    const { until } = driver.leg
    if (until > now) break
    const begin = Math.max(until, order.window?.[0] ?? 0)
    driver.meters += streets.drive(driver.leg.from, order.place).meters
    const end = begin + order.serviceSeconds * (0.7 + 0.7 * random.number())
    made.push({ order, vehicleId: driver.vehicleId, arrival: until, begin, end })
    Object.assign(driver, {
      place: order.place,
      freeAt: end,
      leg: undefined,
      leftHub: true,
      next: driver.next.slice(1),
    })
  }
  return made
}

/** Where the vehicle is; one that is called elsewhere on its way goes on from there. */
export function placeAt(driver: Driver, now: number, orders: ReadonlyMap<string, Order>): LngLat {
  const { leg } = driver
  const to = leg && orders.get(leg.to)?.place
  if (!leg || !to || now <= leg.since) return driver.place
  const share = Math.min(1, (now - leg.since) / Math.max(1, leg.until - leg.since))
  return [leg.from[0] + share * (to[0] - leg.from[0]), leg.from[1] + share * (to[1] - leg.from[1])]
}

/** New stops in order; a driver whose next stop changes turns where it is. */
export function follow(driver: Driver, next: readonly string[], now: number, truth: Truth): void {
  if (driver.leg && next[0] !== driver.leg.to) {
    const place = placeAt(driver, now, truth.orders)
    driver.meters += truth.streets.drive(driver.leg.from, place).meters
    Object.assign(driver, { place, leg: undefined, freeAt: Math.max(driver.freeAt, now) })
  }
  // Who waits at a stop or at the hub without work starts when there is some.
  if (driver.next.length === 0 && next.length > 0) driver.freeAt = Math.max(driver.freeAt, now)
  driver.next = [...next]
}
