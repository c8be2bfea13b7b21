import { type Cursor, metersBetween, readSigned, toDegrees } from "./fixed.ts"
import { type Mode, modeBit, modes, type RoadClass, roadClasses } from "./tags/modes.ts"
import { roadFlags } from "./tags/read-way.ts"

/**
 * Roads between junctions. A segment leads from a node to a node; a directed segment is `2 * segment` along its
 * points and `2 * segment + 1` against them. All columns are views into one shared buffer.
 */
export interface RoadColumns {
  nodeLat: Int32Array
  nodeLon: Int32Array
  /** Bits of modes that cannot pass. */
  nodeBlocked: Uint8Array
  /** Tenths of a second that motor vehicles lose. */
  nodeDelay: Uint16Array
  segmentFrom: Uint32Array
  segmentTo: Uint32Array
  segmentKind: Uint32Array
  segmentName: Uint32Array
  segmentRef: Uint32Array
  /** Centimetres. */
  segmentLength: Uint32Array
  /** Where the points between both nodes begin in `lines`; one more than there are segments. */
  segmentLine: Uint32Array
  lines: Uint8Array
  /** OpenStreetMap's ids of nodes; empty in files of earlier versions, like the three columns of ids and lanes below. */
  nodeIds: Float64Array
  /** As `segmentLine` and `lines`: ids of the points between both nodes. */
  segmentIds: Uint32Array
  pointIds: Uint8Array
  kindClass: Uint8Array
  kindFlags: Uint8Array
  kindDestination: Uint8Array
  kindSpeeds: Uint16Array
  kindLimits: Uint16Array
  /** `turn:lanes` along the way and against it, as texts: `[kind * 2 + direction]`. */
  kindLanes: Uint32Array
  textOffsets: Uint32Array
  textBytes: Uint8Array
  /** Forbidden sequences of directed segments: where each begins in `restrictionPath`; one more than there are. */
  restrictionFirst: Uint32Array
  restrictionPath: Uint32Array
  /** Bits of modes that they bind. */
  restrictionModes: Uint8Array
  /** Boxes of the search tree, four numbers each, and what they hold: see `tree.ts`. */
  treeBoxes: Int32Array
  treeItems: Uint32Array
}

export interface RoadNetwork {
  readonly columns: RoadColumns
  readonly nodeCount: number
  readonly segmentCount: number
  readonly drivesOnLeft: boolean
}

export function networkOf(columns: RoadColumns, drivesOnLeft = false): RoadNetwork {
  const [nodeCount, segmentCount] = [columns.nodeLat.length, columns.segmentFrom.length]
  return { columns, nodeCount, segmentCount, drivesOnLeft }
}

export const reverseOf = (directed: number): number => directed ^ 1

export function tailOf({ columns }: RoadNetwork, directed: number): number {
  const nodes = (directed & 1) === 0 ? columns.segmentFrom : columns.segmentTo
  return nodes[directed >>> 1] as number
}

export function headOf(network: RoadNetwork, directed: number): number {
  return tailOf(network, directed ^ 1)
}

/** Hundredths of km/h; 0 where the mode may not go. */
export function speedOn({ columns }: RoadNetwork, directed: number, mode: Mode): number {
  const kind = columns.segmentKind[directed >>> 1] as number
  return columns.kindSpeeds[(kind * modes.length + modes.indexOf(mode)) * 2 + (directed & 1)] as number
}

export function isDestinationOnly({ columns }: RoadNetwork, segment: number, mode: Mode): boolean {
  const kind = columns.segmentKind[segment] as number
  return ((columns.kindDestination[kind] as number) & modeBit(mode)) !== 0
}

export function flagsOf({ columns }: RoadNetwork, segment: number): number {
  return columns.kindFlags[columns.segmentKind[segment] as number] as number
}

export function isFerry(network: RoadNetwork, segment: number): boolean {
  return (flagsOf(network, segment) & roadFlags.ferry) !== 0
}

export function classOf({ columns }: RoadNetwork, segment: number): RoadClass {
  return roadClasses[columns.kindClass[columns.segmentKind[segment] as number] as number] ?? "unclassified"
}

function textOf({ columns }: RoadNetwork, index: number): string {
  const { textBytes, textOffsets } = columns
  const [from = 0, to = 0] = [textOffsets[index], textOffsets[index + 1]]
  // A decoder does not read shared memory.
  return from === to ? "" : Buffer.from(textBytes.slice(from, to)).toString("utf8")
}

export function nameOf(network: RoadNetwork, segment: number): string {
  return textOf(network, network.columns.segmentName[segment] as number)
}

/** The road's number, such as "R5". */
export function roadNumberOf(network: RoadNetwork, segment: number): string {
  return textOf(network, network.columns.segmentRef[segment] as number)
}

/** What `turn:lanes` says about a directed segment; an empty text without lanes. */
export function lanesOf(network: RoadNetwork, directed: number): string {
  const kind = network.columns.segmentKind[directed >>> 1] as number
  return textOf(network, network.columns.kindLanes[kind * 2 + (directed & 1)] ?? 0)
}

export const hasNodeIds = ({ columns, nodeCount }: RoadNetwork): boolean =>
  columns.nodeIds.length === nodeCount

/** Ids of all points of a segment in its own direction, both nodes included. */
export function nodeIdsOf({ columns }: RoadNetwork, segment: number): number[] {
  const idOf = (node: number | undefined) => columns.nodeIds[node ?? 0] as number
  const ids = [idOf(columns.segmentFrom[segment])]
  const cursor: Cursor = { at: columns.segmentIds[segment] as number }
  const end = columns.segmentIds[segment + 1] as number
  while (cursor.at < end) ids.push((ids.at(-1) as number) + readSigned(columns.pointIds, cursor))
  return [...ids, idOf(columns.segmentTo[segment])]
}

/** Points in units of 1e-7 degrees. Longitudes pass 180 degrees where the line crosses the antimeridian. */
export interface Line {
  lat: number[]
  lon: number[]
}

/** All points of a segment in its own direction, both nodes included. */
export function lineOf({ columns }: RoadNetwork, segment: number): Line {
  const from = columns.segmentFrom[segment] as number
  const to = columns.segmentTo[segment] as number
  let lat = columns.nodeLat[from] as number
  let lon = columns.nodeLon[from] as number
  const line: Line = { lat: [lat], lon: [lon] }
  const cursor: Cursor = { at: columns.segmentLine[segment] as number }
  const end = columns.segmentLine[segment + 1] as number
  while (cursor.at < end) {
    lat += readSigned(columns.lines, cursor)
    lon += readSigned(columns.lines, cursor)
    line.lat.push(lat)
    line.lon.push(lon)
  }
  const last = columns.nodeLon[to] as number
  line.lat.push(columns.nodeLat[to] as number)
  // Unwrapped, like the points before it.
  line.lon.push(last + 3_600_000_000 * Math.round((lon - last) / 3_600_000_000))
  return line
}

/** The length of a line in metres, part by part. */
export function metersAlong({ lat, lon }: Line): number[] {
  return lat
    .slice(1)
    .map((value, i) => metersBetween(lat[i] as number, lon[i] as number, value, lon[i + 1] as number))
}

export function degreesOf({ lat, lon }: Line, index: number): [lng: number, lat: number] {
  let lng = toDegrees(lon[index] as number)
  if (lng > 180) lng -= 360
  if (lng < -180) lng += 360
  return [lng, toDegrees(lat[index] as number)]
}
