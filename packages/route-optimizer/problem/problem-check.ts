import { linkGroups, linksOf } from "./links.ts"
import type { PlanProblem, TimeSpan, Visit } from "./problem.ts"
import { pairsOf } from "./problem.ts"

/** Why a problem cannot be solved as it stands. */
export type Complaint = {
  readonly about: "problem" | "visit" | "vehicle"
  /** Of the visit or vehicle, else empty. */
  readonly id: string
  readonly message: string
}

/** Of a request; split visits and daily shifts may become more. */
const maxVisits = 2000
const maxVehicles = 300
/** What the search holds, see neighbours.ts. */
const maxNodes = 4096

/** Whether a request is small enough, and has anything to plan. */
export function checkSize({ visits, vehicles }: PlanProblem): Complaint[] {
  const general = (message: string): Complaint => ({ about: "problem", id: "", message })
  const complaints: Complaint[] = []
  if (visits.length === 0) complaints.push(general("There are no visits to plan"))
  if (visits.length > maxVisits) {
    complaints.push(general(`A plan can have at most ${maxVisits} visits, but ${visits.length} were sent`))
  }
  if (vehicles.length === 0) complaints.push(general("There are no vehicles to plan with"))
  if (vehicles.length > maxVehicles) {
    complaints.push(
      general(`A plan can have at most ${maxVehicles} vehicles, but ${vehicles.length} were sent`),
    )
  }
  return complaints
}

/**
 * What the search takes for granted. A visit that merely cannot be served (impossible windows, tags that
 * nobody has, too much demand) is no complaint: the plan drops it with its reason.
 */
export function checkProblem(problem: PlanProblem): Complaint[] {
  const complaints: Complaint[] = []
  const { visits, vehicles, locationCount, dimensions } = problem
  const general = (message: string) => complaints.push({ about: "problem", id: "", message })
  if (visits.length > maxNodes) general(`Splitting results in ${visits.length} visits, which is too many`)
  for (const matrix of [problem.distances, problem.durations]) {
    if (matrix.length !== locationCount ** 2)
      general("A matrix does not have one row and column per location")
    else if (matrix.some((value) => !(value >= 0 && value < Number.POSITIVE_INFINITY))) {
      general("A matrix has an entry that is negative or not a number")
    }
  }
  const { slowness } = problem
  if (slowness && !(slowness.length === 24 && slowness.every((one) => one >= 1 && Number.isFinite(one))))
    general("The slowness of the hours is not 24 numbers of at least 1")
  const isPlace = (location: number) =>
    Number.isInteger(location) && location >= 0 && location < locationCount
  complaints.push(...checkPairs(visits), ...checkLinks(visits))
  visits.forEach((visit) => {
    const wrong = (message: string) => complaints.push({ about: "visit", id: visit.id, message })
    if (!isPlace(visit.location)) wrong("Its location is not in the matrix")
    if (!isAmount(visit.serviceSeconds)) wrong("Its time on site is negative or not a number")
    if (visit.demand.length > dimensions) wrong("It has more demands than there are capacity dimensions")
    if (!visit.demand.every(isAmount)) wrong("Its demand is negative or not a number")
    if (visit.windows.length > 1 && !isAscending(visit.windows))
      wrong("Its time windows overlap or are out of order")
    if (visit.dropCost !== undefined && !isAmount(visit.dropCost))
      wrong("The cost of dropping it is negative or not a number")
    if (visit.lateness && !(isAmount(visit.lateness.seconds) && isAmount(visit.lateness.costPerSecond)))
      wrong("Its lateness is negative or not a number")
  })
  vehicles.forEach((vehicle) => {
    const wrong = (message: string) => complaints.push({ about: "vehicle", id: vehicle.id, message })
    const [start, end] = vehicle.shift
    if (!isPlace(vehicle.startLocation)) wrong("Its start is not in the matrix")
    if (vehicle.endLocation !== null && !isPlace(vehicle.endLocation)) wrong("Its end is not in the matrix")
    if (!Number.isFinite(start) || !(end > start)) wrong("Its working time ends before it begins")
    if (!isAscending(vehicle.breaks)) wrong("Its breaks overlap, are out of order or end before they begin")
    if (vehicle.breaks.some(([from, to]) => from <= start && to >= end))
      wrong("Its break covers the whole working time")
    if (
      (vehicle.flexibleBreaks ?? []).some(
        ({ within, seconds }) => !(seconds > 0 && within[1] - within[0] >= seconds),
      )
    )
      wrong("Its break is empty, or longer than the span in which it is taken")
    if (!(vehicle.durationFactor > 0)) wrong("Its speed is not above zero")
    if (!(vehicle.distanceCost >= 0)) wrong("Its cost per distance is negative")
    if (!isAmount(vehicle.secondCost ?? 0)) wrong("Its cost per second is negative or not a number")
    if (vehicle.overtime && !(isAmount(vehicle.overtime.seconds) && isAmount(vehicle.overtime.costPerSecond)))
      wrong("Its overtime is negative or not a number")
    if (!(Number.isInteger(vehicle.maxTrips) && vehicle.maxTrips >= 1)) wrong("It needs at least one trip")
    if (!vehicle.capacity.every((most) => most >= 0)) wrong("A capacity is negative or not a number")
    if (!vehicle.minimumLoad.every((least) => isAmount(least)))
      wrong("A minimum load is negative or not a number")
  })
  return complaints
}

function checkLinks(visits: readonly Visit[]): Complaint[] {
  const links = linksOf(visits)
  const paired = new Set(pairsOf(visits).flatMap(({ pickup, delivery }) => [pickup, delivery]))
  const complaints = links.flatMap(({ first, second, gap }): Complaint[] => {
    const wrong = (message: string): Complaint[] => [
      { about: "visit", id: visits[second]?.id ?? "", message },
    ]
    if (first === second) return wrong("It cannot wait for itself")
    if (gap && !(gap.min >= 0 && gap.max >= gap.min)) return wrong("The gap before it is negative or empty")
    if ([first, second].some((i) => visits[i]?.group !== undefined || paired.has(i)))
      return wrong("A visit that depends on others cannot belong to a group or to a pickup and delivery pair")
    return []
  })
  if (complaints.length > 0 || linkGroups(visits)) return complaints
  return [{ about: "problem", id: "", message: "Visits wait for each other in a cycle" }]
}

/** A pickup has one delivery, and no visit is both; the order of a group would have to know of both ends. */
function checkPairs(visits: readonly Visit[]): Complaint[] {
  const pairs = pairsOf(visits)
  const uses = new Map<number, number>()
  for (const { pickup, delivery } of pairs)
    for (const end of [pickup, delivery]) uses.set(end, (uses.get(end) ?? 0) + 1)
  return pairs.flatMap(({ pickup, delivery }): Complaint[] => {
    const id = visits[delivery]?.id ?? ""
    const wrong = (message: string): Complaint[] => [{ about: "visit", id, message }]
    if (pickup === delivery) return wrong("It cannot be its own pickup")
    if ([pickup, delivery].some((end) => (uses.get(end) ?? 0) > 1))
      return wrong("A visit can be part of one pickup and delivery pair only")
    if ([pickup, delivery].some((end) => visits[end]?.group !== undefined))
      return wrong("A visit of a pickup and delivery pair cannot belong to a group")
    return []
  })
}

function isAmount(value: number): boolean {
  return Number.isFinite(value) && value >= 0
}

function isAscending(spans: readonly TimeSpan[]): boolean {
  return spans.every(([from, to], s) => from <= to && from > (spans[s - 1]?.[1] ?? Number.NEGATIVE_INFINITY))
}
