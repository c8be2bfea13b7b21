import { noState } from "../expand.ts"
import { plain, type UpwardArcs } from "../hierarchy.ts"
import type { RoadNetwork } from "../network.ts"
import { modes } from "../tags/modes.ts"
import type { TravelGraph } from "../travel-graph.ts"
import { type TravelOptions, weightsOf } from "../weights.ts"
import { checkOffsets, checkRange, checkSameLength } from "./checks.ts"
import { type Columns, packColumns, RoadFileError, unpackColumns } from "./container.ts"

const arcColumns = ["first", "other", "cost", "length", "partA", "partB"] as const
const sides = ["outOf", "into"] as const
const graphTypes = {
  arcFirst: "Uint32Array",
  arcTail: "Uint32Array",
  arcHead: "Uint32Array",
  startHead: "Uint32Array",
  isLarge: "Uint8Array",
} as const
type ArcColumn = `${(typeof sides)[number]}.${(typeof arcColumns)[number]}`
const arcTypes = Object.fromEntries(
  sides.flatMap((side) => arcColumns.map((name) => [`${side}.${name}`, "Uint32Array"])),
) as Record<ArcColumn, "Uint32Array">
const columnTypes = { ...graphTypes, ...arcTypes }

interface ProfileMeta {
  kind: string
  options: TravelOptions
  networkId: string
  stateCount: number
}

export function packProfile({ profile, hierarchy, options }: TravelGraph, networkId: string): Uint8Array[] {
  const meta: ProfileMeta = {
    kind: "profile",
    options,
    networkId,
    stateCount: profile.stateCount,
  }
  const columns: Columns = {}
  for (const name of ["arcFirst", "arcTail", "arcHead", "startHead", "isLarge"] as const)
    columns[name] = profile[name]
  for (const side of sides) for (const name of arcColumns) columns[`${side}.${name}`] = hierarchy[side][name]
  return packColumns(meta, columns)
}

/** @throws RoadFileError unless the file belongs to the network and everything in it leads somewhere */
export function openProfile(
  network: RoadNetwork,
  networkId: string,
  buffer: SharedArrayBuffer,
  isChecked = false,
): TravelGraph {
  const { meta: stored, columns } = unpackColumns(buffer, columnTypes, { isChecked })
  const meta = stored as ProfileMeta
  if (meta.kind !== "profile" || !modes.includes(meta.options?.mode))
    throw new RoadFileError("this is another part of a road network")
  if (meta.networkId !== networkId) throw new RoadFileError("this profile belongs to another road network")
  const arcsOf = (side: (typeof sides)[number]): UpwardArcs => ({
    first: columns[`${side}.first`],
    other: columns[`${side}.other`],
    cost: columns[`${side}.cost`],
    length: columns[`${side}.length`],
    partA: columns[`${side}.partA`],
    partB: columns[`${side}.partB`],
  })
  const { options } = meta
  const graph: TravelGraph = {
    network,
    profile: { ...columns, stateCount: meta.stateCount },
    options,
    weights: weightsOf(network, options),
    hierarchy: { outOf: arcsOf("outOf"), into: arcsOf("into") },
  }
  if (!isChecked) checkProfile(graph)
  return graph
}

function checkProfile({ network, profile, hierarchy }: TravelGraph): void {
  const { stateCount } = profile
  const directedCount = network.segmentCount * 2
  if (!Number.isSafeInteger(stateCount) || stateCount < 0) throw new RoadFileError("stateCount is no count")
  checkSameLength("arcFirst", profile.arcFirst.length, directedCount + 1)
  checkSameLength("startHead", profile.startHead.length, directedCount)
  checkSameLength("isLarge", profile.isLarge.length, directedCount)
  checkSameLength("arcHead", profile.arcHead.length, profile.arcTail.length)
  checkOffsets("arcFirst", profile.arcFirst, profile.arcTail.length)
  checkRange("arcTail", profile.arcTail, stateCount)
  checkRange("arcHead", profile.arcHead, stateCount)
  checkRange("startHead", profile.startHead, stateCount, noState)
  for (const side of sides) {
    const arcs = hierarchy[side]
    checkSameLength(`${side}.first`, arcs.first.length, stateCount + 1)
    for (const name of arcColumns.slice(1))
      checkSameLength(`${side}.${name}`, arcs[name].length, arcs.other.length)
    checkOffsets(`${side}.first`, arcs.first, arcs.other.length)
    checkRange(`${side}.other`, arcs.other, stateCount)
    checkArcs(side, hierarchy, directedCount)
  }
}

/** Arcs lead upwards and their parts lie below them, so that every search and every way comes to an end. */
function checkArcs(side: "outOf" | "into", hierarchy: TravelGraph["hierarchy"], directedCount: number): void {
  const arcs = hierarchy[side]
  for (let state = 0; state + 1 < arcs.first.length; state++) {
    const end = arcs.first[state + 1] as number
    for (let arc = arcs.first[state] as number; arc < end; arc++) {
      const isUpward = (arcs.other[arc] as number) > state
      const [partA, partB] = [arcs.partA[arc] as number, arcs.partB[arc] as number]
      const isSound =
        partB === plain
          ? partA < directedCount
          : partA < (hierarchy.into.first[state] as number) &&
            partB < (hierarchy.outOf.first[state] as number)
      if (!isUpward || !isSound) throw new RoadFileError(`${side} leads outside at ${arc}`)
    }
  }
}
