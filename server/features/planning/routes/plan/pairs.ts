import type { InputVisit, RunInput } from "./run-input.ts"

/** Pickup and delivery pairs in the words of the input. */

/** Deliveries whose pickup makes no sense become invalid, and are dropped with the reason. */
export function withoutImpossiblePairs(visits: readonly InputVisit[]): InputVisit[] {
  if (!visits.some(({ pickupVisitId }) => pickupVisitId !== undefined)) return [...visits]
  const byId = new Map(visits.map((visit) => [visit.id, visit]))
  const uses = new Map<string, number>()
  for (const { id, pickupVisitId } of visits) {
    if (pickupVisitId === undefined) continue
    for (const end of [id, pickupVisitId]) uses.set(end, (uses.get(end) ?? 0) + 1)
  }
  return visits.map((visit) => {
    const { id, pickupVisitId } = visit
    const pickup = pickupVisitId === undefined ? undefined : byId.get(pickupVisitId)
    if (pickupVisitId === undefined || visit.invalid !== undefined) return visit
    const invalid = (problem: string): InputVisit => ({ ...visit, invalid: `pickupVisitId ${problem}` })
    if (!pickup) return invalid(`${pickupVisitId} is not the id of another visit of the plan`)
    if (pickupVisitId === id) return invalid("cannot be the visit itself")
    if ((uses.get(id) ?? 0) > 1 || (uses.get(pickupVisitId) ?? 0) > 1)
      return invalid(
        `${pickupVisitId} cannot be used: a visit is part of one pair of pickup and delivery only`,
      )
    if (visit.visitGroup !== undefined || pickup.visitGroup !== undefined)
      return invalid("cannot be combined with visitGroup")
    return visit
  })
}

export type Unplannable = "coordinate" | "invalid" | "pair" | "link"

/** Why a visit takes no part in the search: by itself, or because the other end of its pair does not. */
export function unplannableReason(
  { visits }: Pick<RunInput, "visits">,
  visit: InputVisit,
): Unplannable | undefined {
  const own = ownReason(visit)
  if (own) return own
  const other = visits.find(
    ({ id, pickupVisitId }) => id === visit.pickupVisitId || pickupVisitId === visit.id,
  )
  if (other && ownReason(other)) return "pair"
  return isCutOff(visits, visit) ? "link" : undefined
}

/** Whether a visit is linked, over any number of others, with one that takes no part. */
function isCutOff(visits: readonly InputVisit[], visit: InputVisit): boolean {
  if (
    visit.after === undefined &&
    !visits.some(({ after }) => after?.some(({ visitId }) => visitId === visit.id))
  )
    return false
  const seen = new Set([visit.id])
  for (const id of seen)
    for (const other of visits) {
      const ids = (other.after ?? []).map(({ visitId }) => visitId)
      if (other.id === id) for (const next of ids) seen.add(next)
      else if (ids.includes(id)) seen.add(other.id)
    }
  return visits.some((other) => seen.has(other.id) && ownReason(other) !== undefined)
}

function ownReason({ position, invalid }: InputVisit): Unplannable | undefined {
  if (invalid !== undefined) return "invalid"
  return position === undefined ? "coordinate" : undefined
}
