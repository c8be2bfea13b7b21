import { readNode } from "../tags/access.ts"
import { modes } from "../tags/modes.ts"
import { readWay, type WayMeaning } from "../tags/read-way.ts"
import { type Growing, growing, integers, numbers, positionOf } from "./growing.ts"
import type { RoadSource, SourceBlock, SourceRelation } from "./source.ts"
import { createTextPool, type TextPool } from "./texts.ts"

/** The roads of an extract, before they are cut at junctions. */
export interface CollectedRoads {
  wayIds: Float64Array
  /** Where the nodes of each way begin in `wayNodes`. */
  wayFirst: Uint32Array
  /** Positions in `nodeIds`. */
  wayNodes: Uint32Array
  meanings: WayMeaning[]
  wayNames: Uint32Array
  wayRefs: Uint32Array
  /** Ascending. */
  nodeIds: Float64Array
  lat: Int32Array
  lon: Int32Array
  /** 1 where the extract has the node. */
  isKnown: Uint8Array
  blocked: Uint8Array
  delay: Uint16Array
  restrictions: SourceRelation[]
  texts: TextPool
}

/** A relation of more members is no turn restriction. */
const maxMembers = 100

interface Ways {
  ids: Growing<Float64Array>
  first: Growing<Uint32Array>
  refs: Growing<Float64Array>
  names: Growing<Uint32Array>
  roadNumbers: Growing<Uint32Array>
  meanings: WayMeaning[]
  restrictions: SourceRelation[]
  texts: TextPool
}

export async function collectRoads(source: RoadSource): Promise<CollectedRoads> {
  const ways: Ways = {
    ids: growing(numbers),
    first: growing(integers),
    refs: growing(numbers),
    names: growing(integers),
    roadNumbers: growing(integers),
    meanings: [],
    restrictions: [],
    texts: createTextPool(),
  }
  for await (const block of source.blocks({ ways: true, relations: true })) readWays(block, ways)
  ways.first.push(ways.refs.length)
  const refs = ways.refs.take()
  const nodeIds = distinct(refs)
  const wayNodes = new Uint32Array(refs.length)
  for (let i = 0; i < refs.length; i++) wayNodes[i] = positionOf(nodeIds, refs[i] as number)
  const nodes = {
    lat: new Int32Array(nodeIds.length),
    lon: new Int32Array(nodeIds.length),
    isKnown: new Uint8Array(nodeIds.length),
    blocked: new Uint8Array(nodeIds.length),
    delay: new Uint16Array(nodeIds.length),
  }
  for await (const block of source.blocks({ nodes: true })) readNodes(block, nodeIds, nodes)
  return {
    wayIds: ways.ids.take(),
    wayFirst: ways.first.take(),
    wayNodes,
    meanings: ways.meanings,
    wayNames: ways.names.take(),
    wayRefs: ways.roadNumbers.take(),
    nodeIds,
    ...nodes,
    restrictions: ways.restrictions,
    texts: ways.texts,
  }
}

function readWays(block: SourceBlock, ways: Ways): void {
  const kept = new Map<string, WayMeaning>()
  for (const { id, tags, refs } of block.ways) {
    if (refs.length < 2 || !(tags.has("highway") || tags.has("route"))) continue
    const meaning = readWay(tags)
    if (!meaning) continue
    // Most ways share one of few meanings: one object for all keeps a country in memory.
    const key = JSON.stringify(meaning)
    const shared = kept.get(key) ?? meaning
    kept.set(key, shared)
    ways.ids.push(id)
    ways.first.push(ways.refs.length)
    ways.meanings.push(shared)
    ways.names.push(ways.texts.numberOf(tags.get("name")))
    ways.roadNumbers.push(ways.texts.numberOf(tags.get("ref")))
    let last = Number.NaN
    for (let i = 0; i < refs.length; i++) {
      const ref = refs[i] as number
      if (ref !== last) ways.refs.push(ref)
      last = ref
    }
  }
  for (const relation of block.relations) {
    const type = relation.tags.get("type") ?? ""
    if (type.startsWith("restriction") && relation.members.length <= maxMembers)
      ways.restrictions.push({ id: relation.id, tags: relation.tags, members: [...relation.members] })
  }
}

function distinct(values: Float64Array): Float64Array {
  const sorted = values.slice().sort()
  let count = 0
  for (let i = 0; i < sorted.length; i++)
    if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[count++] = sorted[i] as number
  return sorted.slice(0, count)
}

function readNodes(
  { nodes }: SourceBlock,
  nodeIds: Float64Array,
  into: Pick<CollectedRoads, "lat" | "lon" | "isKnown" | "blocked" | "delay">,
): void {
  if (!nodes) return
  // Extracts are sorted by id, so the next node is usually near the one before.
  let near = 0
  for (let i = 0; i < nodes.count; i++) {
    const id = nodes.ids[i] as number
    while (near < nodeIds.length && (nodeIds[near] as number) < id) near++
    const at = nodeIds[near] === id ? near : near > 0 ? positionOf(nodeIds, id) : -1
    if (at === -1) continue
    near = at
    const lat = nodes.lat[i] as number
    const lon = nodes.lon[i] as number
    if (Math.abs(lat) > 900_000_000 || Math.abs(lon) > 1_800_000_000) continue
    into.lat[at] = lat
    into.lon[at] = lon
    into.isKnown[at] = 1
    const tags = nodes.tags(i)
    const effect = tags && tags.size > 0 ? readNode(tags, modes) : undefined
    into.blocked[at] = effect?.blocked ?? 0
    into.delay[at] = effect?.delay ?? 0
  }
}
