import { headOf, type RoadNetwork, speedOn, tailOf } from "../network.ts"
import { type Mode, modeBit } from "../tags/modes.ts"

/** From this many junctions on, a connected part of the network is a region of its own; less is an island. */
const largeSize = 1_000
/** In a small network, an island is what has less than this share of its largest part. */
const largeShare = 0.1

/** 1 for each directed segment whose ends lie in a large part in which every place reaches every other. */
export function findLargeParts(network: RoadNetwork, mode: Mode): Uint8Array {
  const component = stronglyConnected(network, mode)
  const sizes = new Uint32Array(network.nodeCount + 1)
  for (const part of component) sizes[part] = (sizes[part] as number) + 1
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0)
  const enough = Math.min(largeSize, Math.max(2, largest * largeShare))
  const bit = modeBit(mode)
  const isBlocked = (node: number) => ((network.columns.nodeBlocked[node] as number) & bit) !== 0
  const isLarge = (node: number) => (sizes[component[node] as number] as number) >= enough
  const large = new Uint8Array(network.segmentCount * 2)
  for (let directed = 0; directed < large.length; directed++) {
    // A barrier is an end of both roads at it, so the other end decides.
    const ends = [tailOf(network, directed), headOf(network, directed)].filter((node) => !isBlocked(node))
    large[directed] = ends.length > 0 && ends.every(isLarge) ? 1 : 0
  }
  return large
}

/** The part of each node (Tarjan 1972, without recursion). */
function stronglyConnected(network: RoadNetwork, mode: Mode): Uint32Array {
  const { nodeCount } = network
  const { first, heads } = adjacency(network, mode)
  const index = new Int32Array(nodeCount).fill(-1)
  const low = new Int32Array(nodeCount)
  const component = new Uint32Array(nodeCount)
  const isOpen = new Uint8Array(nodeCount)
  const open: number[] = []
  const path: number[] = []
  const next = first.slice()
  let counter = 0
  let parts = 0
  for (let root = 0; root < nodeCount; root++) {
    if (index[root] !== -1) continue
    path.push(root)
    while (path.length > 0) {
      const node = path.at(-1) as number
      if (index[node] === -1) {
        index[node] = low[node] = counter++
        open.push(node)
        isOpen[node] = 1
      }
      const at = next[node] as number
      if (at < (first[node + 1] as number)) {
        next[node] = at + 1
        const head = heads[at] as number
        if (index[head] === -1) path.push(head)
        else if (isOpen[head] === 1) low[node] = Math.min(low[node] as number, index[head] as number)
        continue
      }
      path.pop()
      const parent = path.at(-1)
      if (parent !== undefined) low[parent] = Math.min(low[parent] as number, low[node] as number)
      if (low[node] !== index[node]) continue
      for (let member = -1; member !== node; ) {
        member = open.pop() as number
        isOpen[member] = 0
        component[member] = parts
      }
      parts++
    }
  }
  return component
}

function adjacency(network: RoadNetwork, mode: Mode) {
  const bit = modeBit(mode)
  const { nodeBlocked } = network.columns
  const isUsable = (directed: number) =>
    speedOn(network, directed, mode) > 0 &&
    ((nodeBlocked[tailOf(network, directed)] as number) & bit) === 0 &&
    ((nodeBlocked[headOf(network, directed)] as number) & bit) === 0
  const first = new Uint32Array(network.nodeCount + 1)
  const count = network.segmentCount * 2
  for (let d = 0; d < count; d++)
    if (isUsable(d)) first[tailOf(network, d) + 1] = (first[tailOf(network, d) + 1] as number) + 1
  for (let node = 0; node < network.nodeCount; node++)
    first[node + 1] = (first[node + 1] as number) + (first[node] as number)
  const heads = new Uint32Array(first[network.nodeCount] as number)
  const next = first.slice()
  for (let d = 0; d < count; d++) {
    if (!isUsable(d)) continue
    const node = tailOf(network, d)
    heads[next[node] as number] = headOf(network, d)
    next[node] = (next[node] as number) + 1
  }
  return { first, heads }
}
