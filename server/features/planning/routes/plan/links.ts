import type { InputVisit } from "./run-input.ts"

/** Visits that wait for others or need several people, in the words of the input. */

export function isLinked({ after, workers }: InputVisit): boolean {
  return after !== undefined || workers !== undefined
}

/** Visits whose links make no sense become invalid, and are dropped with the reason. */
export function withoutImpossibleLinks(visits: readonly InputVisit[]): InputVisit[] {
  if (!visits.some(isLinked)) return [...visits]
  const byId = new Map(visits.map((visit) => [visit.id, visit]))
  const paired = new Set(
    visits.flatMap(({ id, pickupVisitId }) => (pickupVisitId ? [id, pickupVisitId] : [])),
  )
  const circular = inCircles(visits)
  const isBound = ({ id, visitGroup }: InputVisit) => visitGroup !== undefined || paired.has(id)
  return visits.map((visit) => {
    const problem = visit.invalid === undefined ? problemOf(visit) : undefined
    return problem === undefined ? visit : { ...visit, invalid: problem }
  })

  function problemOf(visit: InputVisit): string | undefined {
    const { after = [], workers } = visit
    if (workers !== undefined && isBound(visit))
      return "workers cannot be combined with visitGroup or pickupVisitId"
    for (const { visitId, minMinutes = 0, maxMinutes = minMinutes } of after) {
      const other = byId.get(visitId)
      if (!other || visitId === visit.id) return `after ${visitId} is not the id of another visit of the plan`
      if (maxMinutes < minMinutes) return `after ${visitId} needs maxMinutes of at least minMinutes`
      if (isBound(visit) || isBound(other)) return "after cannot be combined with visitGroup or pickupVisitId"
    }
    return circular.has(visit.id) ? "after leads back to the visit itself" : undefined
  }
}

/** Ids of visits that wait for themselves, over others: what is left when visits that wait for nothing are taken away. */
function inCircles(visits: readonly InputVisit[]): ReadonlySet<string> {
  const waits = new Map(visits.map(({ id, after = [] }) => [id, after.map(({ visitId }) => visitId)]))
  const left = new Set(waits.keys())
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false
    for (const id of left) {
      if ((waits.get(id) ?? []).some((other) => left.has(other))) continue
      left.delete(id)
      hasChanged = true
    }
  }
  return left
}
