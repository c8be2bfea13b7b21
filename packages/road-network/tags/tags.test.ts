import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { readNode, taggedAccess } from "./access.ts"
import { type Mode, modes, type RoadClass, roadClasses } from "./modes.ts"
import { parseDuration, parseMeters, parseSpeed, parseTonnes } from "./numbers.ts"
import { speedOf } from "./speeds.ts"

const tagsOf = (tags: Record<string, string>) => new Map(Object.entries(tags))
const rounded = (number: number | undefined) =>
  number === undefined ? undefined : Math.round(number * 1e5) / 1e5

function hold<Value>(parse: (text: string) => number | undefined, expected: Record<string, Value>): void {
  for (const [text, value] of Object.entries(expected)) assert.equal(rounded(parse(text)), value, text)
}
const tooLong = (text: string) => text.padEnd(41)
const longest = (text: string) => text.padEnd(40)

test("speeds, lengths, weights and durations are read as mappers write them", () => {
  hold(parseSpeed, {
    ...{
      "50": 50,
      " 50 KM/H ": 50,
      "30 mph": 48.28032,
      "10 knots": 18.52,
      "12.5": 12.5,
      "50;30": 50,
      "50 |60": 50,
    },
    ...{
      none: 140,
      walk: 7,
      "1": 1,
      "0.9": undefined,
      "0": undefined,
      "140": 140,
      "300": 140,
      "100 mph": 140,
    },
    ...{
      "DE:urban": 50,
      "fr:rural": 90,
      "UK:motorway": 120,
      "be-vlg:zone30": 30,
      "DE:zone:20": 20,
      "DE:3": 5,
    },
    ...{
      "DE:200": 140,
      "DE:trunk": 100,
      "DE:living_street": 10,
      "DE:bicycle_road": 30,
      "DE:moon": undefined,
    },
    ...{ fast: undefined, "50x": undefined, [longest("50")]: 50, [tooLong("50")]: undefined },
  })
  hold(parseMeters, {
    ...{ "3.5": 3.5, "3,5 m": 3.5, "12 ft": 3.6576, "12 feet": 3.6576, "11'": 3.3528, "11'6\"": 3.5052 },
    ...{ "11' 6''": 3.5052, "0": undefined, "0.001": 0.001, high: undefined, [longest("2")]: 2 },
    [tooLong("2")]: undefined,
  })
  hold(parseTonnes, {
    ...{ "7.5": 7.5, "7,5 t": 7.5, "3500 kg": 3.5, "10000 lbs": 4.5359, "1000 lb": 0.45359, "5 st": 4.5359 },
    ...{ "0": undefined, heavy: undefined, [longest("2")]: 2, [tooLong("2")]: undefined },
  })
  hold(parseDuration, {
    ...{ "20": 1200, "01:30": 5400, "1:30:05": 5405, PT1H30M: 5400, pt45s: 45, P1DT2H: 93_600, P2D: 172_800 },
    ...{
      "0": undefined,
      "0:00": undefined,
      PT0S: undefined,
      P: undefined,
      soon: undefined,
      "1:3": undefined,
    },
    ...{ [longest("2")]: 120, [tooLong("2")]: undefined },
  })
  for (const parse of [parseSpeed, parseMeters, parseTonnes, parseDuration])
    assert.equal(parse(undefined), undefined)
})

test("the most specific access tag decides, and unknown words say nothing", () => {
  const access = (mode: Mode, tags: Record<string, string>, suffix?: string) =>
    taggedAccess(tagsOf(tags), mode, suffix)
  assert.equal(access("car", { access: "no", motor_vehicle: "destination", motorcar: "yes" }), "yes")
  assert.equal(access("car", { access: "no", motor_vehicle: "destination" }), "destination")
  assert.equal(access("foot", { vehicle: "no" }), undefined)
  assert.equal(access("truck", { hgv: "perhaps", access: "private" }), "destination")
  assert.equal(access("car", { "motorcar:forward": "no" }, ":forward"), "no")
  assert.equal(access("car", { "motorcar:forward": "no" }), undefined)
})

test("what stands on a road stops some and delays others", () => {
  const node = (tags: Record<string, string>) => {
    const effect = readNode(tagsOf(tags), modes)
    return effect && [modes.filter((_, bit) => effect.blocked & (1 << bit)).join(), effect.delay]
  }
  const driven = "car,motorcycle,truck"
  assert.equal(node({}), undefined)
  assert.equal(node({ barrier: "gate" }), undefined)
  assert.deepEqual(node({ highway: "traffic_signals" }), ["", 20])
  assert.deepEqual(node({ barrier: "toll_booth" }), ["", 100])
  assert.deepEqual(node({ barrier: "toll_booth", highway: "traffic_signals" }), ["", 120])
  assert.deepEqual(node({ barrier: "border_control" }), ["", 1200])
  assert.deepEqual(node({ barrier: "gate", access: "private" }), ["", 1200])
  assert.deepEqual(node({ barrier: "toll_booth", motor_vehicle: "private" }), ["", 1200])
  assert.equal(node({ barrier: "gate", foot: "private", bicycle: "private" }), undefined)
  assert.deepEqual(node({ barrier: "bollard" }), [driven, 0])
  assert.deepEqual(node({ barrier: "stile" }), ["car,motorcycle,bicycle,truck", 0])
  assert.deepEqual(node({ barrier: "stile", motorcycle: "yes" }), ["car,bicycle,truck", 0])
  assert.deepEqual(node({ barrier: "wall" }), ["car,motorcycle,bicycle,foot,truck", 0])
  assert.deepEqual(node({ barrier: "gate", motor_vehicle: "no" }), [driven, 0])
  // Without a barrier only a clear no counts.
  assert.deepEqual(node({ access: "no" }), ["car,motorcycle,bicycle,foot,truck", 0])
  assert.deepEqual(node({ access: "no", foot: "yes" }), ["car,motorcycle,bicycle,truck", 0])
  assert.equal(node({ access: "private" }), undefined)
  assert.equal(node({ motor_vehicle: "no" }), undefined)
  assert.equal(node({ access: "yes", motor_vehicle: "no" }), undefined)
})

test("speed follows from the limit, the class, the surface and the vehicle", () => {
  const speed = (mode: Mode, roadClass: RoadClass, tags: Record<string, string> = {}, more = {}) =>
    speedOf(tagsOf(tags), mode, { roadClass, isLink: false, ...more }, "forward")
  assert.equal(speed("car", "primary", { maxspeed: "50" }), 40)
  assert.equal(
    speed("car", "primary", { maxspeed: "50", "maxspeed:forward": "30", "maxspeed:backward": "20" }),
    24,
  )
  assert.equal(speed("car", "primary", { maxspeed: "100", "maxspeed:hgv": "60" }), 80)
  assert.equal(speed("truck", "primary", { maxspeed: "100", "maxspeed:hgv": "60" }), 48)
  assert.equal(speed("truck", "primary", { "maxspeed:hgv": "60", "maxspeed:hgv:forward": "50" }), 40)
  assert.equal(speed("truck", "motorway", { maxspeed: "130" }), 80)
  assert.equal(speed("car", "motorway", { maxspeed: "130" }), 104)
  assert.ok(speed("car", "motorway", {}, { isLink: true }) < speed("car", "motorway"))
  assert.equal(speed("car", "cycleway"), 10)
  assert.equal(speed("car", "service", { service: "driveway", maxspeed: "50" }), 7.5)
  assert.equal(speed("car", "residential", { service: "driveway", maxspeed: "50" }), 40)
  assert.equal(speed("car", "service", { service: "bus", maxspeed: "50" }), 40)
  assert.equal(speed("car", "primary", { maxspeed: "50", surface: "mud" }), 10)
  assert.equal(speed("car", "primary", { maxspeed: "10", surface: "mud" }), 8)
  assert.equal(speed("bicycle", "residential", { maxspeed: "5" }), 15)
  assert.equal(speed("bicycle", "residential", { surface: "mud" }), 4)
  assert.equal(speed("bicycle", "steps", { surface: "mud" }), 2)
  assert.equal(speed("bicycle", "residential", { bicycle: "dismount" }), 4)
  for (const allowed of ["yes", "designated"])
    for (const roadClass of ["footway", "pedestrian"] as const)
      assert.equal(speed("bicycle", roadClass, { bicycle: allowed }), 12)
  assert.equal(speed("bicycle", "footway"), 5)
  assert.equal(speed("bicycle", "residential", { bicycle: "yes" }), 15)
  assert.deepEqual([speed("foot", "ferry"), speed("foot", "steps"), speed("foot", "motorway")], [10, 3, 5])
})

test("the usual speeds are those of the guide", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../../docs/roads.md"), "utf8")
  const rows = new Map<string, number[]>()
  for (const [, name = "", cells = ""] of guide.matchAll(/^\| (\w+) ((?:\| [\d.]+ )+)\|$/gm))
    rows.set(name, cells.split("|").slice(1).map(Number))
  const speed = (mode: Mode, roadClass: RoadClass, tags: Record<string, string> = {}, isLink = false) =>
    speedOf(tagsOf(tags), mode, { roadClass, isLink }, "forward")
  for (const name of roadClasses) {
    const found = [
      speed("car", name),
      speed("car", name, {}, true),
      speed("bicycle", name),
      speed("foot", name),
    ]
    assert.deepEqual(found, rows.get(name), name)
    rows.delete(name)
  }
  assert.ok(rows.size > 15, "surfaces are listed")
  for (const [surface, [motor, bicycle]] of rows) {
    assert.equal(speed("car", "motorway", { maxspeed: "140", surface }), motor, surface)
    assert.equal(speed("bicycle", "cycleway", { surface }), Math.min(bicycle ?? 0, 16), surface)
  }
})
