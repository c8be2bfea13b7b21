import type { Random } from "../problem/random.ts"
import type { Capacitated } from "./capacitated.ts"
import { createLocalSearch, improve, type LocalSearch } from "./local-search.ts"
import { add, describe, type Individual, type Population, pick, sortByCost } from "./population.ts"
import { createSplitScratch, type SplitScratch, split } from "./split.ts"
import { shuffle } from "./tours.ts"

/** Random plans to begin with. */
const firstPlans = 100
/** Share of offspring that keep the capacities, which the price of excess load is steered to, and how often. */
const feasibleShare = 0.2
const offspringPerPrice = 100
/** Offspring without a better plan, after which the population is replaced by a new one. */
const patience = 20_000
const repairFactor = 10

type Evolution = {
  readonly problem: Capacitated
  readonly random: Random
  readonly local: LocalSearch
  readonly scratch: SplitScratch
  readonly feasible: Population
  readonly infeasible: Population
  readonly firstPrice: number
  excessPrice: number
  best: Individual | undefined
  /** Of the last offspring: 1 for those that kept the capacities. */
  readonly kept: number[]
}

type Watch = {
  /** Asked after each plan. */
  readonly goesOn: () => boolean
  /** A plan that costs less than all before. */
  readonly onBest: (routes: Routes) => void
  /** A plan from elsewhere that joins, asked for as often. */
  readonly newcomer: () => Routes | undefined
}

type Routes = readonly (readonly number[])[]

/**
 * Hybrid genetic search (see local-search.ts) until it is stopped.
 * @param known a plan to begin with, beside random ones
 */
export function evolve(problem: Capacitated, random: Random, known: Routes, watch: Watch): void {
  const evolution: Evolution = {
    problem,
    random,
    local: createLocalSearch(problem, random),
    scratch: createSplitScratch(problem),
    feasible: { members: [] },
    infeasible: { members: [] },
    firstPrice: firstPrice(problem),
    excessPrice: firstPrice(problem),
    best: undefined,
    kept: Array.from({ length: offspringPerPrice }, () => feasibleShare),
  }
  educate(evolution, known, watch, [])
  let idle = 0
  let made = 0
  while (watch.goesOn()) {
    made++
    const { feasible, infeasible } = evolution
    const isNew = made <= firstPlans || feasible.members.length + infeasible.members.length < 2
    const parents = isNew ? [] : [pick([feasible, infeasible], random), pick([feasible, infeasible], random)]
    const order = isNew ? randomOrder(evolution) : offspring(evolution, parents)
    const routes = split(problem, evolution.scratch, order, evolution.excessPrice)
    const isBetter = educate(evolution, routes, watch, parents)
    const newcomer = watch.newcomer()
    if (newcomer && newcomer.length <= problem.routeCount) educate(evolution, newcomer, watch, [])
    idle = isBetter ? 0 : idle + 1
    if (made % offspringPerPrice === 0) steerPrice(evolution)
    if (idle < patience) continue
    feasible.members.length = 0
    infeasible.members.length = 0
    idle = 0
    made = 0
    evolution.best = undefined
  }
}

/** The longest way for the largest demand. */
function firstPrice({ distance, demand }: Capacitated): number {
  const longest = distance.reduce((most, value) => Math.max(most, value), 0)
  const largest = demand.reduce((most, value) => Math.max(most, value), 1)
  return longest / largest
}

const costOf = (evolution: Evolution) => (plan: Individual) =>
  plan.distance + plan.excess * evolution.excessPrice

function educate(
  evolution: Evolution,
  routes: Routes,
  watch: Watch,
  parents: readonly Individual[],
): boolean {
  const { problem, local, random, excessPrice } = evolution
  const plan = describe(problem, improve(local, routes, excessPrice, parents))
  const isFeasible = plan.excess === 0
  evolution.kept.shift()
  evolution.kept.push(isFeasible ? 1 : 0)
  const isBetter = keep(evolution, plan, watch)
  if (isFeasible || random.next() < 0.5) return isBetter
  const repaired = describe(problem, improve(local, plan.routes, excessPrice * repairFactor))
  return repaired.excess === 0 ? keep(evolution, repaired, watch) || isBetter : isBetter
}

function keep(evolution: Evolution, plan: Individual, watch: Watch): boolean {
  const isFeasible = plan.excess === 0
  add(isFeasible ? evolution.feasible : evolution.infeasible, plan, costOf(evolution))
  if (!isFeasible || (evolution.best && plan.distance >= evolution.best.distance - 1e-9)) return false
  evolution.best = plan
  watch.onBest(plan.routes)
  return true
}

function randomOrder({ problem, random }: Evolution): Int32Array {
  const order = Int32Array.from({ length: problem.visitCount }, (_, i) => i)
  shuffle(order, random)
  return order
}

/** A stretch of one parent, filled up in the order of the other one. */
function offspring({ random }: Evolution, parents: readonly Individual[]): Int32Array {
  const [one, other] = parents.map(({ order }) => order) as [Int32Array, Int32Array]
  const n = one.length
  const start = random.below(n)
  let end = random.below(n)
  while (end === start && n > 1) end = random.below(n)
  const result = new Int32Array(n)
  const isTaken = new Uint8Array(n)
  let at = start
  for (; at % n !== (end + 1) % n; at++) {
    const i = one[at % n] as number
    result[at % n] = i
    isTaken[i] = 1
  }
  for (let step = 1; step <= n; step++) {
    const i = other[(end + step) % n] as number
    if (isTaken[i] === 1) continue
    result[at++ % n] = i
  }
  return result
}

function steerPrice(evolution: Evolution): void {
  const share = evolution.kept.reduce((sum, one) => sum + one, 0) / evolution.kept.length
  const price = evolution.excessPrice
  if (share < feasibleShare - 0.05) evolution.excessPrice = Math.min(price * 1.2, evolution.firstPrice * 1e3)
  if (share > feasibleShare + 0.05) evolution.excessPrice = Math.max(price * 0.85, evolution.firstPrice / 1e3)
  sortByCost(evolution.infeasible, costOf(evolution))
}
