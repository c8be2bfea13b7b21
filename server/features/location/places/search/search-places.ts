import type { Pool, Tx } from "#core/database/database.ts"
import {
  crossingParts,
  divisionsOf,
  type KnownWord,
  otherDivisions,
  scoreOf,
  type Token,
  tokenOf,
  tokensOf,
  type WeighedToken,
  weigh,
  weighAsNames,
  withoutUnit,
} from "#packages/addresses/index.ts"
import { distanceMeters, type LngLat } from "#packages/geodesy/geodesy.ts"
import { readLock } from "../versions.ts"
import { type Candidate, type Choice, findCandidates, maxPerQuery } from "./candidates.ts"
import { findCrossings } from "./crossings.ts"
import { findKnown, findWords } from "./find-words.ts"
import { bestHouse, differenceOf, estimateHouse, type HouseRow } from "./houses.ts"
import type { SearchOptions } from "./options.ts"
import { houseNumberOf, housesOf, lacksHouse, type Scored, scoredAtHouses } from "./score-houses.ts"
import { shareAreas, surroundingsOf } from "./surroundings.ts"

export interface FoundPlace {
  readonly entry: Candidate
  readonly house?: HouseRow
  /** The other street of a crossing, and where it is. */
  readonly crossing?: { readonly other: Candidate; readonly lon: number; readonly lat: number }
  /** For the order of results. */
  readonly score: number
  /** How sure it is that this is what was meant: 0 to 1. */
  readonly confidence: number
}

const timeoutMilliseconds = 3_000
/** Below, other readings of the query are tried as well. */
const goodMatch = 0.8

/** Runs a search's statements in one transaction: with a time limit, and on the same versions of all maps. */
export function readPlaces<T>(sql: Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  return sql.begin("read only", async (tx) => {
    await tx.unsafe(`set local statement_timeout = ${timeoutMilliseconds}; ${readLock}`)
    shareAreas(sql, tx)
    return work(tx)
  })
}

/** Places for a text as people type it, the best first. */
export async function searchPlaces(tx: Tx, whole: string, options: SearchOptions): Promise<FoundPlace[]> {
  const text = withoutUnit(whole)
  const tokens = tokensOf(text, options.isComplete)
  if (tokens.length === 0) return []
  const known = await findWords(tx, tokens)
  const weighed = weigh(tokens, known)
  const found = await searchTokens(tx, weighed, options)
  const asNames = bestOf(found) < goodMatch ? weighAsNames(weighed) : undefined
  if (asNames) found.push(...(await searchTokens(tx, asNames, options)))
  if (bestOf(found) < goodMatch) {
    for (const [one, other] of crossingParts(text))
      found.push(...(await searchCrossing(tx, [one, other], options)))
    if (bestOf(found) < goodMatch) found.push(...(await searchOtherDivisions(tx, tokens, known, options)))
  }
  return inOrder(found).slice(0, options.limit)
}

const bestOf = (found: readonly FoundPlace[]) =>
  found.reduce((best, { confidence }) => Math.max(best, confidence), 0)

/** With a blank more or less than there should be. */
async function searchOtherDivisions(
  tx: Tx,
  tokens: readonly Token[],
  known: readonly KnownWord[],
  options: SearchOptions,
): Promise<FoundPlace[]> {
  const isExact = new Set(known.map(({ word }) => word))
  const parts = tokens
    .filter(({ word, isNumber }) => !isNumber && !isExact.has(word))
    .flatMap(({ word }) =>
      divisionsOf(word)
        .flat()
        .map((part) => tokenOf(part).word),
    )
  const more = parts.length > 0 ? await findKnown(tx, parts) : []
  const all = [...known, ...more]
  const words = new Set(all.map(({ word }) => word))
  const found: FoundPlace[] = []
  for (const division of otherDivisions(tokens, (word) => words.has(word)).slice(0, 3))
    found.push(
      ...(await searchTokens(tx, weigh(division, all), options)).map((place) => ({
        ...place,
        score: place.score - 0.1,
        confidence: place.confidence * 0.92,
      })),
    )
  return found
}

async function searchTokens(
  tx: Tx,
  tokens: readonly WeighedToken[],
  options: SearchOptions,
  kinds?: readonly Candidate["kind"][],
): Promise<FoundPlace[]> {
  let scored = await scoredCandidates(tx, tokens, choicesOf(tokens), options, kinds)
  let houses = await housesOf(tx, scored)
  // Somebody who types on needs no second search; of a whole address, one of the words may be wrong.
  const isGood = scored.some(({ matchWithoutNumber }) => matchWithoutNumber >= 0.7)
  if (!isGood || (options.isComplete && lacksHouse(scored, houses))) {
    scored = [...scored, ...(await scoredCandidates(tx, tokens, widerChoicesOf(tokens), options, kinds))]
    houses = await housesOf(tx, scored)
  }
  scored = await scoredAtHouses(tx, tokens, scored, houses)
  const found = scored.map((one) => placeOf(one, houses, options))
  return addEstimates(tx, found, scored)
}

/** Which words an entry must have: all that say something, and the numbers of names such as "18 de Julio". */
function choicesOf(tokens: readonly WeighedToken[]): Choice[] {
  const usable = tokens.filter(({ meanings }) => meanings.size > 0)
  const telling = usable.filter(isTelling)
  const numbers = usable.filter(({ isNumber }) => isNumber)
  if (telling.length === 0) {
    const choices = numbers.map((number) => [...usable.filter(({ isNumber }) => !isNumber), number])
    return usable.length === 0
      ? []
      : [usable, ...choices.slice(0, 2), ...numbers.map((number) => [number]).slice(0, 2)]
  }
  const rare = byRarity(telling)
  // What many have around them, such as the city or a suburb, may also be the name of a street.
  const common = rare.filter(isCommon)
  const inName = rare
    .filter((token) => entriesOf(token) > maxPerQuery)
    .slice(0, 2)
    .map((token) => [{ ...token, isInName: true }, ...rare.filter((other) => other !== token)])
  // Short names such as "Yi" look like what follows a house number.
  const short = usable.filter(({ isSuffix, isGeneric }) => isSuffix && !isGeneric).slice(0, 1)
  return [
    ...(common.length === rare.length ? [] : [rare]),
    ...numbers.slice(0, 2).map((number) => [number, ...rare]),
    ...short.map((token) => [{ ...token, isInName: true }, ...rare]),
    ...inName,
  ]
}

const isTelling = (token: WeighedToken) => !token.isGeneric && !token.isNumber && !token.isSuffix
const byRarity = (tokens: readonly WeighedToken[]) => tokens.toSorted((a, b) => entriesOf(a) - entriesOf(b))
const entriesOf = ({ meanings }: WeighedToken) => {
  let sum = 0
  for (const { entries } of meanings.values()) sum += entries
  return sum
}

/** A word that so many have around them finds nothing: only as part of a name. */
const maxEntriesAround = 3_000
const isCommon = (token: WeighedToken) => entriesOf(token) > maxEntriesAround

/** Without each word in turn, then each alone: one of them may be wrong. */
function widerChoicesOf(tokens: readonly WeighedToken[]): Choice[] {
  const telling = byRarity(tokens.filter((token) => token.meanings.size > 0 && isTelling(token)))
  if (telling.length < 2) return []
  const rarest = telling.slice(0, 5)
  const without = rarest.length > 2 ? rarest.map((token) => rarest.filter((other) => other !== token)) : []
  const alone = rarest.slice(0, 3).map((token) => [{ ...token, isInName: true }])
  return [...without.filter(([first]) => first && !isCommon(first)), ...alone]
}

async function scoredCandidates(
  tx: Tx,
  tokens: readonly WeighedToken[],
  choices: readonly Choice[],
  options: SearchOptions,
  kinds?: readonly Candidate["kind"][],
): Promise<Scored[]> {
  const candidates = await findCandidates(tx, choices, options, kinds)
  const hasAround = await surroundingsOf(tx, candidates)
  return candidates.map((candidate) => {
    const around = hasAround(candidate)
    const score = scoreOf(tokens, candidate, around)
    const number = houseNumberOf(tokens, score.missing)
    if (number.length === 0) return { candidate, score, number: undefined, matchWithoutNumber: score.match }
    const others = tokens.filter((_, index) => !number.includes(index))
    const { match } = scoreOf(others, candidate, around)
    return {
      candidate,
      score,
      number: number.flatMap((index) => tokens[index]?.word ?? []),
      matchWithoutNumber: match,
    }
  })
}

function placeOf(scored: Scored, houses: readonly HouseRow[], options: SearchOptions): FoundPlace {
  const { candidate, score, number, matchWithoutNumber } = scored
  const extra = 0.15 * candidate.importance + nearness(options.near, candidate)
  if (number === undefined)
    return { entry: candidate, score: score.match + extra, confidence: clamp(score.match) }
  if (candidate.houseNumber === number.join(" ") && candidate.kind === "interest")
    return {
      entry: candidate,
      score: matchWithoutNumber + extra + 0.1,
      confidence: clamp(matchWithoutNumber),
    }
  const house = bestHouse(houses, candidate, number)
  if (!house) {
    // Of a street, only its number is missing; to everything else the number does not belong.
    const match = candidate.kind === "street" ? matchWithoutNumber * 0.75 : score.match
    return { entry: candidate, score: match + extra, confidence: clamp(match * 0.75) }
  }
  const difference = differenceOf(house, number)
  return {
    entry: candidate,
    house,
    score: matchWithoutNumber + extra + 0.2 - 0.04 * difference,
    confidence: clamp(matchWithoutNumber - 0.03 * difference - (house.isInterpolated ? 0.1 : 0)),
  }
}

const clamp = (share: number) => Math.max(0, Math.min(1, share))

/** Up to 0.12 for what is here, half of it at 10 km. */
function nearness(near: LngLat | undefined, { lon, lat }: Candidate): number {
  if (!near) return 0
  return 0.12 / (1 + distanceMeters(near, [lon / 1e7, lat / 1e7]) / 10_000)
}

const maxEstimates = 3

/** The best streets without the number get an estimate between its neighbours. */
async function addEstimates(
  tx: Tx,
  found: readonly FoundPlace[],
  scored: readonly Scored[],
): Promise<FoundPlace[]> {
  if (found.some(({ house, confidence }) => house && confidence >= 0.85)) return [...found]
  const numbers = new Map(scored.map(({ candidate, number }) => [candidate, number]))
  const open = inOrder(
    found.filter(({ entry, house }) => entry.kind === "street" && !house && numbers.get(entry)),
  )
  const estimates = new Map<FoundPlace, FoundPlace>()
  const estimated = await Promise.all(
    open.slice(0, maxEstimates).map(async (place) => ({
      place,
      house: await estimateHouse(tx, place.entry, numbers.get(place.entry) ?? []),
    })),
  )
  for (const { place, house } of estimated) {
    if (house)
      estimates.set(place, {
        ...place,
        house,
        score: place.score + 0.1,
        confidence: clamp(place.confidence * 1.15),
      })
  }
  return found.map((place) => estimates.get(place) ?? place)
}

/** Each street, or each number of it, once. */
function inOrder(found: readonly FoundPlace[]): FoundPlace[] {
  const seen = new Set<string>()
  return found
    .toSorted((a, b) => b.score - a.score || a.entry.id - b.entry.id)
    .filter(({ entry, house, crossing }) => {
      const key = `${entry.versionId} ${entry.id} ${house?.number ?? ""} ${crossing?.other.id ?? ""}`
      return !seen.has(key) && Boolean(seen.add(key))
    })
}

const maxStreetsOfCrossing = 25

async function searchCrossing(
  tx: Tx,
  parts: readonly [string, string],
  options: SearchOptions,
): Promise<FoundPlace[]> {
  const sides: FoundPlace[][] = []
  for (const part of parts) {
    const tokens = tokensOf(part, options.isComplete || part === parts[0])
    const weighed = weigh(tokens, await findWords(tx, tokens))
    const found = await searchTokens(tx, weighed, { ...options, limit: maxStreetsOfCrossing }, ["street"])
    sides.push(
      inOrder(found)
        .filter(({ confidence }) => confidence > 0.4)
        .slice(0, maxStreetsOfCrossing),
    )
  }
  const [one = [], other = []] = sides
  return findCrossings(tx, one, other)
}
