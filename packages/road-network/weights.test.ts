import assert from "node:assert/strict"
import { test } from "node:test"
import type { RoadColumns, RoadNetwork } from "./network.ts"
import { type Mode, modes, roadClasses } from "./tags/modes.ts"
import { roadFlags } from "./tags/read-way.ts"
import { createTurnRules, forbiddenSequences } from "./turn-rules.ts"
import { costAlong, delayAfter, weightsOf } from "./weights.ts"

/** Only the columns that a test reads. */
const networkWith = (columns: Partial<RoadColumns>): RoadNetwork => ({
  columns: columns as RoadColumns,
  drivesOnLeft: false,
  nodeCount: 0,
  segmentCount: 0,
})

const kinds = ["residential", "primary", "ferry", "motorway"] as const
const flags = [0, roadFlags.toll, roadFlags.ferry, roadFlags.motorway]
/** One kind of each class: 50 km/h along the segment, and against it half of that for motorcycles and bicycles alone. */
const roads = (limits: readonly number[] = [0, 0, 0, 0]) =>
  networkWith({
    kindClass: Uint8Array.from(kinds.map((name) => roadClasses.indexOf(name))),
    kindFlags: Uint8Array.from(flags),
    kindSpeeds: Uint16Array.from(
      kinds.flatMap(() =>
        modes.flatMap((mode) => [5000, mode === "motorcycle" || mode === "bicycle" ? 2500 : 0]),
      ),
    ),
    kindLimits: Uint16Array.from(kinds.flatMap(() => limits)),
  })
const closed = Number.POSITIVE_INFINITY

test("a pace follows from the speed of the mode and the direction, and a factor on the class of the road", () => {
  const pace = (mode: Mode, more = {}) => [...weightsOf(roads(), { mode, ...more }).pace]
  assert.deepEqual(pace("car"), [0.72, closed, 0.72, closed, 0.72, closed, 0.72, closed])
  assert.deepEqual(pace("motorcycle").slice(0, 2), [0.72, 1.44])
  const withFactor = (residential: number) => pace("car", { speedFactors: { residential } }).slice(0, 3)
  assert.deepEqual(withFactor(0.5), [1.44, closed, 0.72])
  assert.deepEqual(withFactor(0.01), withFactor(0.05))
  assert.deepEqual(withFactor(0.05)[0], 3600 / 250)
  assert.deepEqual(withFactor(20), withFactor(10))
  assert.deepEqual(withFactor(10)[0], 3600 / 50_000)
})

test("what is avoided, and what a vehicle is too large for, is closed", () => {
  const open = (options: object, limits?: readonly number[]) => {
    const { pace } = weightsOf(roads(limits), { mode: "car", ...options })
    return kinds.filter((_, kind) => (pace[kind * 2] as number) < closed).join()
  }
  assert.equal(open({ avoidTolls: true }), "residential,ferry,motorway")
  assert.equal(open({ avoidFerries: true }), "residential,primary,motorway")
  assert.equal(open({ avoidMotorways: true }), "residential,primary,ferry")
  assert.equal(open({ avoidTolls: true, avoidFerries: true, avoidMotorways: true }), "residential")
  for (const [place, name] of ["height", "width", "length", "weight"].entries()) {
    const limits = [0, 1, 2, 3].map((at) => (at === place ? 320 : 0))
    assert.equal(open({ vehicle: { [name]: 3.2 } }, limits), kinds.join(), name)
    assert.equal(open({ vehicle: { [name]: 3.21 } }, limits), "", name)
    assert.equal(open({ vehicle: {} }, limits), kinds.join(), name)
  }
})

test("a cost is in whole milliseconds, at least one for a whole segment, and nodes delay motor vehicles", () => {
  const network = networkWith({
    ...roads().columns,
    segmentFrom: Uint32Array.of(0, 1),
    segmentTo: Uint32Array.of(1, 2),
    segmentKind: Uint32Array.of(0, 3),
    segmentLength: Uint32Array.of(10_000, 0),
    nodeDelay: Uint16Array.of(0, 20, 7),
  })
  const [car, bicycle] = [weightsOf(network, { mode: "car" }), weightsOf(network, { mode: "bicycle" })]
  assert.deepEqual(
    [costAlong(network, car, 0), costAlong(network, car, 0, 0.5), costAlong(network, bicycle, 1)],
    [7200, 3600, 14_400],
  )
  assert.deepEqual([costAlong(network, car, 2), costAlong(network, car, 2, 0.5)], [1, 0])
  assert.deepEqual(
    [0, 1, 2, 3].map((directed) => delayAfter(network, car, directed)),
    [2000, 0, 700, 2000],
  )
  assert.equal(delayAfter(network, bicycle, 0), 0)
})

/**
 *  A ─0─ B ─1─ C ─3─ E      Directed segments: 0 from A to B and 1 back, 2 from B to C and 3 back, and so on.
 *        │
 *        2
 *        D (─4─ F)
 */
function junction(paths: readonly (readonly number[])[], more: { isOpenAtD?: boolean; bits?: number } = {}) {
  const ends = [["A", "B"], ["B", "C"], ["B", "D"], ["C", "E"], ...(more.isOpenAtD ? [["D", "F"]] : [])].map(
    ([from = "", to = ""]) => ["ABCDEF".indexOf(from), "ABCDEF".indexOf(to)] as const,
  )
  const firsts = [0]
  for (const path of paths) firsts.push((firsts.at(-1) ?? 0) + path.length)
  const network = networkWith({
    segmentFrom: Uint32Array.from(ends.map(([from]) => from)),
    segmentTo: Uint32Array.from(ends.map(([, to]) => to)),
    segmentKind: new Uint32Array(ends.length),
    kindSpeeds: Uint16Array.from(modes.flatMap((mode) => (mode === "truck" ? [0, 0] : [5000, 5000]))),
    restrictionFirst: Uint32Array.from(firsts),
    restrictionPath: Uint32Array.from(paths.flat()),
    restrictionModes: Uint8Array.from(paths.map(() => more.bits ?? 0xff)),
  })
  const leaving = (node: number) =>
    Uint32Array.from(
      ends.flatMap(([from, to], at) => [
        ...(from === node ? [at * 2] : []),
        ...(to === node ? [at * 2 + 1] : []),
      ]),
    )
  return { network, leaving }
}

test("who may not turn does not turn back either, at the junction or behind it, but in a dead end", () => {
  const forbidden = (paths: readonly (readonly number[])[], more = {}, mode: Mode = "car") => {
    const { network, leaving } = junction(paths, more)
    return forbiddenSequences(network, mode, leaving).map(String).toSorted()
  }
  assert.deepEqual(forbidden([[0, 2]]), ["0,1", "0,2"])
  assert.deepEqual(forbidden([[0, 2]], { isOpenAtD: true }), ["0,1", "0,2", "0,4,5"])
  assert.deepEqual(forbidden([[0, 1]]), ["0,1", "0,2,3"])
  assert.deepEqual(forbidden([[5, 2]]), ["5,2", "5,4"])
  const both = [
    [0, 2],
    [0, 4],
  ]
  assert.deepEqual(forbidden(both), ["0,2", "0,4"], "turning back is all that is left")
  assert.deepEqual(forbidden([[0, 2]], { bits: 0b100 }), [], "of bicycles alone")
  assert.deepEqual(forbidden([[0, 2]], {}, "truck"), [], "where the mode may not go at all")
  assert.deepEqual(forbidden([[0]]), [])
  const long = (length: number) => forbidden([Array.from({ length }, () => 0)]).length > 0
  assert.deepEqual([long(60), long(61)], [true, false])
})

test("a journey is bound by every forbidden sequence that it has just begun", () => {
  const sequences = [
    [0, 2, 4, 6, 7],
    [2, 4, 8],
    [4, 6, 5],
    [4, 3],
    [2, 1],
    [0, 8],
  ]
  const { network } = junction(sequences, { isOpenAtD: true })
  const rules = createTurnRules(network, "car", () => new Uint32Array(0))
  const after = (...path: number[]) => path.reduce((rule, directed) => rules.next(rule, directed), 0)
  const refused = (...path: number[]) =>
    [1, 3, 5, 6, 7, 8].filter((directed) => rules.forbids(after(...path), directed))
  assert.deepEqual(refused(), [])
  assert.deepEqual(refused(0), [8])
  assert.deepEqual(refused(0, 2), [1])
  assert.deepEqual(refused(0, 2, 4), [3, 8])
  assert.deepEqual(refused(0, 2, 4, 6), [5, 7])
  assert.deepEqual(refused(2, 4), [3, 8])
  assert.deepEqual(refused(4, 6), [5])
  assert.deepEqual(refused(2, 4, 6), [5])
  assert.deepEqual(refused(0, 2, 4, 2), [1])
  assert.deepEqual(refused(0, 2, 4, 9), [])
  assert.equal(after(0, 2, 4, 9), 0)
})
