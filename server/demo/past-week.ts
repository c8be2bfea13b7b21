import type { Pool } from "#core/database/database.ts"
import { distanceMeters, type LngLat } from "#packages/geodesy/geodesy.ts"
import { formatLatLng } from "#packages/geodesy/lng-lat-text.ts"
import type { DemoApi } from "./api.ts"
import { type City, stepsAlong, timeZone } from "./city.ts"
import { dateBack } from "./own-times.ts"
import { pick, seededRandom } from "./random.ts"
import { type DemoWorker, parcels, receivers } from "./seed.ts"

export interface PastWeekOptions {
  api: DemoApi
  owner: DemoApi
  sql: Pool
  city: City
  /** Those of a depot next to each other. */
  workers: readonly DemoWorker[]
  now: Temporal.Instant
}

const days = 7
const stopsOfRound = 10
const secondsBetweenFixes = 30
const metersPerSecond = 7
const pointsPerCall = 1000
const loadingText = "Loading took long at the depot"
const causes = ["Traffic", "Waited at the customer", "Trouble with the van", "Address was hard to find"]
const failures = [
  { outcome: "failed", outcomeReason: "Nobody home" },
  { outcome: "failed", outcomeReason: "Place closed" },
  { outcome: "failed", outcomeReason: "Wrong address" },
  { outcome: "partial", outcomeReason: "Items missing" },
  { outcome: "returned", outcomeReason: "Refused" },
]
const complaints = ["Much later than promised", "I waited the whole morning", "Nobody called"]

interface Stop {
  place: LngLat
  address: string
  start: Temporal.Instant
  end: Temporal.Instant
  arrived: Temporal.Instant
  left: Temporal.Instant
  cause: string | undefined
  failure: (typeof failures)[number] | undefined
}

interface Round {
  stops: Stop[]
  points: { lat: number; lon: number; speed: number; createdTime: string }[]
  begin: Temporal.Instant
  end: Temporal.Instant
}

/**
 * The rounds of the week before today, Sundays aside: what phones and customers would have sent then, sent now with its own
 * times. On Tuesday the first depot's vans left late; other days have a delay here and there.
 */
export async function seedPastWeek({ api, owner, sql, city, workers, now }: PastWeekOptions): Promise<void> {
  const random = seededRandom(31)
  await owner.call("PUT", "/reports/settings", {
    costs: { perSession: 20, perHour: 14, perKilometer: 0.4 },
    targets: [
      { metric: "onTimeRate", target: 0.9 },
      { metric: "firstAttemptRate", target: 0.92 },
      { metric: "averageRating", target: 4.2 },
    ],
  })
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate()
  const worked = Array.from({ length: days }, (_, index) => today.subtract({ days: days - index })).filter(
    ({ dayOfWeek }) => dayOfWeek !== 7,
  )
  // The vans have been driven by them all along.
  await sql`update vehicle_drivers set started_at = started_at - interval '30 days'`
  const firstHub = workers[0]?.hub
  for (const worker of workers) {
    const rounds: Round[] = []
    for (const day of worked)
      rounds.push(
        await aRound(city, worker, day, {
          isLateLoaded: day.dayOfWeek === 2 && worker.hub === firstHub,
          random,
        }),
      )
    await drive({ api, owner, worker, rounds, random })
  }
  await dateBack(sql, today.toZonedDateTime(timeZone).toInstant())
}

interface RoundOptions {
  isLateLoaded: boolean
  random: () => number
}

/** Ten stops from eight o'clock on, an hour wide each. */
async function aRound(
  city: City,
  { hub }: DemoWorker,
  day: Temporal.PlainDate,
  { isLateLoaded, random }: RoundOptions,
): Promise<Round> {
  const eight = day.toZonedDateTime({ timeZone, plainTime: "08:00" }).toInstant()
  const begin = eight.subtract({ minutes: Math.round(random() * 12) })
  const points: Round["points"] = []
  const report = ([lng, lat]: LngLat, at: Temporal.Instant, speed: number) =>
    points.push({
      lat: Number((lat + (random() - 0.5) * 0.00006).toFixed(6)),
      lon: Number((lng + (random() - 0.5) * 0.00006).toFixed(6)),
      speed,
      createdTime: at.toString(),
    })
  const stand = (place: LngLat, from: Temporal.Instant, until: Temporal.Instant) => {
    for (
      let at = from;
      Temporal.Instant.compare(at, until) < 0;
      at = at.add({ seconds: secondsBetweenFixes })
    )
      report(place, at, 0)
    return until
  }
  const driveTo = async (from: LngLat, to: LngLat, departure: Temporal.Instant) => {
    const path = await city.route(from, to)
    let at = departure
    for (const place of stepsAlong(path, metersPerSecond * secondsBetweenFixes)) {
      at = at.add({ seconds: secondsBetweenFixes })
      report(place, at, Math.round(metersPerSecond * 3.6))
    }
    return at
  }
  const delayedAt = random() < 0.22 ? 2 + Math.floor(random() * 6) : -1
  const ownCause = pick(random, causes)
  const loading = isLateLoaded ? 65 + random() * 25 : 10 + random() * 8
  const planned = { at: eight.add({ minutes: 15 }), place: hub }
  let at = stand(hub, begin, eight.add({ seconds: Math.round(loading * 60) }))
  let place: LngLat = hub
  const stops: Stop[] = []
  for (let index = 0; index < stopsOfRound; index += 1) {
    const next = await city.placeNear(hub, 400 + random() * 3200, random)
    const minutesOnSite = 5 + Math.round(random() * 7)
    const expected = planned.at.add({
      seconds: Math.round((distanceMeters(planned.place, next.place) * 1.4) / metersPerSecond),
    })
    Object.assign(planned, { at: expected.add({ minutes: minutesOnSite + 2 }), place: next.place })
    const arrived = await driveTo(place, next.place, at)
    const minutes = minutesOnSite + (index === delayedAt ? 45 + random() * 30 : random() * 3)
    const left = stand(next.place, arrived, arrived.add({ seconds: Math.round(minutes * 60) }))
    const end = expected.add({ minutes: 30 + minutesOnSite })
    const isLate = Temporal.Instant.compare(left, end) > 0
    stops.push({
      ...next,
      start: expected.subtract({ minutes: 30 }),
      end,
      arrived,
      left,
      cause: isLate && random() < 0.93 ? (isLateLoaded ? loadingText : ownCause) : undefined,
      failure: random() < (isLate ? 0.16 : 0.06) ? pick(random, failures) : undefined,
    })
    ;[at, place] = [left, next.place]
  }
  const back = await driveTo(place, hub, at)
  return { stops, points, begin, end: stand(hub, back, back.add({ minutes: 6 })) }
}

interface Driving extends Pick<PastWeekOptions, "api" | "owner"> {
  worker: DemoWorker
  rounds: readonly Round[]
  random: () => number
}

/** Creates the tasks, sends what the phone would have sent, then what customers thought of it. */
async function drive({ api, owner, worker, rounds, random }: Driving): Promise<void> {
  const { data: hubs } = await owner.call<{ data: { _id: string; lat: number; lng: number }[] }>(
    "GET",
    "/hubs",
  )
  const hubId = hubs.find(({ lat, lng }) => lng === worker.hub[0] && lat === worker.hub[1])?._id
  const phone = await api.signIn(worker.email, worker.password)
  const points = rounds.flatMap((round) => round.points)
  for (let from = 0; from < points.length; from += pointsPerCall)
    await phone.call("POST", "/location-history/bulk", {
      location_histories: points.slice(from, from + pointsPerCall),
    })
  const driven: { stop: Stop; taskId: string }[] = []
  for (const { stops } of rounds) {
    const { tasks } = await owner.call<{ tasks: { _id: string }[] }>("POST", "/tasks/bulk", {
      tasks: stops.map(({ place, address, start, end }) => ({
        flow: "Delivery",
        hubId,
        startTime: start.toString(),
        endTime: end.toString(),
        assignee: [worker.email],
        createdFrom: "WEB",
        receiverName: pick(random, receivers),
        deliveryAddress: address,
        deliveryPoint: formatLatLng(place),
        parcelType: pick(random, parcels),
        weight: Math.round(random() * 200) / 10,
      })),
    })
    await phone.call("PATCH", "/tasks/bulk", {
      tasks: stops.map(({ arrived, left, place, cause, failure }, index) => ({
        _id: tasks[index]?._id,
        status: "DONE",
        doneFrom: "MOBILE",
        doneCoordinate: formatLatLng(place),
        arrivedTime: arrived.toString(),
        doneTime: left.toString(),
        leftTime: left.toString(),
        ...(cause ? { lateReason: cause } : {}),
        ...(failure ?? { receivedBy: "Reception" }),
      })),
    })
    driven.push(...stops.map((stop, index) => ({ stop, taskId: tasks[index]?._id ?? "" })))
  }
  const [lng, lat] = worker.hub
  for (const { begin, end } of rounds)
    await phone.call("POST", "/location-history", {
      ...{
        lat,
        lon: lng,
        startTime: begin.toString(),
        finishTime: end.toString(),
        createdTime: end.toString(),
      },
    })
  for (const {
    stop: { failure, cause },
    taskId,
  } of driven)
    if (random() < 0.2 && !failure) {
      const { data } = await owner.call<{ data: { url: string } }>("POST", `/task/${taskId}/tracking-link`)
      const stars = cause ? 1 + Math.floor(random() * 3) : random() < 0.75 ? 5 : 4
      const comment = stars < 3 ? pick(random, complaints) : ""
      await owner.submit(`${new URL(data.url).pathname}/rating`, { stars: String(stars), comment })
    }
}
