import type { Tags } from "../tags/access.ts"
import { type Mode, modeBit, modes } from "../tags/modes.ts"
import { positionOf } from "./growing.ts"
import { type CutRoads, noNode } from "./segments.ts"
import type { SourceRelation } from "./source.ts"

export interface RestrictionColumns {
  restrictionFirst: Uint32Array
  restrictionPath: Uint32Array
  restrictionModes: Uint8Array
}

const exceptKeys: Record<string, readonly Mode[]> = {
  motorcar: ["car"],
  motorcycle: ["motorcycle"],
  hgv: ["truck"],
  bicycle: ["bicycle"],
  motor_vehicle: ["car", "motorcycle", "truck"],
  vehicle: ["car", "motorcycle", "truck", "bicycle"],
  foot: ["foot"],
}

/**
 * Turn restrictions as sequences of directed segments that nobody may follow. What names missing ways, meets
 * nowhere or passes through its own junction is left out, as are restrictions of certain hours.
 */
export function resolveRestrictions(
  relations: readonly SourceRelation[],
  nodeIds: Float64Array,
  roads: CutRoads,
): RestrictionColumns {
  const first: number[] = [0]
  const path: number[] = []
  const bound: number[] = []
  const seen = new Set<string>()
  const leaving = new Map<number, number[]>()
  const { segmentFrom, segmentTo } = roads.columns
  if (relations.length > 0)
    for (let segment = 0; segment < segmentFrom.length; segment++) {
      addTo(leaving, segmentFrom[segment] as number, 2 * segment)
      addTo(leaving, segmentTo[segment] as number, 2 * segment + 1)
    }
  for (const relation of relations) {
    for (const [rule, mask] of rulesOf(relation.tags)) {
      for (const forbidden of sequencesOf(relation, rule, { nodeIds, roads, leaving })) {
        const key = `${mask} ${forbidden}`
        if (seen.has(key)) continue
        seen.add(key)
        for (const directed of forbidden) path.push(directed)
        first.push(path.length)
        bound.push(mask)
      }
    }
  }
  return {
    restrictionFirst: Uint32Array.from(first),
    restrictionPath: Uint32Array.from(path),
    restrictionModes: Uint8Array.from(bound),
  }
}

function addTo(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** "no" or "only", with the modes that it binds. Pedestrians turn as they like, unless they are named. */
function rulesOf(tags: Tags): ["no" | "only", number][] {
  const rules: ["no" | "only", number][] = []
  let excepted = modeBit("foot")
  for (const name of (tags.get("except") ?? "").split(/[;, ]+/))
    for (const mode of exceptKeys[name] ?? []) excepted |= modeBit(mode)
  const everyMode = modes.reduce((bits, mode) => bits | modeBit(mode), 0)
  const add = (value: string | undefined, mask: number) => {
    if (value?.startsWith("no_")) rules.push(["no", mask])
    else if (value?.startsWith("only_")) rules.push(["only", mask])
  }
  add(tags.get("restriction"), everyMode & ~excepted)
  for (const [key, bound] of Object.entries(exceptKeys)) {
    const mask = bound.reduce((bits, mode) => bits | modeBit(mode), 0)
    add(tags.get(`restriction:${key}`), mask)
  }
  return rules.filter(([, mask]) => mask !== 0)
}

interface Resolver {
  nodeIds: Float64Array
  roads: CutRoads
  /** Directed segments by the node that they leave. */
  leaving: Map<number, number[]>
}

function sequencesOf({ members }: SourceRelation, rule: "no" | "only", resolver: Resolver): number[][] {
  const of = (role: string) => members.filter((member) => member.role === role)
  const [from, via, to] = [of("from"), of("via"), of("to")]
  // Several from or to members are allowed for no_entry and no_exit.
  const found: number[][] = []
  for (const start of from.filter(isWay).slice(0, 10)) {
    for (const path of pathsTo(start.ref, via, resolver)) {
      const place = headAt(resolver, path.at(-1) ?? 0)
      const exits = to.filter(isWay).flatMap(({ ref }) => only(leavingAlong(resolver, ref, place)))
      if (exits.length === 0) continue
      if (rule === "no") found.push(...exits.map((exit) => [...path, exit]))
      else
        for (const other of resolver.leaving.get(place) ?? [])
          if (!exits.includes(other)) found.push([...path, other])
    }
  }
  return found
}

const isWay = ({ type }: { type: string | number }) => type === "way" || type === 1
const isNode = ({ type }: { type: string | number }) => type === "node" || type === 0

/** A road that goes on in both directions leaves open which one is meant. */
const only = (directed: number[]) => (directed.length === 1 ? directed : [])

/** The ways from the start over all via members, as far as there is exactly one. */
function pathsTo(startWay: number, via: SourceRelation["members"], resolver: Resolver): number[][] {
  const [place] = via.filter(isNode)
  if (place) {
    if (via.length !== 1) return []
    const at = positionOf(resolver.nodeIds, place.ref)
    const node = at === -1 ? noNode : (resolver.roads.nodeOf[at] as number)
    return node === noNode ? [] : only(arrivingAlong(resolver, startWay, node)).map((last) => [last])
  }
  const viaWays = via.filter(isWay).slice(0, 10)
  if (viaWays.length === 0) return []
  const firstSegments = resolver.roads.segmentsOfWay.get(viaWays[0]?.ref ?? -1)
  if (!firstSegments || firstSegments[0] === firstSegments[1]) return []
  const ends = [tailAt(resolver, 2 * firstSegments[0]), headAt(resolver, 2 * firstSegments[1] - 2)]
  return [...new Set(ends)].flatMap((end) =>
    only(arrivingAlong(resolver, startWay, end)).flatMap((last) => {
      const path = [last]
      let node = end
      for (const { ref } of viaWays) {
        const along = wholeWayFrom(resolver, ref, node)
        if (!along) return []
        path.push(...along)
        node = headAt(resolver, along.at(-1) ?? 0)
      }
      return [path]
    }),
  )
}

/** All segments of a way from one of its ends to the other. */
function wholeWayFrom(resolver: Resolver, way: number, node: number): number[] | undefined {
  const range = resolver.roads.segmentsOfWay.get(way)
  if (!range || range[1] - range[0] > 50) return undefined
  const forward = Array.from({ length: range[1] - range[0] }, (_, i) => 2 * (range[0] + i))
  const backward = forward.map((directed) => directed ^ 1).reverse()
  return [forward, backward].find(
    (path) =>
      path.length > 0 &&
      tailAt(resolver, path[0] as number) === node &&
      path.every((d, i) => i === 0 || tailAt(resolver, d) === headAt(resolver, path[i - 1] as number)),
  )
}

function arrivingAlong(resolver: Resolver, way: number, node: number): number[] {
  return leavingAlong(resolver, way, node).map((directed) => directed ^ 1)
}

function leavingAlong(resolver: Resolver, way: number, node: number): number[] {
  const range = resolver.roads.segmentsOfWay.get(way)
  if (!range) return []
  return (resolver.leaving.get(node) ?? []).filter((d) => d >>> 1 >= range[0] && d >>> 1 < range[1])
}

function tailAt({ roads }: Resolver, directed: number): number {
  const nodes = (directed & 1) === 0 ? roads.columns.segmentFrom : roads.columns.segmentTo
  return nodes[directed >>> 1] as number
}

const headAt = (resolver: Resolver, directed: number) => tailAt(resolver, directed ^ 1)
