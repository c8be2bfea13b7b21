import type { Random } from "../problem/random.ts"
import type { Capacitated } from "./capacitated.ts"

export type Individual = {
  readonly routes: readonly (readonly number[])[]
  readonly order: Int32Array
  /** Neighbours of each visit on its route, visitCount for the hub. */
  readonly next: Uint16Array
  readonly prev: Uint16Array
  readonly distance: number
  /** Load beyond the capacities. */
  readonly excess: number
}

/** Plans of one sort, cheapest first, with how far they are from each other. */
export type Population = {
  readonly members: Member[]
}

type Member = {
  readonly plan: Individual
  /** To the other plans, the closest first: the share of the visits with another neighbour. */
  readonly others: { readonly member: Member; readonly distance: number }[]
  fitness: number
}

/** Plans that stay when the brood is full, and its size. */
const fewest = 25
const brood = 40
const elite = 4
const closest = 5

export function describe(problem: Capacitated, routes: readonly (readonly number[])[]): Individual {
  const { visitCount: n, distance, demand, capacity } = problem
  const width = n + 1
  const next = new Uint16Array(n)
  const prev = new Uint16Array(n)
  let [length, excess] = [0, 0]
  for (const route of routes) {
    let [before, load] = [n, 0]
    for (const i of route) {
      length += distance[before * width + i] as number
      load += demand[i] as number
      prev[i] = before
      if (before < n) next[before] = i
      before = i
    }
    if (before < n) next[before] = n
    length += before < n ? (distance[before * width + n] as number) : 0
    excess += Math.max(0, load - capacity)
  }
  return { routes, order: Int32Array.from(routes.flat()), next, prev, distance: length, excess }
}

/** @param costOf distance and the price of the excess at present */
export function add(population: Population, plan: Individual, costOf: (plan: Individual) => number): void {
  const { members } = population
  const member: Member = { plan, others: [], fitness: 0 }
  for (const other of members) {
    const distance = brokenPairs(plan, other.plan)
    insert(member.others, other, distance)
    insert(other.others, member, distance)
  }
  const cost = costOf(plan)
  const at = members.findIndex((other) => costOf(other.plan) > cost)
  members.splice(at === -1 ? members.length : at, 0, member)
  if (members.length > fewest + brood) while (members.length > fewest) removeWorst(population)
  rate(population)
}

/** The better one of two random plans of both populations. */
export function pick(populations: readonly Population[], random: Random): Individual {
  const count = populations.reduce((sum, { members }) => sum + members.length, 0)
  const draw = () => {
    let at = random.below(count)
    for (const { members } of populations) {
      if (at < members.length) return members[at] as Member
      at -= members.length
    }
    throw new RangeError("no plans")
  }
  const one = draw()
  const other = draw()
  return (one.fitness < other.fitness ? one : other).plan
}

export function sortByCost({ members }: Population, costOf: (plan: Individual) => number): void {
  members.sort((a, b) => costOf(a.plan) - costOf(b.plan))
}

function brokenPairs(one: Individual, other: Individual): number {
  const n = one.next.length
  let broken = 0
  for (let i = 0; i < n; i++) {
    const next = one.next[i] as number
    const prev = one.prev[i] as number
    if (next !== other.next[i] && next !== other.prev[i]) broken++
    if (prev === n && other.prev[i] !== n && other.next[i] !== n) broken++
  }
  return broken / n
}

/** Rank by cost, and by how far a plan is from the closest others. */
function rate({ members }: Population): void {
  const last = Math.max(1, members.length - 1)
  const byDistance = members
    .map((member, rank) => ({ member, rank, apart: meanOfClosest(member) }))
    .sort((a, b) => b.apart - a.apart)
  const weight = members.length <= elite ? 0 : 1 - elite / members.length
  byDistance.forEach(({ member, rank }, place) => {
    member.fitness = rank / last + (weight * place) / last
  })
}

function insert(others: Member["others"], member: Member, distance: number): void {
  const at = others.findIndex((other) => other.distance > distance)
  others.splice(at === -1 ? others.length : at, 0, { member, distance })
}

function meanOfClosest({ others }: Member): number {
  const count = Math.min(closest, others.length)
  let sum = 0
  for (let at = 0; at < count; at++) sum += others[at]?.distance ?? 0
  return sum / Math.max(1, count)
}

/** Copies of others go first, then those of the worst fitness; never the cheapest plan. */
function removeWorst(population: Population): void {
  const { members } = population
  rate(population)
  let worst = 1
  let isWorstCopy = false
  for (let m = 1; m < members.length; m++) {
    const member = members[m] as Member
    const isCopy = (member.others[0]?.distance ?? 1) < 1e-9
    const isWorse = isCopy === isWorstCopy && member.fitness > (members[worst] as Member).fitness
    if ((isCopy && !isWorstCopy) || isWorse) {
      worst = m
      isWorstCopy = isCopy
    }
  }
  const [removed] = members.splice(worst, 1)
  for (const { others } of members)
    others.splice(
      others.findIndex(({ member }) => member === removed),
      1,
    )
}
