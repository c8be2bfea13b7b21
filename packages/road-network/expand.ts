import { headOf, isDestinationOnly, type RoadNetwork, speedOn, tailOf } from "./network.ts"
import { type Mode, modeBit } from "./tags/modes.ts"
import { createTurnRules } from "./turn-rules.ts"

/**
 * The graph that a mode travels on. A state is a junction together with what matters about how it was reached:
 * the last segments, where a turn restriction depends on them, and whether the journey has begun to end on roads
 * that are open to their residents only. So shortest paths between states obey every rule exactly.
 */
export interface RoutingGraph {
  stateCount: number
  /** Where the arcs of each directed segment begin; one more than there are directed segments. */
  arcFirst: Uint32Array
  /** The state before and after each arc. */
  arcTail: Uint32Array
  arcHead: Uint32Array
  /** The state in which a journey that begins on the directed segment reaches its end. `noState` if closed. */
  startHead: Uint32Array
}

export const noState = 0xffff_ffff

/** Whether the journey is among residents' roads, and at which of its ends. */
const phases = { leaving: 0, through: 1, arriving: 2 } as const

interface Expansion {
  network: RoadNetwork
  mode: Mode
  /** Usable directed segments by the node that they leave: positions in `leaving`. */
  leavingFirst: Uint32Array
  leaving: Uint32Array
  states: Map<number, number>
  /** Node, turn rule and phase of each state. */
  stateNode: number[]
  stateRule: number[]
  statePhase: number[]
  turns: ReturnType<typeof createTurnRules>
}

export function expandNetwork(network: RoadNetwork, mode: Mode): RoutingGraph {
  const { leavingFirst, leaving } = usableSegments(network, mode)
  const turns = createTurnRules(network, mode, (node) =>
    leaving.subarray(leavingFirst[node], leavingFirst[node + 1]),
  )
  const expansion: Expansion = {
    network,
    mode,
    leavingFirst,
    leaving,
    states: new Map(),
    stateNode: [],
    stateRule: [],
    statePhase: [],
    turns,
  }
  const directedCount = network.segmentCount * 2
  const startHead = new Uint32Array(directedCount).fill(noState)
  for (const directed of leaving) {
    // A journey that begins on this segment has passed no other.
    const { leaving: leavingPhase, through } = phases
    const phase = isDestinationOnly(network, directed >>> 1, mode) ? leavingPhase : through
    startHead[directed] = stateAfter(expansion, directed, 0, phase)
  }
  for (let node = 0; node < network.nodeCount; node++)
    if (leavingFirst[node] !== leavingFirst[node + 1]) stateOf(expansion, node, 0, phases.through)
  return { startHead, ...connectStates(expansion, directedCount) }
}

function usableSegments(network: RoadNetwork, mode: Mode) {
  const leavingFirst = new Uint32Array(network.nodeCount + 1)
  const isUsable = (directed: number) => speedOn(network, directed, mode) > 0
  const directedCount = network.segmentCount * 2
  for (let d = 0; d < directedCount; d++)
    if (isUsable(d))
      leavingFirst[tailOf(network, d) + 1] = (leavingFirst[tailOf(network, d) + 1] as number) + 1
  for (let node = 0; node < network.nodeCount; node++)
    leavingFirst[node + 1] = (leavingFirst[node + 1] as number) + (leavingFirst[node] as number)
  const next = leavingFirst.slice()
  const leaving = new Uint32Array(leavingFirst[network.nodeCount] as number)
  for (let d = 0; d < directedCount; d++) {
    if (!isUsable(d)) continue
    const node = tailOf(network, d)
    const at = next[node] as number
    leaving[at] = d
    next[node] = at + 1
  }
  return { leavingFirst, leaving }
}

function stateOf(expansion: Expansion, node: number, rule: number, phase: number): number {
  // A rule is tied to its node, so either of them identifies the state.
  const key = (rule === 0 ? node : expansion.network.nodeCount + rule) * 3 + phase
  const known = expansion.states.get(key)
  if (known !== undefined) return known
  const state = expansion.stateNode.length
  expansion.states.set(key, state)
  expansion.stateNode.push(node)
  expansion.stateRule.push(rule)
  expansion.statePhase.push(phase)
  return state
}

function stateAfter(expansion: Expansion, directed: number, rule: number, phase: number): number {
  return stateOf(expansion, headOf(expansion.network, directed), expansion.turns.next(rule, directed), phase)
}

/** Follows every usable segment out of every state; new states join the list as they are reached. */
function connectStates(expansion: Expansion, directedCount: number) {
  const { network, mode, leavingFirst, leaving, stateNode, stateRule, statePhase, turns } = expansion
  const arcs: { directed: number[]; tail: number[]; head: number[] } = { directed: [], tail: [], head: [] }
  const blockedBit = modeBit(mode)
  for (let state = 0; state < stateNode.length; state++) {
    const node = stateNode[state] as number
    // Nobody passes a barrier; a journey may begin or end at it.
    if (((network.columns.nodeBlocked[node] as number) & blockedBit) !== 0) continue
    const rule = stateRule[state] as number
    const phase = statePhase[state] as number
    const end = leavingFirst[node + 1] as number
    for (let i = leavingFirst[node] as number; i < end; i++) {
      const directed = leaving[i] as number
      if (rule !== 0 && turns.forbids(rule, directed)) continue
      const isForResidents = isDestinationOnly(network, directed >>> 1, mode)
      if (phase === phases.arriving && !isForResidents) continue
      const isLeaving = phase === phases.leaving
      const next = !isForResidents ? phases.through : isLeaving ? phases.leaving : phases.arriving
      arcs.directed.push(directed)
      arcs.tail.push(state)
      arcs.head.push(stateAfter(expansion, directed, rule, next))
    }
  }
  return { ...sortArcs(arcs, directedCount), stateCount: stateNode.length }
}

function sortArcs({ directed, tail, head }: Record<"directed" | "tail" | "head", number[]>, count: number) {
  const arcFirst = new Uint32Array(count + 1)
  for (const d of directed) arcFirst[d + 1] = (arcFirst[d + 1] as number) + 1
  for (let d = 0; d < count; d++) arcFirst[d + 1] = (arcFirst[d + 1] as number) + (arcFirst[d] as number)
  const next = arcFirst.slice()
  const arcTail = new Uint32Array(directed.length)
  const arcHead = new Uint32Array(directed.length)
  for (let i = 0; i < directed.length; i++) {
    const d = directed[i] as number
    const at = next[d] as number
    arcTail[at] = tail[i] as number
    arcHead[at] = head[i] as number
    next[d] = at + 1
  }
  return { arcFirst, arcTail, arcHead }
}
