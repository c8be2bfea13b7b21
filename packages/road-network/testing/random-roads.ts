import type { RoadSource, SourceRelation } from "../build/source.ts"
import { sourceOf } from "./drawn-roads.ts"

/** The same numbers for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const classes = [
  "residential",
  "residential",
  "primary",
  "service",
  "living_street",
  "footway",
  "motorway_link",
]
const rules = ["no_left_turn", "no_u_turn", "only_straight_on", "only_right_turn", "no_entry"]

/** A town of streets in rows and columns, with one-way streets, closed yards, barriers and forbidden turns. */
export function randomRoads(seed: number, size: number): RoadSource {
  const random = seededRandom(seed)
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const ids = Float64Array.from({ length: size * size }, (_, i) => i + 1)
  const place = (step: number) => Math.round(step * 20_000 + (random() - 0.5) * 12_000)
  const ways: { id: number; tags: Record<string, string>; refs: number[] }[] = []
  const addWay = (refs: number[]) => {
    if (random() < 0.08) return
    const tags: Record<string, string> = { highway: pick(classes) }
    const dice = random()
    if (dice < 0.25) tags.oneway = pick(["yes", "-1", "1"])
    else if (dice < 0.35) tags.access = pick(["private", "destination", "no"])
    else if (dice < 0.42) tags.maxspeed = pick(["30", "60 mph", "100"])
    else if (dice < 0.45) tags.junction = "roundabout"
    ways.push({ id: ways.length + 1, tags, refs: random() < 0.5 ? refs : refs.reverse() })
  }
  for (let row = 0; row < size; row++)
    for (let from = 0; from < size - 1; ) {
      const length = 1 + Math.floor(random() * 3)
      const steps = Array.from({ length: Math.min(length, size - 1 - from) + 1 }, (_, i) => from + i)
      addWay(steps.map((column) => row * size + column + 1))
      addWay(steps.map((column) => column * size + row + 1))
      from += length
    }
  const nodeTags = new Map<number, Record<string, string>>()
  for (const id of ids) {
    const dice = random()
    if (dice < 0.03) nodeTags.set(id, { barrier: "bollard" })
    else if (dice < 0.06) nodeTags.set(id, { highway: "traffic_signals" })
  }
  const lat = Int32Array.from(ids, (id) => place(Math.floor((id - 1) / size)))
  const lon = Int32Array.from(ids, (id) => place((id - 1) % size))
  return sourceOf({ ids, lat, lon, nodeTags, ways, relations: randomRestrictions(ways, random) })
}

/** Restrictions at random junctions of ways; some over a way between, some that meet nowhere. */
function randomRestrictions(
  ways: readonly { id: number; refs: ArrayLike<number> }[],
  random: () => number,
  share = 0.5,
): SourceRelation[] {
  const byEnd = new Map<number, number[]>()
  const endsOf = ({ refs }: { refs: ArrayLike<number> }) => [
    refs[0] as number,
    refs[refs.length - 1] as number,
  ]
  for (const [index, way] of ways.entries())
    for (const end of endsOf(way)) byEnd.set(end, [...(byEnd.get(end) ?? []), index])
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const relations: SourceRelation[] = []
  for (const [index, way] of ways.entries()) {
    if (random() > share) continue
    const node = pick(endsOf(way))
    const via = pick(byEnd.get(node) ?? [index])
    const isOverWay = random() < 0.4
    const [first = 0, last = 0] = endsOf(ways[via] as { refs: ArrayLike<number> })
    const end = isOverWay ? (first === node ? last : first) : node
    const to = random() < 0.05 ? -1 : pick(byEnd.get(end) ?? [index])
    relations.push({
      id: index,
      tags: new Map([
        ["type", "restriction"],
        ["restriction", pick(rules)],
      ]),
      members: [
        { type: "way", ref: way.id, role: "from" },
        isOverWay
          ? { type: "way", ref: ways[via]?.id ?? 0, role: "via" }
          : { type: "node", ref: node, role: "via" },
        { type: "way", ref: ways[to]?.id ?? -5, role: "to" },
      ],
    })
  }
  return relations
}
