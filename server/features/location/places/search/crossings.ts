import type { Tx } from "#core/database/database.ts"
import type { FoundPlace } from "./search-places.ts"

interface CrossingRow {
  versionId: number
  street: number
  other: number
  lon: number
  lat: number
}

/** Where one of some streets meets one of others. */
export async function findCrossings(
  tx: Tx,
  streets: readonly FoundPlace[],
  others: readonly FoundPlace[],
): Promise<FoundPlace[]> {
  if (streets.length === 0 || others.length === 0) return []
  const idsOf = (places: readonly FoundPlace[]) => places.map(({ entry }) => entry.id)
  const ids = [...new Set([...idsOf(streets), ...idsOf(others)])]
  const rows = await tx<CrossingRow[]>`
    select version_id, street, other, lon, lat from place_crossings
    where street = any (${ids}::int[]) and other = any (${ids}::int[]) limit 200`
  const find = (places: readonly FoundPlace[], versionId: number, id: number) =>
    places.find(({ entry }) => entry.versionId === versionId && entry.id === id)
  return rows.flatMap(({ versionId, street, other, lon, lat }) => {
    const forwards = [find(streets, versionId, street), find(others, versionId, other)] as const
    const backwards = [find(streets, versionId, other), find(others, versionId, street)] as const
    const [one, two] = forwards[0] && forwards[1] ? forwards : backwards
    if (!one || !two) return []
    return [
      {
        entry: one.entry,
        crossing: { other: two.entry, lon, lat },
        score: (one.score + two.score) / 2 + 0.2,
        confidence: Math.min(one.confidence, two.confidence),
      },
    ]
  })
}
