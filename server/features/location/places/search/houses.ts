import type { Sql } from "#core/database/database.ts"
import { wordsOf } from "#packages/addresses/index.ts"

export interface HouseRow {
  versionId: number
  street: number
  value: number
  number: string
  osmType: string
  osmId: number
  building: string | null
  isInterpolated: boolean
  isInterest: boolean
  postcode: string | null
  parents: number[] | null
  lon: number
  lat: number
}

export interface StreetKey {
  readonly versionId: number
  readonly id: number
}

/** A number as typed: `1234`, or several words. */
export type TypedNumber = readonly string[]

const textOf = (number: string) => wordsOf(number).join(" ")

/** 0 for the same text, 1 for the same first number, 2 for another of several. */
export function differenceOf({ number, value }: HouseRow, typed: TypedNumber): number {
  if (textOf(number) === typed.join(" ")) return 0
  const [first = ""] = typed
  return wordsOf(number)[0] === first ? 1 : Number.parseInt(first, 10) === value ? 2 : 3
}

const maxHouses = 400

/** The houses of streets that have one of some numbers. */
export async function findHouses(
  sql: Sql,
  streets: readonly StreetKey[],
  numbers: readonly TypedNumber[],
): Promise<HouseRow[]> {
  if (streets.length === 0 || numbers.length === 0) return []
  const values = [...new Set(numbers.flatMap(valuesOf))]
  return sql<HouseRow[]>`
    select version_id, street, value, number, osm_type, osm_id, building, is_interpolated, is_interest, postcode, parents,
      lon, lat
    from place_houses
    where version_id = any (${streets.map(({ versionId }) => versionId)}::int[])
      and street = any (${streets.map(({ id }) => id)}::int[]) and value = any (${values}::int[])
    limit ${maxHouses}`
}

const valuesOf = (typed: TypedNumber) =>
  typed.map((word) => Number.parseInt(word, 10)).filter((value) => value >= 0)

/** The best house of a street: the same number before similar ones, buildings before the shops in them. */
export function bestHouse(
  houses: readonly HouseRow[],
  { versionId, id }: StreetKey,
  typed: TypedNumber,
): HouseRow | undefined {
  const values = valuesOf(typed)
  const order = (row: HouseRow) =>
    differenceOf(row, typed) * 4 + (row.isInterpolated ? 2 : 0) + (row.isInterest ? 1 : 0)
  return houses
    .filter((row) => row.versionId === versionId && row.street === id && values.includes(row.value))
    .toSorted((a, b) => order(a) - order(b))[0]
}

/** Numbers further away say little about where a missing one would be. */
const maxDistance = 120

/** Where a number would be on a street that lacks it: between its neighbours. */
export async function estimateHouse(
  sql: Sql,
  street: StreetKey,
  typed: TypedNumber,
): Promise<HouseRow | undefined> {
  const [number = ""] = typed
  const value = Number.parseInt(number, 10)
  const columns = sql`version_id, street, value, number, osm_type, osm_id, building, is_interpolated, is_interest,
    postcode, parents, lon, lat`
  const onStreet = sql`version_id = ${street.versionId} and street = ${street.id}`
  const rows = await sql<HouseRow[]>`
    (select ${columns} from place_houses where ${onStreet} and value between ${value - maxDistance} and ${value}
      order by value desc limit 1)
    union all
    (select ${columns} from place_houses where ${onStreet} and value between ${value} and ${value + maxDistance}
      order by value limit 1)`
  const [lower, upper] = rows
  if (!lower || !upper || lower.value >= value || upper.value <= value) return undefined
  const share = (value - lower.value) / (upper.value - lower.value)
  return {
    ...lower,
    ...{ value, number, building: null, isInterpolated: true, isInterest: false },
    lon: Math.round(lower.lon + (upper.lon - lower.lon) * share),
    lat: Math.round(lower.lat + (upper.lat - lower.lat) * share),
  }
}
