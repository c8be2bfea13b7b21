import type { Sql } from "#core/database/database.ts"
import type { DataTypeRow } from "../../data-types/index.ts"

const maxTrigrams = 200

/**
 * The part of a searched text that the index finds fastest: its rarest word. The index intersects the records of
 * every three characters it is given, and characters that every record has cost much and exclude nothing. The
 * text itself when it has no word of three characters. `matches` estimates the records that have the rarest
 * three characters; 0 where nothing is known.
 */
export async function rarestPart(
  sql: Sql,
  { organizationId, id }: Pick<DataTypeRow, "organizationId" | "id">,
  text: string,
): Promise<{ part: string; matches: number }> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
  const trigrams = new Set(words.flatMap(trigramsOf))
  if (trigrams.size === 0) return { part: text, matches: 0 }
  const counted = await sql<{ trigram: string; count: number }[]>`
    select trigram, count from data_search_trigrams
    where organization_id = ${organizationId} and data_type_id = ${id} and trigram = any (${[...trigrams].slice(0, maxTrigrams)})`
  const counts = new Map(counted.map(({ trigram, count }) => [trigram, count]))
  const frequency = (word: string) => Math.min(...trigramsOf(word).map((trigram) => counts.get(trigram) ?? 0))
  const [rarest] = words.toSorted((one, other) => frequency(one) - frequency(other))
  if (rarest === undefined) return { part: text, matches: 0 }
  return { part: rarestWindow(rarest, counts), matches: frequency(rarest) * sampledShare }
}

/** Records that one counted record stands for. */
const sampledShare = 16
/** Two trigrams that lie side by side exclude nearly all that a longer part would. */
const windowLength = 6

function rarestWindow(word: string, counts: ReadonlyMap<string, number>): string {
  const characters = [...word]
  if (characters.length <= windowLength) return word
  const windows = Array.from({ length: characters.length - windowLength + 1 }, (_, start) =>
    characters.slice(start, start + windowLength).join(""),
  )
  const sum = (window: string) =>
    trigramsOf(window).reduce((sofar, trigram) => sofar + (counts.get(trigram) ?? 0), 0)
  return windows.reduce((best, window) => (sum(window) < sum(best) ? window : best))
}

function trigramsOf(word: string): string[] {
  const characters = [...word]
  return characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(""))
}
