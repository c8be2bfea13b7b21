import type { Visit } from "./problem.ts"

/** Visits whose times depend on each other, whatever vehicles serve them. */
export type Link = {
  /** The earlier visit, or one of two that start together. */
  readonly first: number
  readonly second: number
  /** From the end of the first to the start of the second; not given for visits that start together. */
  readonly gap?: { readonly min: number; readonly max: number }
}

const linksOfVisits = new WeakMap<readonly Visit[], readonly Link[]>()

/** Links by index. Those to visits that are not part of the problem do not count. */
export function linksOf(visits: readonly Visit[]): readonly Link[] {
  const known = linksOfVisits.get(visits)
  if (known) return known
  const links = findLinks(visits)
  linksOfVisits.set(visits, links)
  return links
}

function findLinks(visits: readonly Visit[]): Link[] {
  if (visits.every(({ after, togetherWith }) => after === undefined && togetherWith === undefined)) return []
  const indexOf = new Map(visits.map(({ id }, index) => [id, index]))
  return visits.flatMap(({ after = [], togetherWith = [] }, second) => [
    ...after.flatMap(({ visitId, minSeconds, maxSeconds = Number.POSITIVE_INFINITY }): Link[] => {
      const first = indexOf.get(visitId)
      return first === undefined ? [] : [{ first, second, gap: { min: minSeconds, max: maxSeconds } }]
    }),
    ...togetherWith.flatMap((id): Link[] => {
      const first = indexOf.get(id)
      return first === undefined ? [] : [{ first, second }]
    }),
  ])
}

export type LinkGroup = { readonly members: readonly number[]; readonly links: readonly Link[] }

/** Connected visits, each after those that it waits for; undefined where they wait for each other. */
export function linkGroups(visits: readonly Visit[]): LinkGroup[] | undefined {
  const links = linksOf(visits)
  const group = new Map<number, number>()
  const find = (i: number): number => {
    const up = group.get(i) ?? i
    return up === i ? i : find(up)
  }
  for (const { first, second } of links) group.set(find(first), find(second))
  const linked = [...new Set(links.flatMap(({ first, second }) => [first, second]))]
  const groups: LinkGroup[] = []
  for (const members of Map.groupBy(linked, find).values()) {
    const own = links.filter(({ first }) => members.includes(first))
    const order = inOrder(members, own)
    if (!order) return undefined
    groups.push({ members: order, links: own })
  }
  return groups
}

function inOrder(members: readonly number[], links: readonly Link[]): number[] | undefined {
  const order: number[] = []
  const left = new Set(members)
  while (left.size > 0) {
    const next = [...left].find((i) =>
      links.every(({ first, second, gap }) => gap === undefined || second !== i || !left.has(first)),
    )
    if (next === undefined) return undefined
    order.push(next)
    left.delete(next)
  }
  return order
}
