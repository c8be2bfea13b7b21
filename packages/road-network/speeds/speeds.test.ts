import assert from "node:assert/strict"
import { test } from "node:test"
import type { LngLat } from "../../geodesy/geodesy.ts"
import { buildNetwork } from "../build/build-network.ts"
import { buildProfile, customize } from "../build/build-profile.ts"
import { findPath } from "../query/path.ts"
import { createRouter, type Router } from "../query/router.ts"
import { snap } from "../query/snap.ts"
import { travelledSegments } from "../route/travel-line.ts"
import { drawRoads } from "../testing/drawn-roads.ts"
import { seededRandom } from "../testing/random-roads.ts"
import { classTimesOf, observeTrack } from "./observe-track.ts"
import {
  emptyHistory,
  hourOfWeek,
  isEnough,
  learnSpeeds,
  packHistory,
  secondsInHour,
  slownessOf,
  speedFactors,
  unpackHistory,
} from "./speed-history.ts"

/** A grid of 8 by 8 streets, 300 m apart: every other one is a primary road. */
const size = 8
const gap = 0.0027
const letters = (row: number, column: number) => `${row}.${column}`
const grid = drawRoads({
  nodes: Object.fromEntries(
    Array.from({ length: size * size }, (_, i) => {
      const [row, column] = [Math.floor(i / size), i % size]
      return [letters(row, column), [column * gap, row * gap] as const]
    }),
  ),
  ways: Array.from({ length: size }, (_, line) => {
    const highway = line % 2 === 0 ? "primary" : "residential"
    const along = (path: (at: number) => string) =>
      [Array.from({ length: size }, (_, at) => path(at)), { highway }] as const
    return [along((at) => letters(line, at)), along((at) => letters(at, line))]
  }).flat(),
})

/** Positions of a drive at some multiple of the usual speeds, every ten seconds, with an error of some metres. */
function drive(router: Router, slow: Record<string, number>, start: number, random: () => number) {
  const place = (): LngLat => [random() * gap * (size - 1), random() * gap * (size - 1)]
  const [from, to] = [snap(router.graph, place()), snap(router.graph, place())]
  const path = from && to && findPath(router, from.accesses, to.accesses)
  if (!path) return []
  const track: { lngLat: LngLat; time: number; accuracyMeters: number }[] = []
  let time = start
  let next = start
  const kindOf = (directed: number) =>
    router.graph.network.columns.kindClass[router.graph.network.columns.segmentKind[directed >>> 1] ?? 0]
  for (const segment of travelledSegments(router.graph, path)) {
    const factor = (kindOf(segment.directed) === 2 ? slow.primary : slow.residential) ?? 1
    const seconds = segment.seconds * factor
    const [first, last] = [segment.points[0] ?? [0, 0], segment.points.at(-1) ?? [0, 0]]
    for (; next < time + seconds; next += 10) {
      const share = (next - time) / seconds
      const at = (side: 0 | 1) =>
        first[side] + (last[side] - first[side]) * share + (random() - 0.5) * 0.00008
      track.push({ lngLat: [at(0), at(1)], time: next, accuracyMeters: 8 })
    }
    time += seconds
  }
  return track
}

test("speeds are learned by class of road and hour from positions, and correct routes", async () => {
  const network = await buildNetwork(grid)
  const base = buildProfile(network, "car")
  const router = createRouter(base)
  const random = seededRandom(7)
  const truth: Record<number, Record<string, number>> = {
    [hourOfWeek(2, 8)]: { primary: 2.2, residential: 1.25 },
    [hourOfWeek(2, 14)]: { primary: 1, residential: 0.8 },
  }
  const stretches = Object.entries(truth).flatMap(([hour, slow]) =>
    Array.from({ length: 250 }, (_, i) => observeTrack(router, drive(router, slow, i * 10_000, random)))
      .flat()
      .map((one) => ({ ...one, hourOfWeek: Number(hour) })),
  )
  const learned = learnSpeeds(emptyHistory(), stretches)
  assert.ok(isEnough(learned), `${stretches.length} stretches`)
  assert.ok(!isEnough(learnSpeeds(emptyHistory(), stretches.slice(0, 50))))
  const slowness = slownessOf(unpackHistory(JSON.parse(JSON.stringify(packHistory(learned)))))
  for (const [hour, slow] of Object.entries(truth)) {
    const factors = speedFactors(slowness, [Number(hour)]) ?? {}
    for (const name of ["primary", "residential"] as const) {
      const expected = 1 / (slow[name] ?? 1)
      const found = factors[name] ?? 1
      assert.ok(Math.abs(found - expected) < 0.11, `${name} at ${hour}: ${found}, not ${expected}`)
    }
  }
  const [rush, quiet] = [[hourOfWeek(2, 8)], [hourOfWeek(6, 3)]]
  assert.ok((speedFactors(slowness, quiet)?.primary ?? 1) > (speedFactors(slowness, rush)?.primary ?? 1))
  // A way over primary roads takes as much longer as they are slower, whichever way it is computed.
  const ends = [snap(base, [0, 0.0001]), snap(base, [gap * 6, gap * 6])]
  const factors = speedFactors(slowness, rush)
  const corrected = customize(base, { mode: "car", ...(factors ? { speedFactors: factors } : {}) })
  const pathIn = (own: Router) => findPath(own, ends[0]?.accesses ?? [], ends[1]?.accesses ?? [])
  const [usual, slower] = [pathIn(router), pathIn(createRouter(corrected))]
  assert.ok(usual && slower)
  const estimated = secondsInHour(slowness, rush[0] ?? 0, classTimesOf(base, [usual]))
  assert.ok(slower.cost / usual.cost > 1.5 && slower.cost / usual.cost < 2.3)
  assert.ok(Math.abs(estimated / (slower.cost / 1000) - 1) < 0.1, `${estimated} and ${slower.cost}`)
})

test("standing, walking and gaps are not driving", async () => {
  const router = createRouter(buildProfile(await buildNetwork(grid), "car"))
  const along = (count: number, degrees: number, seconds: number, from = { at: 0, time: 0 }) =>
    Array.from({ length: count }, (_, i) => ({
      lngLat: [from.at + i * degrees, 0] as const,
      time: from.time + i * seconds,
    }))
  assert.deepEqual(observeTrack(router, along(60, 0.000_15, 15)), [], "walking")
  assert.deepEqual(observeTrack(router, along(30, 0, 20)), [], "standing")
  assert.deepEqual(observeTrack(router, along(5, 0.003, 300)), [], "a position every five minutes")
  const [first] = observeTrack(router, along(10, 0.001, 10))
  assert.ok(first && Math.abs(first.seconds - 30) < 1, JSON.stringify(first))
})
