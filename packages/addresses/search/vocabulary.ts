import { isGeneric } from "../text/abbreviations.ts"
import { costOfErrors, errorsBetween, minCorrectedLength } from "../text/spelling.ts"
import type { Token } from "./parse-query.ts"

/** A word of the index and the number of entries that have it. */
export interface KnownWord {
  readonly word: string
  readonly entries: number
}

interface Meaning {
  readonly word: string
  /** 0 for the word itself, up to 1. */
  readonly cost: number
  readonly entries: number
}

/** What each token may mean. */
export interface WeighedToken extends Token {
  readonly meanings: ReadonlyMap<string, Meaning>
  /** How much it says: 0 to 1. */
  readonly weight: number
  /** A word such as `street` or `of`, which people leave out. */
  readonly isGeneric: boolean
}

const maxMeanings = 30

export function weigh(tokens: readonly Token[], known: readonly KnownWord[]): WeighedToken[] {
  return tokens.map((token) => {
    const meanings = known
      .map(({ word, entries }) => ({ word, entries, cost: costOf(token, word) }))
      .filter(({ cost }) => cost < 1)
      .toSorted((a, b) => a.cost - b.cost || b.entries - a.entries)
      .slice(0, maxMeanings)
    const isMeantGeneric = isGeneric(meanings[0]?.word ?? token.word)
    return {
      ...token,
      meanings: new Map(meanings.map((meaning) => [meaning.word, meaning])),
      weight: isMeantGeneric ? genericWeight : weightOf(token, meanings[0]),
      isGeneric: isMeantGeneric,
    }
  })
}

/**
 * The same tokens, if words with a typing error that look like "street" are names: "soraat" is as near to "Sorata" as to
 * "straat". Undefined if there are none.
 */
export function weighAsNames(tokens: readonly WeighedToken[]): WeighedToken[] | undefined {
  let isChanged = false
  const changed = tokens.map((token) => {
    const [first, ...others] = [...token.meanings.values()]
    const names = others.filter(({ word, cost }) => cost <= oneError && !isGeneric(word))
    if (!token.isGeneric || first?.cost === 0 || names.length === 0) return token
    isChanged = true
    const meanings = new Map(names.map((meaning) => [meaning.word, meaning]))
    return { ...token, meanings, weight: weightOf(token, names[0]), isGeneric: false }
  })
  return isChanged ? changed : undefined
}

/** The cost of one error in a word of usual length. */
const oneError = 0.3
const genericWeight = 0.12

/** Rare words say more. */
function weightOf({ word, isNumber }: Token, best: Meaning | undefined): number {
  if (isNumber) return 0.5
  if (!best) return 0.6
  if (word.length === 1) return 0.3
  return Math.max(0.3, 1 - Math.log10(1 + best.entries) / 6)
}

function costOf({ word: typed, isOpen, isNumber, intended }: Token, word: string): number {
  if (typed === word) return 0
  const asIntended = intended.get(word)
  if (asIntended !== undefined) return asIntended
  if (isOpen && word.startsWith(typed)) return 0.04 + 0.1 * (1 - typed.length / word.length)
  if (isNumber || typed.length < minCorrectedLength || word.length < minCorrectedLength - 1) return 1
  const limit = typed.length >= 8 ? 2 : 1
  const errors = errorsBetween(typed, word, limit)
  return errors > limit ? 1 : costOfErrors(typed, word, errors)
}
