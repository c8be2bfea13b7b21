/** A planned stop, and when the vehicle was at its place. Milliseconds since 1970. */
export interface SeenStop {
  /** Equal for stops of one place. */
  place: string | null
  planned: number | null
  visits: readonly { arrivedAt: number; leftAt: number | null }[]
}

/**
 * Which of the stays at its place belongs to each stop. A place may be planned more than once, as the hub is:
 * every stay counts for one of its stops, the pairs that fit best in time first. Where two stops of one place
 * follow each other, such as two deliveries in one building, one stay serves both.
 */
export function matchStops(stops: readonly SeenStop[]): (SeenStop["visits"][number] | undefined)[] {
  const matched: (SeenStop["visits"][number] | undefined)[] = stops.map(() => undefined)
  for (const [place, group] of Map.groupBy(stops.keys(), (index) => stops[index]?.place ?? null)) {
    if (place === null) continue
    const pairs = group.flatMap((index) =>
      (stops[index]?.visits ?? []).map((visit) => ({
        index,
        visit,
        gap: gapOf(stops[index]?.planned ?? null, visit),
      })),
    )
    const used = new Set<number>()
    for (const { index, visit } of pairs.toSorted((a, b) => a.gap - b.gap)) {
      if (matched[index] || used.has(visit.arrivedAt)) continue
      matched[index] = visit
      used.add(visit.arrivedAt)
    }
  }
  for (const [index, stop] of stops.entries()) {
    if (stop.place !== null && !matched[index] && stops[index - 1]?.place === stop.place)
      matched[index] = matched[index - 1]
  }
  return matched
}

function gapOf(planned: number | null, { arrivedAt, leftAt }: SeenStop["visits"][number]): number {
  if (planned === null) return arrivedAt
  if (planned >= arrivedAt && planned <= (leftAt ?? planned)) return 0
  return Math.min(Math.abs(planned - arrivedAt), Math.abs(planned - (leftAt ?? arrivedAt)))
}
