/**
 * How well arrival windows hold: couriers drive recorded days, generated from a seed. The model learns every night from the days
 * before, as the server does, and estimates every open stop after each arrival and departure of the next day, which it has not
 * seen. From the 25th day on, the windows are compared with the arrivals.
 *
 *     node bench/arrivals.ts [seed]
 *
 * The generator and the model share no numbers: minutes on site are lognormal around means by kind of work, worker and hour
 * that the model is not given; driving depends on hour, worker, a factor that all of a day share, and chance.
 */
import { pathToFileURL } from "node:url"
import {
  type Calibration,
  type CalibrationSample,
  type Duration,
  durationFactor,
  emptyModel,
  estimateArrivals,
  learnCalibration,
  learnDurations,
  uncalibrated,
  windowOf,
} from "../packages/arrival-estimates/index.ts"
import { createRandom } from "../packages/route-optimizer/problem/random.ts"

interface Stop {
  kind: string
  roadSeconds: number
  arrival: number
  departure: number
}
interface Day {
  day: number
  worker: string
  start: number
  stops: Stop[]
}

const days = { durations: 12, calibration: 24, all: 54 } as const
/** The newest estimates of which the server learns. */
const maxSamples = 30_000
const workers = 10
const stopsPerDay = 16
const plannedSeconds = 600
const kinds = [
  { name: "parcel", mean: 240, spread: 0.35 },
  { name: "pallet", mean: 840, spread: 0.3 },
  { name: "repair", mean: 1320, spread: 0.35 },
] as const
const horizons = [5, 10, 20, 30, 45, 60, 90, 120, 180, 240, 360, 480, 720]

function recordDays(seed: number): Day[] {
  const random = createRandom(seed)
  const next = () => random.next()
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  /** Around 1 with this relative deviation. */
  const around = (spread: number) => {
    const sigma = Math.sqrt(Math.log(1 + spread ** 2))
    return Math.exp(sigma * normal() - sigma ** 2 / 2)
  }
  const people = Array.from({ length: workers }, (_, index) => ({
    name: `worker ${index}`,
    service: around(0.15),
    driving: around(0.08),
  }))
  const congestion = (hour: number) =>
    [7, 8, 16, 17].includes(hour) ? 1.45 : [9, 15, 18].includes(hour) ? 1.25 : 1.05
  const morning = (hour: number) => (hour < 10 ? 1.15 : 0.97)
  const recorded: Day[] = []
  for (let day = 0; day < days.all; day++)
    for (const person of people) {
      const traffic = around(0.07)
      const start = day * 86_400 + 7.5 * 3600 + next() * 3600
      let time = start
      const stops = Array.from({ length: stopsPerDay }, (): Stop => {
        const hour = Math.floor((time % 86_400) / 3600)
        const kind = kinds[next() < 0.6 ? 0 : next() < 0.6 ? 1 : 2]
        const roadSeconds = 120 + next() * 780
        time += roadSeconds * congestion(hour) * person.driving * traffic * around(0.18)
        const arrival = time
        time += kind.mean * person.service * morning(hour) * around(kind.spread)
        return { kind: kind.name, roadSeconds, arrival, departure: time }
      })
      recorded.push({ day, worker: person.name, start, stops })
    }
  return recorded
}

const hourOf = (time: number) => Math.floor((time % 86_400) / 3600)

function learn(recorded: readonly Day[]) {
  const service: Duration[] = []
  const travel: Duration[] = []
  for (const { worker, start, stops } of recorded)
    for (const [index, stop] of stops.entries()) {
      const left = stops[index - 1]?.departure ?? start
      travel.push({
        kind: "road",
        worker,
        hour: hourOf(left),
        expected: stop.roadSeconds,
        actual: stop.arrival - left,
      })
      service.push({
        kind: stop.kind,
        worker,
        hour: hourOf(stop.arrival),
        expected: plannedSeconds,
        actual: stop.departure - stop.arrival,
      })
    }
  return {
    service: learnDurations(service, emptyModel(0.6)),
    travel: learnDurations(travel, emptyModel(0.25)),
  }
}

interface Made extends CalibrationSample {
  width: number
  isInside: boolean
  missMinutes: number
  minutes: number
}

/** The first estimate of each horizon of each stop, as the server keeps them. */
function estimate(
  recorded: readonly Day[],
  { service, travel }: ReturnType<typeof learn>,
  calibration: Calibration,
): Made[] {
  const made: Made[] = []
  for (const { worker, start, stops } of recorded) {
    const seen = new Set<string>()
    const moments = [
      { now: start, done: 0, isOnSite: false },
      ...stops.flatMap((stop, index) => [
        { now: stop.arrival, done: index, isOnSite: true },
        { now: stop.departure, done: index + 1, isOnSite: false },
      ]),
    ]
    for (const { now, done, isOnSite } of moments) {
      let rough = now
      const remaining = stops.slice(done).map((stop, index) => {
        const at = { worker, hour: hourOf(rough) }
        const travelSeconds =
          isOnSite && index === 0 ? 0 : stop.roadSeconds * durationFactor(travel, { kind: "road", ...at })
        const serviceSeconds = plannedSeconds * durationFactor(service, { kind: stop.kind, ...at })
        rough += travelSeconds + serviceSeconds
        return {
          travelSeconds,
          serviceSeconds,
          serviceSpread: serviceSeconds * service.spread,
          ...(isOnSite && index === 0 ? { arrivedAt: stop.arrival } : {}),
        }
      })
      const estimates = estimateArrivals({ now, stops: remaining, breaks: [], travelSpread: travel.spread })
      for (const [index, one] of estimates.entries()) {
        const stop = stops[done + index]
        if (!stop || (isOnSite && index === 0)) continue
        const window = windowOf(calibration, one, { now })
        const minutes = horizons.find((most) => window.arrival - now <= most * 60)
        const key = `${done + index} ${minutes}`
        if (minutes === undefined || seen.has(key)) continue
        seen.add(key)
        made.push({
          error: (stop.arrival - one.arrival) / one.deviation,
          stopsBefore: one.stopsBefore,
          horizon: one.arrival - now,
          width: (window.latest - window.earliest) / 60,
          isInside: stop.arrival >= window.earliest && stop.arrival <= window.latest,
          missMinutes: Math.abs(stop.arrival - window.arrival) / 60,
          minutes,
        })
      }
    }
  }
  return made
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

export function measure(seed: number) {
  const recorded = recordDays(seed)
  const untaught = { service: emptyModel(0.6), travel: emptyModel(0.25) }
  let samples: Made[] = []
  const made: Made[] = []
  const raw: Made[] = []
  const blind: Made[] = []
  for (let today = days.durations; today < days.all; today++) {
    const model = learn(recorded.filter(({ day }) => day < today))
    const own = recorded.filter(({ day }) => day === today)
    const estimates = estimate(own, model, learnCalibration(samples))
    samples = [...samples, ...estimates].slice(-maxSamples)
    if (today < days.calibration) continue
    made.push(...estimates)
    raw.push(...estimate(own, model, uncalibrated))
    blind.push(...estimate(own, untaught, uncalibrated))
  }
  const groups = [...Map.groupBy(made, ({ minutes }) => minutes)].toSorted(([one], [other]) => one - other)
  const summary = (list: readonly Made[]) => ({
    estimates: list.length,
    insidePercent: Math.round(mean(list.map(({ isInside }) => (isInside ? 1000 : 0)))) / 10,
    widthMinutes: Math.round(mean(list.map(({ width }) => width)) * 10) / 10,
    missMinutes: Math.round(mean(list.map(({ missMinutes }) => missMinutes)) * 10) / 10,
  })
  return {
    all: summary(made),
    withinTwoHours: summary(made.filter(({ minutes }) => minutes <= 120)),
    uncalibrated: summary(raw),
    nothingLearned: summary(blind),
    byHorizon: groups.map(([minutes, group]) => ({ minutes, ...summary(group) })),
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const seed of process.argv[2] ? [Number(process.argv[2])] : [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
    const { byHorizon, ...others } = measure(seed)
    console.log(`seed ${seed}`)
    console.table(others)
    if (process.argv[2]) console.table(byHorizon)
  }
}
