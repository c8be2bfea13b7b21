import { distanceMeters, type LngLat } from "#packages/geodesy/geodesy.ts"
import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { parseClock } from "../features/planning/routes/index.ts"
import { type DemoApi, demoApi } from "./api.ts"
import { type City, openCity, stepsAlong, timeZone as zoneOfCity } from "./city.ts"
import { seededRandom } from "./random.ts"

interface PlannedStop {
  visitId: string
  isHub: boolean
  coordinate: string
  eta: string
  etd: string
}
interface PlannedVehicle {
  assignee: string | null
  trips: PlannedStop[]
}

export interface Replay {
  resultId: string
  /** Of the couriers. */
  password: string
  timeZone: string
}

const secondsBetweenFixes = 20
const pointsPerCall = 1000
const tasksPerCall = 100
/** Every so many visits one is not made. */
const missedEach = 45

/**
 * Drives a dispatched plan's day at once: each courier's phone sends the positions of the whole day with their own
 * times, a little late here and there, and finishes the tasks. For a day that is over.
 */
export async function replayPlan(
  api: DemoApi,
  owner: DemoApi,
  { resultId, password, timeZone }: Replay,
): Promise<{ points: number; finished: number }> {
  const { data } = await owner.call<{
    data: { routingDate: string; result: { routing: PlannedVehicle[] } }
  }>("GET", `/result/${resultId}`)
  const midnight = Temporal.PlainDate.from(data.routingDate).toZonedDateTime(timeZone).toInstant()
  const random = seededRandom(5)
  const { route } = await openCity(owner)
  const replayed = { points: 0, finished: 0 }
  let visit = 0
  for (const { assignee, trips: planned } of data.result.routing) {
    if (!assignee || planned.length === 0) continue
    const trips = planned.filter(({ isHub }) => isHub || ++visit % missedEach !== 0)
    const courier = await api.signIn(assignee, password)
    const points = await drivenPoints(trips, { midnight, random, route })
    for (let at = 0; at < points.length; at += pointsPerCall)
      await courier.call("POST", "/location-history/bulk", {
        location_histories: points.slice(at, at + pointsPerCall),
      })
    const done = trips.filter(({ isHub }) => !isHub)
    const tasks = done.flatMap(({ visitId }) => {
      const id = /^taskId-(.+)$/.exec(visitId)?.[1]
      return id ? [{ _id: id, status: "DONE", doneFrom: "MOBILE", receivedBy: "Reception" }] : []
    })
    for (let at = 0; at < tasks.length; at += tasksPerCall)
      await courier.call("PATCH", "/tasks/bulk", { tasks: tasks.slice(at, at + tasksPerCall) })
    replayed.points += points.length
    replayed.finished += tasks.length
  }
  return replayed
}

interface Driving {
  midnight: Temporal.Instant
  random: () => number
  route: City["route"]
}

/** From stop to stop, each stay as long as planned; the day runs up to half an hour late. */
async function drivenPoints(trips: readonly PlannedStop[], { midnight, random, route }: Driving) {
  const points: { lat: number; lon: number; createdTime: string; speed: number }[] = []
  const report = (at: LngLat, seconds: number, speed: number) =>
    points.push({
      lat: Number((at[1] + (random() - 0.5) * 0.00008).toFixed(6)),
      lon: Number((at[0] + (random() - 0.5) * 0.00008).toFixed(6)),
      speed,
      createdTime: midnight.add({ seconds: Math.round(seconds) }).toString(),
    })
  let late = (random() - 0.3) * 600
  const [first, ...stops] = trips
  let from = parseLatLng(first?.coordinate ?? "")
  let left = (parseClock(first?.etd ?? "") ?? 0) + late
  if (!from) return points
  for (let seconds = left - 300; seconds < left; seconds += secondsBetweenFixes) report(from, seconds, 0)
  for (const stop of stops) {
    const to = parseLatLng(stop.coordinate)
    const [planned, departs] = [parseClock(stop.eta), parseClock(stop.etd)]
    if (!to || planned === undefined || departs === undefined) continue
    late = Math.max(-300, Math.min(1800, late + (random() - 0.45) * 180))
    const arrived = Math.max(left + 30, planned + late)
    const path = await route(from, to)
    const meters = path.reduce((sum, at, index) => sum + distanceMeters(path[index - 1] ?? at, at), 0)
    const speed = Math.round((meters / (arrived - left)) * 3.6)
    const steps = Math.max(1, Math.round((arrived - left) / secondsBetweenFixes))
    const places = [...stepsAlong(path, Math.max(1, meters / steps))].slice(0, steps - 1)
    for (const [index, at] of places.entries())
      report(at, left + ((arrived - left) * (index + 1)) / steps, speed)
    left = arrived + Math.max(60, departs - planned)
    for (let seconds = arrived; seconds < left; seconds += secondsBetweenFixes) report(to, seconds, 0)
    from = to
  }
  return points
}

/** `node server/demo/replay-plan.ts <address> <result id> <owner's e-mail> <password> [time zone]` */
if (import.meta.main) {
  const [address = "", resultId = "", email = "", password = "", timeZone = zoneOfCity] =
    process.argv.slice(2)
  const api = demoApi(address)
  const owner = await api.signIn(email, password)
  const { points, finished } = await replayPlan(api, owner, {
    resultId,
    password: "Lantern-Quay-71",
    timeZone,
  })
  process.stdout.write(`${points} positions were sent, ${finished} tasks are done\n`)
}
