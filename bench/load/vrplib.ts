import type {
  Plan,
  PlanProblem,
  TimeSpan,
  Vehicle,
  Visit,
} from "../../packages/route-optimizer/problem/problem.ts"

/**
 * Reads vehicle routing instances in the VRPLIB form, with the distance convention of their families:
 *
 * | Family | Distance |
 * |---|---|
 * | type CVRP (X set) | rounded to the nearest integer |
 * | type VRPTW (Homberger) | truncated to one decimal, as the DIMACS challenge of 2021 |
 * | type MDVRPTW | 1000 times, rounded |
 * | type HFVRP | exact; costs of the file are 100 times |
 * | type MTVRPTWR | truncated to one decimal, times 10 |
 *
 * Decimal families are scaled to integers, so that no sum rounds; `costUnit` leads back to the file's costs.
 */
export type Instance = { readonly name: string; readonly problem: PlanProblem; readonly costUnit: number }

type Convention = {
  readonly distance: (exact: number) => number
  /** Multiplies times and service of the file. */
  readonly timeUnit: number
  readonly costUnit: number
}

const conventions: Record<string, Convention> = {
  CVRP: { distance: Math.round, timeUnit: 1, costUnit: 1 },
  VRPTW: { distance: (exact) => Math.floor(10 * exact), timeUnit: 10, costUnit: 0.1 },
  MDVRPTW: { distance: (exact) => Math.round(1000 * exact), timeUnit: 1000, costUnit: 1 },
  HFVRP: { distance: (exact) => exact, timeUnit: 1, costUnit: 0.01 },
  MTVRPTWR: { distance: (exact) => Math.floor(10 * exact), timeUnit: 10, costUnit: 1 },
}

export function readInstance(text: string): Instance {
  const { header, sections } = split(text)
  const type = header.get("TYPE") ?? ""
  const convention = conventions[type]
  if (convention === undefined) throw new Error(`instances of type ${type} are unknown here`)
  const { timeUnit } = convention
  const coordinates = rows(sections, "NODE_COORD_SECTION").map(([, x = 0, y = 0]) => ({ x, y }))
  const size = coordinates.length
  const distances = new Float64Array(size * size)
  coordinates.forEach((from, i) => {
    coordinates.forEach((to, j) => {
      distances[i * size + j] = convention.distance(Math.hypot(from.x - to.x, from.y - to.y))
    })
  })
  const demands = column(sections, "DEMAND_SECTION", size, 0)
  const services = column(sections, "SERVICE_TIME_SECTION", size, Number(header.get("SERVICE_TIME") ?? 0))
  const releases = sections.has("RELEASE_TIME_SECTION")
    ? column(sections, "RELEASE_TIME_SECTION", size, 0)
    : undefined
  const windows = rows(sections, "TIME_WINDOW_SECTION").map(
    ([, open = 0, close = 0]): TimeSpan => [open * timeUnit, close * timeUnit],
  )
  const depots = new Set(
    rows(sections, "DEPOT_SECTION").flatMap(([depot = -1]) => (depot > 0 ? [depot - 1] : [])),
  )
  const [firstDepot = 0] = depots
  const visits: Visit[] = []
  for (let i = 0; i < size; i++) {
    if (depots.has(i)) continue
    const window = windows[i]
    visits.push({
      id: String(i + 1),
      location: i,
      serviceSeconds: (services[i] ?? 0) * timeUnit,
      windows: window ? [window] : [],
      demand: [demands[i] ?? 0],
      tags: [],
      ...(releases ? { releaseTime: (releases[i] ?? 0) * timeUnit } : {}),
    })
  }
  const vehicleCount = Number(header.get("VEHICLES") ?? visits.length)
  const capacities = column(
    sections,
    "CAPACITY_SECTION",
    vehicleCount,
    Number(header.get("CAPACITY") ?? Number.POSITIVE_INFINITY),
  )
  const fixed = column(sections, "VEHICLES_FIXED_COST_SECTION", vehicleCount, 0)
  const units = column(sections, "VEHICLES_UNIT_DISTANCE_COST_SECTION", vehicleCount, 1)
  const homes = column(sections, "VEHICLES_DEPOT_SECTION", vehicleCount, firstDepot + 1)
  const longest = header.get("VEHICLES_MAX_DURATION")
  const isMultiTrip = sections.has("VEHICLES_RELOAD_DEPOT_SECTION")
  const vehicles = Array.from({ length: vehicleCount }, (_, k): Vehicle => {
    const home = (homes[k] ?? 1) - 1
    return {
      id: `v${k + 1}`,
      startLocation: home,
      endLocation: home,
      shift: windows[home] ?? [0, Number.POSITIVE_INFINITY],
      breaks: [],
      capacity: [capacities[k] ?? 0],
      minimumLoad: [],
      tags: [],
      fixedCost: fixed[k] ?? 0,
      distanceCost: units[k] ?? 1,
      durationFactor: 1,
      maxTrips: isMultiTrip ? 8 : 1,
      ...(longest === undefined ? {} : { maxDuration: Number(longest) * timeUnit }),
    }
  })
  const problem: PlanProblem = {
    locationCount: size,
    distances,
    durations: distances,
    dimensions: 1,
    visits,
    vehicles,
    objective: { kind: "weighted" },
  }
  return { name: header.get("NAME") ?? "", problem, costUnit: convention.costUnit }
}

/** The routes of a solution file, whose 0 stands for a reload and whose clients count from 1 after the depots. */
export function readSolution(text: string): { plan: Plan; cost: number } {
  const routes = []
  for (const [, number = "", visits = ""] of text.matchAll(/^Route #(\d+):(.*)$/gm)) {
    const trips: number[][] = [[]]
    for (const word of visits.trim().split(/\s+/)) {
      if (word === "") continue
      if (word === "0") trips.push([])
      else trips.at(-1)?.push(Number(word))
    }
    if (trips.some((trip) => trip.length > 0)) routes.push({ vehicle: Number(number) - 1, trips })
  }
  return { plan: { routes, dropped: [] }, cost: Number(/^Cost:?\s+(\S+)/m.exec(text)?.[1]) }
}

function split(text: string) {
  const header = new Map<string, string>()
  const sections = new Map<string, number[][]>()
  let current: number[][] | undefined
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.trim()
    if (/^[A-Z_]+_SECTION$/.test(trimmed)) {
      current = []
      sections.set(trimmed, current)
    } else if (trimmed === "EOF") break
    else if (current) current.push(trimmed.split(/\s+/).map(Number))
    else {
      const [key = "", ...value] = trimmed.split(":")
      header.set(key.trim(), value.join(":").trim())
    }
  }
  return { header, sections }
}

function rows(sections: ReadonlyMap<string, number[][]>, name: string): number[][] {
  return sections.get(name) ?? []
}

function column(
  sections: ReadonlyMap<string, number[][]>,
  name: string,
  length: number,
  otherwise: number,
): number[] {
  const section = sections.get(name)
  return Array.from({ length }, (_, i) => (section ? (section[i]?.[1] ?? otherwise) : otherwise))
}
