import type { Tx } from "#core/database/database.ts"
import { houseNumberAt, type Score, scoreOf, type WeighedToken } from "#packages/addresses/index.ts"
import type { Candidate } from "./candidates.ts"
import { bestHouse, findHouses, type HouseRow, type TypedNumber } from "./houses.ts"
import { surroundingsOf } from "./surroundings.ts"

export interface Scored {
  readonly candidate: Candidate
  readonly score: Score
  /** The tokens that may be the number of a house, if the name does not have them. */
  readonly number: TypedNumber | undefined
  /** Whether the name matches without it. */
  readonly matchWithoutNumber: number
}

const maxStreetsWithNumbers = 60

export function housesOf(tx: Tx, scored: readonly Scored[]): Promise<HouseRow[]> {
  const best = scored.toSorted((a, b) => b.matchWithoutNumber - a.matchWithoutNumber)
  const streets = best
    .filter(({ candidate, number }) => candidate.kind === "street" && number !== undefined)
    .slice(0, maxStreetsWithNumbers)
  return findHouses(
    tx,
    streets.map(({ candidate }) => candidate),
    streets.flatMap(({ number }) => (number ? [number] : [])),
  )
}

/** There is a number, and nothing that matches well has it. */
export function lacksHouse(scored: readonly Scored[], houses: readonly HouseRow[]): boolean {
  return !scored.some(({ candidate, number, matchWithoutNumber }) => {
    if (matchWithoutNumber < 0.7) return false
    return number === undefined || bestHouse(houses, candidate, number) !== undefined
  })
}

/** A long street has houses in areas that are not around its middle. */
export async function scoredAtHouses(
  tx: Tx,
  tokens: readonly WeighedToken[],
  scored: readonly Scored[],
  houses: readonly HouseRow[],
): Promise<Scored[]> {
  const areasAtHouse = ({ candidate, number }: Scored): Candidate | undefined => {
    const { parents } = (number && bestHouse(houses, candidate, number)) ?? {}
    return parents ? { ...candidate, passes: [...(candidate.passes ?? []), ...parents] } : undefined
  }
  const atHouses = scored.map(areasAtHouse)
  const hasAround = await surroundingsOf(
    tx,
    atHouses.flatMap((candidate) => candidate ?? []),
  )
  return scored.map((one, index) => {
    const candidate = atHouses[index]
    if (!candidate) return one
    const number = houseNumberOf(tokens, one.score.missing)
    const others = tokens.filter((_, token) => !number.includes(token))
    const { match } = scoreOf(others, candidate, hasAround(candidate))
    return { ...one, matchWithoutNumber: Math.max(match, one.matchWithoutNumber) }
  })
}

/** The last number that a name lacks, with what follows it: "18 de Julio 1234 bis", "1234 Main St". */
export function houseNumberOf(tokens: readonly WeighedToken[], missing: readonly number[]): number[] {
  const last = missing.filter((index) => tokens[index]?.isNumber).at(-1)
  if (last === undefined) return []
  let first = last
  // Back to the beginning of a list of numbers.
  while (tokens[first - 1]?.isNumber || (tokens[first - 1]?.isSuffix && tokens[first - 2]?.isNumber)) {
    if (!missing.includes(first - 1) && !tokens[first - 1]?.isSuffix) break
    first -= 1
  }
  return houseNumberAt(tokens, first)
}
