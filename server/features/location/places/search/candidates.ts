import type { Fragment, Tx } from "#core/database/database.ts"
import { hashInName, hashOf, type WeighedToken } from "#packages/addresses/index.ts"
import { projectedY } from "../project.ts"
import { layerCondition, rankCondition } from "./layers.ts"
import type { SearchOptions } from "./options.ts"

export interface Candidate {
  versionId: number
  id: number
  kind: "street" | "place" | "interest" | "postcode"
  spellings: string[]
  parents: number[]
  passes: number[] | null
  extra: string | null
  country: string
  importance: number
  rank: number
  lon: number
  lat: number
  houseNumber: string | null
}

/** Tokens that an entry must have, in its name or around it. */
export type Choice = readonly (WeighedToken & { readonly isInName?: boolean })[]

export const maxPerQuery = 150
const maxGroups = 6

/** Entries that have a meaning of each of some tokens, important ones and near ones first. */
export async function findCandidates(
  tx: Tx,
  choices: readonly Choice[],
  options: SearchOptions,
  kinds?: readonly Candidate["kind"][],
): Promise<Candidate[]> {
  const inArea = areaCondition(tx, options)
  const ofKind = kinds ? tx`and kind = any (${kinds})` : tx``
  // The sums keep the planner from walking a whole index of importances or positions, whose filter costs more than it thinks.
  const orders = [tx`(importance + 0) desc`]
  if (options.near) {
    const [lon, lat] = options.near
    const [x, y] = [Math.round(lon * 1e7), projectedY(Math.round(lat * 1e7))]
    orders.push(tx`(point(lon, y) <-> point(${x}, ${y})) + 0`)
  }
  const parts: Fragment[] = []
  for (const tokens of choices) {
    const hasWords = tokens.slice(0, maxGroups).map(({ meanings, isInName }) => {
      const hashes = [...meanings.keys()].map(isInName ? hashInName : hashOf)
      return tx`words && ${hashes}::int[]`
    })
    const [first, ...others] = hasWords
    if (!first) continue
    const condition = others.reduce((all, one) => tx`${all} and ${one}`, first)
    for (const order of orders)
      parts.push(tx`(
        select version_id, id, kind, spellings, parents, passes, extra, country, importance, rank, lon, lat, house_number
        from place_entries where ${condition} ${ofKind} ${inArea} order by ${order} limit ${maxPerQuery})`)
  }
  const [first, ...others] = parts
  if (!first) return []
  const rows = await tx<Candidate[]>`${others.reduce((all, one) => tx`${all} union all ${one}`, first)}`
  const found = new Map(rows.map((row) => [`${row.versionId} ${row.id}`, row]))
  return [...found.values()]
}

function areaCondition(tx: Tx, options: SearchOptions): Fragment {
  const { within, countries, layers, featureType } = options
  const units = (degrees: number) => Math.round(degrees * 1e7)
  const box = within
    ? tx`and lon between ${units(within.west)} and ${units(within.east)}
         and lat between ${units(within.south)} and ${units(within.north)}`
    : tx``
  const inCountry = countries?.length ? tx`and country = any (${countries})` : tx``
  return tx`${box} ${inCountry} ${layerCondition(tx, layers)} ${rankCondition(tx, featureType)}`
}
