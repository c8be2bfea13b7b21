import { maxCost } from "../weights.ts"
import type { Router } from "./router.ts"
import { directCost, sourceSeeds, targetSeeds } from "./seeds.ts"
import type { Access } from "./snap.ts"
import type { Reached } from "./upward.ts"

/** A place without accesses is off the network: nothing is reachable from or to it. */
export type TablePlace = { accesses: readonly Access[] } | undefined

export interface TravelTable {
  /** Milliseconds, row by row; `unreachable` without a way. */
  costs: Uint32Array
  /** Centimetres along the fastest way. */
  lengths: Uint32Array
}

export const unreachable = 0xffff_ffff

/** Entries by state: which target, and at what cost from there. */
interface Buckets {
  first: Uint32Array
  target: Uint32Array
  cost: Uint32Array
  length: Uint32Array
}

/** Cost and length of the fastest way from every source to every target (Knopp et al. 2007). */
export function travelTable(
  router: Router,
  sources: readonly TablePlace[],
  targets: readonly TablePlace[],
): TravelTable {
  const { graph, forward } = router
  const size = sources.length * targets.length
  const costs = new Uint32Array(size).fill(unreachable)
  const lengths = new Uint32Array(size).fill(unreachable)
  const fillRow =
    targets.length <= fewTargets ? compareTargets(router, targets) : scanBuckets(router, targets)
  const targetsOn = accessesBySegment(targets)
  const rowCost = new Float64Array(targets.length)
  const rowLength = new Float64Array(targets.length)
  for (const [row, source] of sources.entries()) {
    if (!source) continue
    rowCost.fill(Number.POSITIVE_INFINITY)
    fillRow(forward.run(sourceSeeds(graph, source.accesses)), rowCost, rowLength)
    for (const from of source.accesses)
      for (const { target, access } of targetsOn.get(from.directed) ?? []) {
        const direct = directCost(graph, from, access)
        if (!direct || direct.cost > (rowCost[target] as number)) continue
        rowCost[target] = direct.cost
        rowLength[target] = direct.length
      }
    const offset = row * targets.length
    for (let target = 0; target < targets.length; target++) {
      if (!((rowCost[target] as number) <= maxCost)) continue
      costs[offset + target] = rowCost[target] as number
      lengths[offset + target] = rowLength[target] as number
    }
  }
  return { costs, lengths }
}

type FillRow = (reached: Reached, rowCost: Float64Array, rowLength: Float64Array) => void

/** Up to here, buckets for all states of a large network cost more than they save. */
const fewTargets = 20

/** Looks up what each target's search reached in the source's search. */
function compareTargets({ graph, forward, backward }: Router, targets: readonly TablePlace[]): FillRow {
  const lists = targets.map((place) => {
    const { count, states, costs, lengths } = backward.run(targetSeeds(graph, place?.accesses ?? []))
    return { states: states.slice(0, count), costs: costs.slice(0, count), lengths: lengths.slice(0, count) }
  })
  return (_, rowCost, rowLength) => {
    for (const [target, { states, costs, lengths }] of lists.entries())
      for (let i = 0; i < states.length; i++) {
        const state = states[i] as number
        const value = forward.costOf(state) + (costs[i] as number)
        if (value >= (rowCost[target] as number)) continue
        rowCost[target] = value
        rowLength[target] = forward.lengthOf(state) + (lengths[i] as number)
      }
  }
}

function scanBuckets(router: Router, targets: readonly TablePlace[]): FillRow {
  const { first, target, cost, length } = fillBuckets(router, targets)
  return (reached, rowCost, rowLength) => {
    for (let i = 0; i < reached.count; i++) {
      const state = reached.states[i] as number
      const own = reached.costs[i] as number
      const ownLength = reached.lengths[i] as number
      const end = first[state + 1] as number
      for (let entry = first[state] as number; entry < end; entry++) {
        const value = own + (cost[entry] as number)
        const column = target[entry] as number
        if (value >= (rowCost[column] as number)) continue
        rowCost[column] = value
        rowLength[column] = ownLength + (length[entry] as number)
      }
    }
  }
}

function fillBuckets({ graph, backward }: Router, targets: readonly TablePlace[]): Buckets {
  let capacity = 1024 + targets.length * 128
  let entries = { state: new Uint32Array(capacity), target: new Uint32Array(capacity) }
  let values = { cost: new Uint32Array(capacity), length: new Uint32Array(capacity) }
  let count = 0
  const first = new Uint32Array(graph.profile.stateCount + 1)
  for (const [target, place] of targets.entries()) {
    if (!place) continue
    const reached = backward.run(targetSeeds(graph, place.accesses))
    if (count + reached.count > capacity) {
      capacity = Math.max(capacity * 2, count + reached.count)
      entries = { state: grown(entries.state, capacity), target: grown(entries.target, capacity) }
      values = { cost: grown(values.cost, capacity), length: grown(values.length, capacity) }
    }
    for (let i = 0; i < reached.count; i++) {
      const cost = reached.costs[i] as number
      if (cost > maxCost) continue
      const state = reached.states[i] as number
      first[state + 1] = (first[state + 1] as number) + 1
      entries.state[count] = state
      entries.target[count] = target
      values.cost[count] = cost
      values.length[count] = reached.lengths[i] as number
      count++
    }
  }
  for (let state = 0; state < graph.profile.stateCount; state++)
    first[state + 1] = (first[state + 1] as number) + (first[state] as number)
  return sortEntries({ first, ...entries, ...values }, count)
}

function sortEntries(unsorted: Buckets & { state: Uint32Array }, count: number): Buckets {
  const next = unsorted.first.slice()
  const sorted: Buckets = {
    first: unsorted.first,
    target: new Uint32Array(count),
    cost: new Uint32Array(count),
    length: new Uint32Array(count),
  }
  for (let i = 0; i < count; i++) {
    const state = unsorted.state[i] as number
    const at = next[state] as number
    next[state] = at + 1
    sorted.target[at] = unsorted.target[i] as number
    sorted.cost[at] = unsorted.cost[i] as number
    sorted.length[at] = unsorted.length[i] as number
  }
  return sorted
}

function grown(values: Uint32Array<ArrayBuffer>, capacity: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(capacity)
  larger.set(values)
  return larger
}

function accessesBySegment(targets: readonly TablePlace[]) {
  const bySegment = new Map<number, { target: number; access: Access }[]>()
  for (const [target, place] of targets.entries())
    for (const access of place?.accesses ?? []) {
      const known = bySegment.get(access.directed) ?? []
      known.push({ target, access })
      bySegment.set(access.directed, known)
    }
  return bySegment
}
