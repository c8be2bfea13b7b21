import type { Tx } from "#core/database/database.ts"
import { type AreaKey, type AreaRow, findAreas } from "./search/surroundings.ts"

/** Everything of an entry that responses show. */
export interface EntryRow {
  versionId: number
  id: number
  kind: "street" | "place" | "interest" | "postcode"
  osmType: string | null
  osmId: number | null
  category: string
  type: string
  rank: number
  importance: number
  name: string
  names: Record<string, string> | null
  extratags: Record<string, string> | null
  parents: number[]
  country: string
  postcode: string | null
  city: string | null
  houseNumber: string | null
  streetName: string | null
  lon: number
  lat: number
  bounds: number[]
}

export interface Details {
  entryOf(key: AreaKey): EntryRow | undefined
  areaOf(key: AreaKey): AreaRow | undefined
}

/** The entries of results with the areas around them; houses may lie in other areas than the middle of their street. */
export async function findDetails(
  sql: Tx,
  keys: readonly AreaKey[],
  parentsOfHouses: readonly { versionId: number; parents: readonly number[] | null }[],
): Promise<Details> {
  const entries = await sql<EntryRow[]>`
    select version_id, id, kind, osm_type, osm_id, category, type, rank, importance, name, names, extratags, parents, country,
      postcode, city, house_number, street_name, lon, lat, bounds
    from place_entries where (version_id, id) in (
      select * from unnest(${keys.map(({ versionId }) => versionId)}::int[], ${keys.map(({ id }) => id)}::int[]))`
  const byKey = new Map(entries.map((entry) => [`${entry.versionId} ${entry.id}`, entry]))
  const areas = [...entries, ...parentsOfHouses].flatMap(({ versionId, parents }) =>
    (parents ?? []).map((id) => ({ versionId, id })),
  )
  return {
    entryOf: ({ versionId, id }) => byKey.get(`${versionId} ${id}`),
    areaOf: await findAreas(sql, areas),
  }
}
