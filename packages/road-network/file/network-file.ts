import { networkOf, type RoadColumns, type RoadNetwork } from "../network.ts"
import { modes } from "../tags/modes.ts"
import { levelsOf } from "../tree.ts"
import { checkOffsets, checkRange, checkSameLength } from "./checks.ts"
import { packColumns, RoadFileError, unpackColumns } from "./container.ts"

const columnTypes = {
  nodeLat: "Int32Array",
  nodeLon: "Int32Array",
  nodeBlocked: "Uint8Array",
  nodeDelay: "Uint16Array",
  segmentFrom: "Uint32Array",
  segmentTo: "Uint32Array",
  segmentKind: "Uint32Array",
  segmentName: "Uint32Array",
  segmentRef: "Uint32Array",
  segmentLength: "Uint32Array",
  segmentLine: "Uint32Array",
  lines: "Uint8Array",
  nodeIds: "Float64Array",
  segmentIds: "Uint32Array",
  pointIds: "Uint8Array",
  kindClass: "Uint8Array",
  kindFlags: "Uint8Array",
  kindDestination: "Uint8Array",
  kindSpeeds: "Uint16Array",
  kindLimits: "Uint16Array",
  kindLanes: "Uint32Array",
  textOffsets: "Uint32Array",
  textBytes: "Uint8Array",
  restrictionFirst: "Uint32Array",
  restrictionPath: "Uint32Array",
  restrictionModes: "Uint8Array",
  treeBoxes: "Int32Array",
  treeItems: "Uint32Array",
} as const satisfies Record<keyof RoadColumns, string>

/** Columns that files of earlier versions lack. */
const added = ["nodeIds", "segmentIds", "pointIds", "kindLanes"] as const

/** What is known about a network besides its roads. */
export interface NetworkMeta {
  /** Connects the files of one build. */
  id: string
  /** When the extract was made, ISO 8601; null if it does not say. */
  mapTime: string | null
  /** Absent in files of earlier versions. */
  drivesOnLeft?: boolean
}

export function packNetwork(network: RoadNetwork, meta: NetworkMeta): Uint8Array[] {
  return packColumns({ kind: "network", ...meta }, { ...network.columns })
}

/** @throws RoadFileError unless every offset and every number leads to something that exists */
export function openNetwork(
  buffer: SharedArrayBuffer,
  isChecked = false,
): { network: RoadNetwork; meta: NetworkMeta } {
  const { meta: stored, columns } = unpackColumns(buffer, columnTypes, { isChecked, added })
  const meta = stored as NetworkMeta & { kind: string }
  if (meta.kind !== "network") throw new RoadFileError("this is another part of a road network")
  const network = networkOf(columns, meta.drivesOnLeft === true)
  if (!isChecked) checkNetwork(network)
  return { network, meta: { id: String(meta.id), mapTime: meta.mapTime, drivesOnLeft: network.drivesOnLeft } }
}

function checkNetwork({ columns, nodeCount, segmentCount }: RoadNetwork): void {
  const kindCount = columns.kindClass.length
  const textCount = columns.textOffsets.length - 1
  const expected: Partial<Record<keyof RoadColumns, number>> = {
    nodeLon: nodeCount,
    nodeBlocked: nodeCount,
    nodeDelay: nodeCount,
    segmentTo: segmentCount,
    segmentKind: segmentCount,
    segmentName: segmentCount,
    segmentRef: segmentCount,
    segmentLength: segmentCount,
    segmentLine: segmentCount + 1,
    kindFlags: kindCount,
    kindDestination: kindCount,
    kindSpeeds: kindCount * modes.length * 2,
    kindLimits: kindCount * 4,
    ...(columns.nodeIds.length > 0 ? { nodeIds: nodeCount, segmentIds: segmentCount + 1 } : {}),
    ...(columns.kindLanes.length > 0 ? { kindLanes: kindCount * 2 } : {}),
    restrictionFirst: columns.restrictionModes.length + 1,
    treeBoxes: (levelsOf(columns.treeItems.length).at(-1) ?? 0) * 4,
  }
  for (const [name, length] of Object.entries(expected))
    checkSameLength(name, columns[name as keyof RoadColumns].length, length)
  checkRange("segmentFrom", columns.segmentFrom, nodeCount)
  checkRange("segmentTo", columns.segmentTo, nodeCount)
  checkRange("segmentKind", columns.segmentKind, kindCount)
  checkRange("segmentName", columns.segmentName, textCount)
  checkRange("segmentRef", columns.segmentRef, textCount)
  checkRange("kindLanes", columns.kindLanes, textCount)
  checkRange("restrictionPath", columns.restrictionPath, segmentCount * 2)
  checkRange("treeItems", columns.treeItems, segmentCount)
  checkOffsets("segmentLine", columns.segmentLine, columns.lines.length)
  if (columns.nodeIds.length > 0) checkOffsets("segmentIds", columns.segmentIds, columns.pointIds.length)
  checkOffsets("textOffsets", columns.textOffsets, columns.textBytes.length)
  checkOffsets("restrictionFirst", columns.restrictionFirst, columns.restrictionPath.length)
}
