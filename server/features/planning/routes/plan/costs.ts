import { planWarning } from "#shared/plan-warnings.ts"
import { daySeconds } from "../../../../../packages/route-optimizer/problem/days.ts"
import type { Vehicle, Visit } from "../../../../../packages/route-optimizer/problem/problem.ts"
import { minutesUp, parseClock } from "../clock-time.ts"
import type { RouteNode } from "../result-schemas.ts"
import type { InputVehicle, RunInput } from "./run-input.ts"

/** Costs of vehicles, overtime and lateness in the units of the problem: metres and seconds. */

/** Without costs a minute of overtime or lateness weighs as much as a kilometre. */
const weightPerMinute = 1000

type Costs = NonNullable<InputVehicle["costs"]>

export function hasCosts({ vehicles }: Pick<RunInput, "vehicles">): boolean {
  return vehicles.some(({ costs }) => Object.values(costs ?? {}).some((cost) => (cost ?? 0) > 0))
}

const costNames = ["day", "hour", "overtimeHour", "kilometer"] as const

/** Vehicles that name no costs beside others that do cost what those cost on average, or they would seem free. */
export function withMeanCosts(vehicles: readonly InputVehicle[]): InputVehicle[] {
  if (!hasCosts({ vehicles })) return [...vehicles]
  const known = vehicles.flatMap(({ costs }) => costs ?? [])
  const mean: Costs = Object.fromEntries(
    costNames.map((name) => [name, known.reduce((sum, costs) => sum + (costs[name] ?? 0), 0) / known.length]),
  )
  return vehicles.map((vehicle) => ({ ...vehicle, costs: vehicle.costs ?? mean }))
}

export function costWarnings(vehicles: readonly InputVehicle[]): string[] {
  const without = vehicles.filter(({ costs }) => costs === undefined)
  if (!hasCosts({ vehicles }) || without.length === 0) return []
  const count = without.length
  return [planWarning(count === 1 ? "oneWithoutCosts" : "manyWithoutCosts", { count })]
}

type Prices = Pick<Vehicle, "fixedCost" | "distanceCost" | "secondCost" | "overtime">

export function costsOf(input: RunInput, vehicle: InputVehicle): Prices {
  const seconds = (vehicle.maxOvertime ?? 0) * 60
  const overtime = (costPerSecond: number) => (seconds > 0 ? { overtime: { seconds, costPerSecond } } : {})
  if (!hasCosts(input))
    return { fixedCost: vehicle.fixedCost, distanceCost: 1, ...overtime(weightPerMinute / 60) }
  const { day = 0, hour = 0, overtimeHour = 0, kilometer = 0 } = vehicle.costs ?? {}
  return {
    fixedCost: day,
    distanceCost: kilometer / 1000,
    ...(hour > 0 ? { secondCost: hour / 3600 } : {}),
    ...overtime(overtimeHour / 3600),
  }
}

/** How late visits may begin, and what that costs. */
export function latenessOf(input: RunInput): Visit["lateness"] {
  const { maxLateMinutes = 0, costPerLateMinute = 0 } = input.settings
  if (maxLateMinutes === 0) return undefined
  const perMinute = hasCosts(input) ? costPerLateMinute : weightPerMinute
  return { seconds: maxLateMinutes * 60, costPerSecond: perMinute / 60 }
}

/** Names of the skills and certificates that are valid on a day, from and to included. */
export function skillTags({ skills = [] }: InputVehicle, day: string): string[] {
  return skills
    .filter(({ validFrom, validUntil }) => (validFrom ?? day) <= day && day <= (validUntil ?? day))
    .map(({ name }) => name.trim())
}

/** What a driven route costs, works beyond its hours and emits. Shifts over several days have no overtime here. */
export function routeSums(
  vehicle: InputVehicle,
  trips: readonly RouteNode[],
  { totalDistance, totalSpentTime }: { totalDistance: number; totalSpentTime: number },
) {
  const [first, last] = [trips[0], trips.at(-1)]
  const start = parseClock(vehicle.workingTime.startTime) ?? 0
  const ends = parseClock(vehicle.workingTime.endTime) ?? 0
  const end = ends <= start ? ends + daySeconds : ends
  const isOneDay = end - start <= daySeconds
  const [left, back] = [parseClock(first?.etd ?? "") ?? 0, parseClock(last?.etd ?? "") ?? 0]
  const hours = isOneDay ? (back - left) / 3600 : totalSpentTime / 60
  const overtime = trips.length > 0 && isOneDay ? Math.max(0, back - end) / 3600 : 0
  const late = trips.reduce((sum, node) => sum + (Number(node.lateCost) || 0), 0)
  const lateMinutes = trips.reduce((sum, node) => sum + (Number(node.lateTime) || 0), 0)
  const { day = 0, hour = 0, overtimeHour = 0, kilometer = 0 } = vehicle.costs ?? {}
  const cost = day + hours * hour + overtime * overtimeHour + (totalDistance / 1000) * kilometer + late
  const isIdle = trips.length === 0
  return {
    ...(lateMinutes > 0 ? { totalLateTime: lateMinutes } : {}),
    ...(vehicle.maxOvertime === undefined ? {} : { totalOvertime: minutesUp(overtime * 3600) }),
    ...(vehicle.costs === undefined ? {} : { totalCost: isIdle ? 0 : round(cost, 100) }),
    ...(vehicle.co2PerKilometer === undefined
      ? {}
      : { totalCo2: round((totalDistance / 1000) * (vehicle.co2PerKilometer / 1000), 1000) }),
  }
}

function round(value: number, parts: number): number {
  return Math.round(value * parts) / parts
}
