import assert from "node:assert/strict"
import { test } from "node:test"
import { aTown } from "./testing/town.ts"

/**
 *      C ─north─ D         Blocks of 200 m. The vehicle starts west of B on "west" and wants to go north:
 *      │         │         left at B into "up", or over E and D.
 *  A ─ B ─east── E ─far─ F
 *      │
 *      G
 */
const step = 0.002
const nodes = {
  A: [-step, 0],
  B: [0, 0],
  C: [0, step],
  D: [step, step],
  E: [step, 0],
  F: [2 * step, 0],
  G: [0, -6 * step],
} as const
const street = (name: string, tags: Record<string, string> = {}) => ({
  highway: "residential",
  name,
  ...tags,
})
const ways = [
  ["AB", street("west")],
  ["BC", street("up")],
  ["CD", street("north")],
  ["DE", street("right")],
  ["BE", street("east")],
  ["EF", street("far")],
  ["BG", street("down")],
] as const
const west = [-step / 2, 0] as const
const nearC = [0, step * 0.9] as const

test("a forbidden turn is avoided, also by turning back behind the junction", async () => {
  assert.equal((await aTown({ nodes, ways })).way(west, nearC), "west up")
  const restricted = async (
    restriction: string,
    members = "1 B 2",
    mode: "car" | "foot" | "bicycle" = "car",
  ) => (await aTown({ nodes, ways, restrictions: [[members, { restriction }]] }, mode)).way(west, nearC)
  assert.equal(await restricted("no_left_turn"), "west east right north up")
  assert.equal(await restricted("only_straight_on", "1 B 5"), "west east right north up")
  assert.equal(await restricted("only_left_turn"), "west up")
  assert.equal(await restricted("no_left_turn", "1 B 2", "foot"), "west up")
  const except = { restriction: "no_left_turn", except: "bicycle;psv" }
  const exempt = await aTown({ nodes, ways, restrictions: [["1 B 2", except]] }, "bicycle")
  assert.equal(exempt.way(west, nearC), "west up")
})

test("a restriction over a way binds only who came that way", async () => {
  const restrictions = [["1 w5 4", { restriction: "no_left_turn" }]] as const
  const town = await aTown({ nodes, ways, restrictions })
  const nearD = [step, step * 0.6] as const
  assert.equal(town.way(west, nearD), "west up north right")
  assert.equal(town.way([0, -step / 2], nearD), "down east right")
})

test("restrictions that point nowhere are left out", async () => {
  const broken = ["1 B 99", "99 B 2", "1 F 2", "1 w99 2", "1 w6 2", "1 ? 2", "4 B 2"]
  const town = await aTown({
    nodes,
    ways,
    restrictions: broken.map((members) => [members, { restriction: "no_left_turn" }] as const),
  })
  assert.equal(town.network.columns.restrictionModes.length, 0)
  assert.equal(town.way(west, nearC), "west up")
})

test("one-way streets, contraflow and roundabouts hold for each mode", async () => {
  const oneWay = (tags: Record<string, string>) => ({
    nodes,
    ways: ways.map(([path, own]) =>
      path === "BC" ? ([path, { ...own, ...tags }] as const) : ([path, own] as const),
    ),
  })
  const around = "west east right north up"
  assert.equal((await aTown(oneWay({ oneway: "-1" }))).way(west, nearC), around)
  assert.equal((await aTown(oneWay({ oneway: "yes" }))).way(west, nearC), "west up")
  assert.equal((await aTown(oneWay({ oneway: "-1" }), "foot")).way(west, nearC), "west up")
  assert.equal((await aTown(oneWay({ oneway: "-1" }), "bicycle")).way(west, nearC), around)
  const contraflow = oneWay({ oneway: "-1", "oneway:bicycle": "no" })
  assert.equal((await aTown(contraflow, "bicycle")).way(west, nearC), "west up")
})

test("residents' roads are for the ends of a journey, and barriers for those who fit", async () => {
  const closed = ways.map(
    ([path, own]) => [path, path === "BC" ? { ...own, access: "private" } : own] as const,
  )
  const town = await aTown({ nodes, ways: closed })
  const beyond = [step / 2, step] as const
  assert.equal(town.way(west, beyond), "west east right north", "not through")
  assert.equal(town.way(west, nearC), "west up", "but to a door on it")
  assert.equal(town.way(nearC, west), "up west", "and from there")
  const bollard = { nodes, ways, nodeTags: { C: { barrier: "bollard" } } }
  assert.equal((await aTown(bollard)).way(west, beyond), "west east right north")
  assert.equal((await aTown(bollard, "bicycle")).way(west, beyond), "west up north")
})

test("tolls, signs for large vehicles and ferries count", async () => {
  const tagged = (tags: Record<string, string>) =>
    ways.map(([path, own]) => [path, path === "BC" ? { ...own, ...tags } : own] as const)
  const far = [step * 0.1, step] as const
  const toll = { nodes, ways: tagged({ toll: "yes" }) }
  assert.equal((await aTown(toll)).way(west, far), "west up north")
  assert.equal((await aTown(toll, "car", { avoidTolls: true })).way(west, far), "west east right north")
  const motorway = { nodes, ways: tagged({ highway: "motorway", maxspeed: "80" }) }
  assert.equal((await aTown(motorway)).way(west, far), "west up north")
  const without = await aTown(motorway, "car", { avoidMotorways: true })
  assert.equal(without.way(west, far), "west east right north")
  const low = { nodes, ways: tagged({ maxheight: "3.2", maxweight: "7.5" }) }
  assert.equal((await aTown(low, "truck", { vehicle: { height: 3.1 } })).way(west, nearC), "west up")
  assert.equal(
    (await aTown(low, "truck", { vehicle: { height: 4 } })).way(west, far),
    "west east right north",
  )
  assert.equal(
    (await aTown(low, "truck", { vehicle: { weight: 12 } })).way(west, far),
    "west east right north",
  )
  const ferry = { route: "ferry", name: "boat", duration: "00:30" }
  const crossing = await aTown({ nodes, ways: [...ways.slice(0, 5), ["EF", ferry], ["FG", street("coast")]] })
  const path = crossing.find(west, [step * 1.5, -step * 0.25])
  assert.equal(path?.segments.length, 4)
  assert.ok(Math.abs((path?.cost ?? 0) / 60_000 - 30) < 2, "half an hour on the boat")
})

test("places on an island or off the network have no way", async () => {
  const island = { ...nodes, X: [0.02, 0.02], Y: [0.021, 0.02] } as const
  const town = await aTown({ nodes: island, ways: [...ways, ["XY", street("island")]] })
  assert.equal(town.way(west, [0.0205, 0.02]), undefined)
  assert.equal(town.way([0.0202, 0.02], [0.0208, 0.02]), "island")
  assert.equal(town.way(west, [0.5, 0.5]), undefined)
})
