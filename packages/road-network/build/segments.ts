import { encodeLine, metersBetween, pushSigned } from "../fixed.ts"
import type { RoadColumns } from "../network.ts"
import type { CollectedRoads } from "./collect.ts"
import { bytes, type Growing, growing, integers } from "./growing.ts"
import { createKindPool, type KindPool, withTimetable } from "./kinds.ts"

type SegmentColumns = Omit<
  RoadColumns,
  "treeBoxes" | "treeItems" | "restrictionFirst" | "restrictionPath" | "restrictionModes"
>

export interface CutRoads {
  columns: SegmentColumns
  /** First and last segment, exclusive, of the ways that restrictions name. */
  segmentsOfWay: Map<number, [from: number, to: number]>
  /** The network's node of each collected node; `noNode` for points within segments. */
  nodeOf: Uint32Array
}

export const noNode = 0xffff_ffff
/** Half the earth and more is no road. */
const maxCentimeters = 2_000_000_000

interface Cutter {
  roads: CollectedRoads
  nodeOf: Uint32Array
  sourceNodes: Growing<Uint32Array>
  from: Growing<Uint32Array>
  to: Growing<Uint32Array>
  kind: Growing<Uint32Array>
  name: Growing<Uint32Array>
  ref: Growing<Uint32Array>
  length: Growing<Uint32Array>
  line: Growing<Uint32Array>
  lines: Growing<Uint8Array>
  ids: Growing<Uint32Array>
  pointIds: Growing<Uint8Array>
  kinds: KindPool
}

/** Cuts ways at junctions, ends, barriers and signals. A missing node ends a road, and another begins after it. */
export function cutSegments(roads: CollectedRoads): CutRoads {
  const cutter: Cutter = {
    roads,
    nodeOf: new Uint32Array(roads.nodeIds.length).fill(noNode),
    sourceNodes: growing(integers),
    from: growing(integers),
    to: growing(integers),
    kind: growing(integers),
    name: growing(integers),
    ref: growing(integers),
    length: growing(integers),
    line: growing(integers),
    lines: growing(bytes),
    ids: growing(integers),
    pointIds: growing(bytes),
    kinds: createKindPool(),
  }
  const isJunction = findJunctions(roads)
  const named = new Set(roads.restrictions.flatMap(({ members }) => members.map(({ ref }) => ref)))
  const segmentsOfWay = new Map<number, [number, number]>()
  for (let way = 0; way < roads.wayIds.length; way++) {
    const first = cutter.from.length
    cutWay(cutter, way, isJunction)
    const id = roads.wayIds[way] as number
    if (named.has(id)) segmentsOfWay.set(id, [first, cutter.from.length])
  }
  cutter.line.push(cutter.lines.length)
  cutter.ids.push(cutter.pointIds.length)
  const kinds = cutter.kinds.take((text) => roads.texts.numberOf(text))
  const { offsets, bytes: textBytes } = roads.texts.take()
  const sources = cutter.sourceNodes.take()
  return {
    columns: {
      nodeLat: Int32Array.from(sources, (node) => roads.lat[node] as number),
      nodeLon: Int32Array.from(sources, (node) => roads.lon[node] as number),
      nodeBlocked: Uint8Array.from(sources, (node) => roads.blocked[node] as number),
      nodeDelay: Uint16Array.from(sources, (node) => roads.delay[node] as number),
      segmentFrom: cutter.from.take(),
      segmentTo: cutter.to.take(),
      segmentKind: cutter.kind.take(),
      segmentName: cutter.name.take(),
      segmentRef: cutter.ref.take(),
      segmentLength: cutter.length.take(),
      segmentLine: cutter.line.take(),
      lines: cutter.lines.take(),
      nodeIds: Float64Array.from(sources, (node) => roads.nodeIds[node] as number),
      segmentIds: cutter.ids.take(),
      pointIds: cutter.pointIds.take(),
      ...kinds,
      textOffsets: offsets,
      textBytes,
    },
    segmentsOfWay,
    nodeOf: cutter.nodeOf,
  }
}

/** Nodes of several ways, ends, and those where something happens. */
function findJunctions({ wayFirst, wayNodes, isKnown, blocked, delay }: CollectedRoads): Uint8Array {
  const uses = new Uint8Array(isKnown.length)
  for (let way = 0; way + 1 < wayFirst.length; way++) {
    const end = wayFirst[way + 1] as number
    for (let i = wayFirst[way] as number; i < end; i++) {
      const node = wayNodes[i] as number
      const isEnd = i === wayFirst[way] || i === end - 1
      uses[node] = Math.min(2, (uses[node] as number) + (isEnd ? 2 : 1))
    }
  }
  for (let node = 0; node < uses.length; node++) {
    const isSpecial = blocked[node] !== 0 || delay[node] !== 0
    uses[node] = isKnown[node] === 1 && (uses[node] === 2 || isSpecial) ? 1 : 0
  }
  return uses
}

function cutWay(cutter: Cutter, way: number, isJunction: Uint8Array): void {
  const { wayFirst, wayNodes, isKnown } = cutter.roads
  const end = wayFirst[way + 1] as number
  const pieces: [number, number][] = []
  let start = -1
  for (let i = wayFirst[way] as number; i <= end; i++) {
    const node = i < end ? (wayNodes[i] as number) : -1
    if (node === -1 || isKnown[node] === 0) {
      // The way breaks off here: its last known point becomes an end.
      if (start !== -1 && i - 1 > start) pieces.push([start, i - 1])
      start = -1
    } else if (start === -1) start = i
    else if (isJunction[node] === 1) {
      pieces.push([start, i])
      start = i
    }
  }
  if (pieces.length === 0) return
  const meters = pieces.map(([from, to]) => lengthOf(cutter.roads, from, to))
  const meaning = withTimetable(
    cutter.roads.meanings[way] as CollectedRoads["meanings"][number],
    meters.reduce((sum, part) => sum + part, 0),
  )
  const kind = cutter.kinds.numberOf(meaning)
  for (const [index, [from, to]] of pieces.entries()) {
    const centimeters = Math.round((meters[index] ?? 0) * 100)
    if (centimeters <= maxCentimeters) pushSegment(cutter, way, { from, to, kind, centimeters })
  }
}

function pushSegment(
  cutter: Cutter,
  way: number,
  { from, to, kind, centimeters }: { from: number; to: number; kind: number; centimeters: number },
): void {
  const { roads } = cutter
  cutter.from.push(numberOf(cutter, roads.wayNodes[from] as number))
  cutter.to.push(numberOf(cutter, roads.wayNodes[to] as number))
  cutter.kind.push(kind)
  cutter.name.push(roads.wayNames[way] as number)
  cutter.ref.push(roads.wayRefs[way] as number)
  cutter.length.push(centimeters)
  cutter.line.push(cutter.lines.length)
  const nodes = Array.from(roads.wayNodes.subarray(from, to + 1))
  encodeLine(
    (byte) => cutter.lines.push(byte),
    nodes.map((node) => roads.lat[node] as number),
    nodes.map((node) => roads.lon[node] as number),
    { from: 0, to: nodes.length - 1 },
  )
  cutter.ids.push(cutter.pointIds.length)
  for (const [index, node] of nodes.slice(1, -1).entries())
    pushSigned(
      (byte) => cutter.pointIds.push(byte),
      (roads.nodeIds[node] as number) - (roads.nodeIds[nodes[index] as number] as number),
    )
}

function numberOf(cutter: Cutter, node: number): number {
  if (cutter.nodeOf[node] === noNode) {
    cutter.nodeOf[node] = cutter.sourceNodes.length
    cutter.sourceNodes.push(node)
  }
  return cutter.nodeOf[node] as number
}

function lengthOf({ wayNodes, lat, lon }: CollectedRoads, from: number, to: number): number {
  let meters = 0
  for (let i = from; i < to; i++) {
    const [a, b] = [wayNodes[i] as number, wayNodes[i + 1] as number]
    meters += metersBetween(lat[a] as number, lon[a] as number, lat[b] as number, lon[b] as number)
  }
  return meters
}
