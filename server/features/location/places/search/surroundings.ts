import type { Pool, Tx } from "#core/database/database.ts"
import type { Candidate } from "./candidates.ts"

/** An area around something, as responses name it. */
export interface AreaRow {
  versionId: number
  id: number
  type: string
  category: string
  rank: number
  name: string
  names: Record<string, string> | null
  spellings: string[]
}

const maxCached = 20_000
/** By pool, since a process has one for requests and one for jobs. Rows of a version never change. */
const caches = new WeakMap<Pool, Map<string, AreaRow>>()
const cacheOfTransaction = new WeakMap<Tx, Map<string, AreaRow>>()

/** Lets a transaction use what earlier ones of its pool have read. */
export function shareAreas(sql: Pool, tx: Tx): void {
  const cache = caches.get(sql) ?? new Map<string, AreaRow>()
  caches.set(sql, cache)
  cacheOfTransaction.set(tx, cache)
}

export interface AreaKey {
  readonly versionId: number
  readonly id: number
}

const keyOf = ({ versionId, id }: AreaKey) => `${versionId} ${id}`

/** Areas by their ids, few of which differ. */
export async function findAreas(
  sql: Tx,
  keys: readonly AreaKey[],
): Promise<(key: AreaKey) => AreaRow | undefined> {
  const cache = cacheOfTransaction.get(sql) ?? new Map<string, AreaRow>()
  const missing = new Map(keys.filter((key) => !cache.has(keyOf(key))).map((key) => [keyOf(key), key]))
  if (missing.size > 0) {
    if (cache.size + missing.size > maxCached) cache.clear()
    const wanted = [...missing.values()]
    const rows = await sql<AreaRow[]>`
      select version_id, id, type, category, rank, name, names, spellings from place_entries
      where (version_id, id) in (
        select * from unnest(${wanted.map(({ versionId }) => versionId)}::int[], ${wanted.map(({ id }) => id)}::int[]))`
    for (const row of rows) cache.set(keyOf(row), row)
  }
  return (key) => cache.get(keyOf(key))
}

/** Whether the areas around a candidate, or what its houses add, have a word. */
export async function surroundingsOf(
  sql: Tx,
  candidates: readonly Candidate[],
): Promise<(candidate: Candidate) => (word: string) => boolean> {
  const idsOf = ({ parents, passes }: Candidate) => [...parents, ...(passes ?? [])]
  const keys = candidates.flatMap((candidate) =>
    idsOf(candidate).map((id) => ({ versionId: candidate.versionId, id })),
  )
  const areaOf = await findAreas(sql, keys)
  const wordsOfArea = new Map<string, ReadonlySet<string>>()
  const areaWords = (key: AreaKey) => {
    let words = wordsOfArea.get(keyOf(key))
    if (!words) {
      words = new Set(areaOf(key)?.spellings.flatMap((spelling) => spelling.split(" ")))
      wordsOfArea.set(keyOf(key), words)
    }
    return words
  }
  return (candidate) => {
    const extra = new Set(candidate.extra?.split(" "))
    const around = idsOf(candidate).map((id) => areaWords({ versionId: candidate.versionId, id }))
    return (word) => extra.has(word) || around.some((words) => words.has(word))
  }
}
