import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { destination, type LngLat } from "#packages/geodesy/geodesy.ts"
import {
  advanceFence,
  arrivalRules,
  changedVisits,
  type FencePoint,
  fenceVisits,
  outside,
  settleFence,
} from "./geofence.ts"

const hub: LngLat = [4.9, 52.37]
const fence = { center: hub, radiusMeters: 50 }
const at = (seconds: number, meters: number, accuracyMeters = 5): FencePoint => ({
  recordedAt: seconds * 1000,
  position: destination(hub, 90, meters),
  accuracyMeters,
})
const later = 100_000_000

test("someone who stops inside has arrived since the first point inside, and left at the first one outside", () => {
  const points = [at(0, 500), at(10, 300), at(20, 40), at(60, 10), at(600, 12), at(700, 200), at(740, 600)]
  assert.deepEqual(fenceVisits(points, fence, later), [{ arrivedAt: 20_000, leftAt: 700_000 }])
})

test("someone who drives past has not arrived", () => {
  const points = [at(0, 300), at(10, 30), at(15, 10), at(20, 120), at(30, 400)]
  assert.deepEqual(fenceVisits(points, fence, later), [])
})

test("a phone at the rim does not come and go", () => {
  const points = [at(0, 10), at(60, 20)]
  for (let i = 0; i < 40; i++) points.push(at(100 + i * 60, i % 2 === 0 ? 45 : 70))
  assert.deepEqual(fenceVisits(points, fence, 2_460_000), [{ arrivedAt: 0, leftAt: null }])
})

test("a wide fix neither arrives nor leaves", () => {
  assert.deepEqual(fenceVisits([at(0, 10, 400), at(60, 10, 400), at(120, 10, 400)], fence, 130_000), [])
  const points = [at(0, 10), at(60, 10), at(120, 300, 280), at(180, 300, 280), at(240, 300, 280)]
  assert.deepEqual(fenceVisits(points, fence, 250_000), [{ arrivedAt: 0, leftAt: null }])
})

test("one point outside does not end a visit when the next is inside again", () => {
  const points = [at(0, 10), at(60, 10), at(120, 300), at(140, 12)]
  assert.deepEqual(fenceVisits(points, fence, 150_000), [{ arrivedAt: 0, leftAt: null }])
})

test("a phone that falls silent inside has arrived, live and in hindsight", () => {
  const points = [at(0, 500), at(20, 30)]
  assert.deepEqual(fenceVisits(points, fence, 60_000), [])
  const arrived = [{ arrivedAt: 20_000, leftAt: null }]
  assert.deepEqual(fenceVisits(points, fence, 20_000 + arrivalRules.silenceSeconds * 1000), arrived)
  const withReturn = [...points, at(2000, 400), at(2040, 900)]
  assert.deepEqual(fenceVisits(withReturn, fence, later), [{ arrivedAt: 20_000, leftAt: 2_000_000 }])
})

test("points that arrive late change the visits, and the difference is returned", () => {
  const early = [at(0, 500), at(10, 20), at(60, 20), at(4000, 900), at(4040, 900)]
  const before = fenceVisits(early, fence, later)
  assert.deepEqual(before, [{ arrivedAt: 10_000, leftAt: 4_000_000 }])
  const late = [at(1000, 700), at(1040, 800), at(2000, 15), at(2100, 15)]
  const all = [...early, ...late].sort((a, b) => a.recordedAt - b.recordedAt)
  const after = fenceVisits(all, fence, later)
  assert.deepEqual(changedVisits(before, after), {
    added: [{ arrivedAt: 2_000_000, leftAt: 4_000_000 }],
    changed: [{ arrivedAt: 10_000, leftAt: 1_000_000 }],
    withdrawn: [],
  })
  assert.deepEqual(changedVisits(after, []).withdrawn, after)
  assert.deepEqual(changedVisits(after, after), { added: [], changed: [], withdrawn: [] })
})

const wandering = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 900 }), fc.nat(300), fc.nat(120)), { maxLength: 80, size: "max" })
  .map((steps) => {
    let seconds = 0
    return steps.map(([pause, meters, accuracy]) => {
      seconds += pause
      return at(seconds, meters, accuracy)
    })
  })

test("visits are in order, do not overlap, and only the last may be open", () => {
  fc.assert(
    fc.property(wandering, (points) => {
      const visits = fenceVisits(points, fence, later)
      for (const [i, visit] of visits.entries()) {
        const next = visits[i + 1]
        if (visit.leftAt === null) assert.equal(next, undefined)
        else {
          assert.ok(visit.leftAt > visit.arrivedAt)
          if (next) assert.ok(next.arrivedAt >= visit.leftAt)
        }
      }
    }),
  )
})

test("a clock that ticks between the points changes nothing in the end", () => {
  fc.assert(
    fc.property(wandering, fc.array(fc.nat(80_000), { maxLength: 200, size: "max" }), (points, ticks) => {
      const seen: { kind: string; at: number }[] = []
      let state = outside
      const moments = [
        ...points.map((point) => ({ at: point.recordedAt, point })),
        ...ticks.map((tick) => ({ at: tick * 1000, point: undefined })),
      ].sort((a, b) => a.at - b.at)
      for (const moment of moments) {
        const step = moment.point ? advanceFence(state, moment.point, fence) : settleFence(state, moment.at)
        state = step.state
        seen.push(...step.events)
      }
      seen.push(...settleFence(state, later).events)
      const visits = fenceVisits(points, fence, later)
      assert.deepEqual(
        seen.map((event) => event.at),
        visits.flatMap((visit) =>
          visit.leftAt === null ? [visit.arrivedAt] : [visit.arrivedAt, visit.leftAt],
        ),
      )
    }),
  )
})

test("each rule of a fence holds up to its very value", () => {
  const visits = (points: FencePoint[], now = 1_000_000) =>
    fenceVisits(points, fence, now, undefined, { ...arrivalRules, silenceSeconds: 100_000 })
  const stay = [at(0, 10), at(30, 10)]
  const here = { arrivedAt: 0, leftAt: null }
  // Half a minute inside is an arrival, and half a minute outside a departure.
  assert.deepEqual(visits(stay), [here])
  assert.deepEqual(visits([at(0, 10), at(29.9, 10)]), [])
  assert.deepEqual(visits([...stay, at(100, 200), at(130, 200)]), [{ arrivedAt: 0, leftAt: 100_000 }])
  assert.deepEqual(visits([...stay, at(100, 200), at(129.9, 200)]), [here])
  // What is unclear neither interrupts nor goes on.
  assert.deepEqual(visits([at(0, 10), at(15, 60), at(30, 10)]), [here])
  assert.deepEqual(visits([at(0, 10), at(40, 60)]), [])
  assert.deepEqual(visits([...stay, at(100, 200), at(115, 60), at(130, 200)]), [
    { arrivedAt: 0, leftAt: 100_000 },
  ])
  assert.deepEqual(visits([...stay, at(100, 200), at(140, 60)]), [here])
  // Inside again: the departure begins again.
  assert.deepEqual(visits([...stay, at(100, 200), at(115, 10), at(130, 200), at(150, 200)]), [here])
  // Outside again: the arrival begins again.
  assert.deepEqual(visits([at(0, 10), at(15, 200), at(20, 10), at(40, 10)]), [])
  // A fix as wide as the fence with its margin counts, a wider one does not; outside counts with all of its error.
  assert.deepEqual(visits([at(0, 10, 75), at(30, 10, 75)]), [here])
  assert.deepEqual(visits([at(0, 10, 75.1), at(30, 10, 75.1)]), [])
  assert.deepEqual(visits([...stay, at(100, 85.1, 10), at(130, 85.1, 10)]), [
    { arrivedAt: 0, leftAt: 100_000 },
  ])
  assert.deepEqual(visits([...stay, at(100, 84.9, 10), at(130, 84.9, 10)]), [here])
})

test("an area measures by itself, and its rim is inside", () => {
  const area = { metersOutside: ([lng]: LngLat) => lng, accuracyMeters: 20 }
  const point = (seconds: number, lng: number, accuracyMeters: number | undefined): FencePoint => ({
    recordedAt: seconds * 1000,
    position: [lng, 0],
    accuracyMeters,
  })
  const visits = (lng: number, accuracy?: number) =>
    fenceVisits([point(0, lng, accuracy), point(30, lng, accuracy)], area, 31_000)
  assert.equal(visits(0).length, 1)
  assert.equal(visits(0.1).length, 0)
  assert.equal(visits(-1, 45).length, 1)
  assert.equal(visits(-1, 45.1).length, 0)
})

test("a visit that was open before the points goes on, and ends", () => {
  const open = { arrivedAt: -5000, leftAt: null }
  assert.deepEqual(fenceVisits([at(10, 10)], fence, 20_000, open), [open])
  assert.deepEqual(fenceVisits([at(10, 200), at(40, 200)], fence, 50_000, open), [
    { arrivedAt: -5000, leftAt: 10_000 },
  ])
})

test("silence confirms what the last point began, from its very second", () => {
  const arriving = advanceFence(outside, at(0, 10), fence).state
  const silence = arrivalRules.silenceSeconds * 1000
  assert.equal(silence, 300_000)
  assert.deepEqual(settleFence(arriving, silence - 1).events, [])
  assert.deepEqual(settleFence(arriving, silence).events, [{ kind: "arrived", at: 0 }])
  const arrivingLater = advanceFence(outside, at(70, 10), fence).state
  assert.deepEqual(settleFence(arrivingLater, 70_000 + silence - 1).events, [])
  assert.deepEqual(settleFence(arrivingLater, 70_000 + silence).events, [{ kind: "arrived", at: 70_000 }])
  const leaving = advanceFence({ kind: "inside", arrivedAt: 0 }, at(50, 200), fence).state
  assert.deepEqual(settleFence(leaving, 50_000 + silence - 1).events, [])
  assert.deepEqual(settleFence(leaving, 50_000 + silence).events, [{ kind: "left", at: 50_000 }])
  // A point that comes later meets what silence has confirmed.
  const step = advanceFence(arriving, at(400, 200), fence)
  assert.deepEqual(step.events, [{ kind: "arrived", at: 0 }])
  assert.equal(step.state.kind, "leaving")
})
