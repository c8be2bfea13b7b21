import { linkGroups } from "./links.ts"
import type { PlanProblem } from "./problem.ts"
import { pairsOf } from "./problem.ts"

/** Visits that belong together, by index. */

export function groupVisits({ visits }: PlanProblem) {
  const named = new Map<string, number[]>()
  visits.forEach((visit, i) => {
    if (visit.group === undefined) return
    named.set(visit.group, [...(named.get(visit.group) ?? []), i])
  })
  const sets = [...named.values()].filter((members) => members.length > 1)
  const group = new Int32Array(visits.length).fill(-1)
  const ordered = new Uint8Array(visits.length)
  sets.forEach((members, g) => {
    const priorities = new Set(members.map((i) => visits[i]?.priority ?? 0))
    for (const i of members) {
      group[i] = g
      if (priorities.size > 1) ordered[i] = 1
    }
  })
  return { group, ordered, members: sets.map((members) => Int32Array.from(members)) }
}

/** Pairs by index, and the demands of all visits with that of each pair at its pickup. */
export function pairVisits({ visits }: PlanProblem) {
  const partner = new Int32Array(visits.length).fill(-1)
  const role = new Int8Array(visits.length)
  const demands = visits.map(({ demand }) => demand)
  pairsOf(visits).forEach(({ pickup, delivery }) => {
    partner[pickup] = delivery
    partner[delivery] = pickup
    role[pickup] = 1
    role[delivery] = -1
    demands[pickup] = demands[delivery] ?? []
    demands[delivery] = []
  })
  return { partner, role, demands, hasPairs: role.includes(1) }
}

export function linkVisits({ visits }: PlanProblem) {
  const groups = linkGroups(visits) ?? []
  const linkGroup = new Int32Array(visits.length).fill(-1)
  groups.forEach(({ members }, g) => {
    for (const i of members) linkGroup[i] = g
  })
  return { linkGroup, linkGroups: groups, hasLinks: groups.length > 0 }
}
