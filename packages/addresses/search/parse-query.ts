import { intendedForms, isGeneric, shortForm } from "../text/abbreviations.ts"
import { fold } from "../text/fold.ts"
import { plainWordsOf } from "../text/words.ts"

export interface Token {
  readonly word: string
  /** May be the number of a house. */
  readonly isNumber: boolean
  /** Abbreviations whose long form has a typing error, or is still being typed, with the cost of that: 0 to 1. */
  readonly intended: ReadonlyMap<string, number>
  /** Follows the number of a house: `1234 B`, `1234 bis`. */
  readonly isSuffix: boolean
  /** The last word of a query that may still be typed. */
  readonly isOpen: boolean
}

/** Longer queries are cut: no address has more, and the cost of a search is bounded. */
const maxTokens = 16

const suffix = /^(?:[a-z]{1,2}|bis|ter)$/
const houseNumber = /^\d{1,6}(?:[a-z]|bis)?$/
/** After a number in languages that write it so. */
const numberSuffixes = new Set(["号", "號", "番", "番地"])

export function tokensOf(text: string, isComplete = false): Token[] {
  const words = plainWordsOf(text).filter((word, index, all) => {
    const isSuffix = numberSuffixes.has(word) && /^\d+$/.test(all[index - 1] ?? "")
    return !isSuffix
  })
  const last = words.length - 1
  // A blank or comma at the end ends the last word.
  const isOpen = !isComplete && /[\p{L}\p{M}\p{N}]$/u.test(fold(text))
  const tokens = words.slice(0, maxTokens).map((plain, index) => tokenOf(plain, isOpen && index === last))
  let isAfterNumber = false
  return tokens.map((token) => {
    const isSuffix = token.isSuffix && isAfterNumber
    isAfterNumber = token.isNumber || isSuffix
    return { ...token, isSuffix }
  })
}

export function tokenOf(plain: string, isOpen = false): Token {
  return {
    word: shortForm(plain),
    isNumber: houseNumber.test(plain),
    isSuffix: suffix.test(plain),
    intended: intendedForms(plain, isOpen),
    isOpen,
  }
}

const separators = / y | e | and | und | et | con | esq | esquina | corner | & | @ |[&@/+]/giu

/** The two streets of a crossing, for each place where the query may be divided. */
export function crossingParts(text: string): (readonly [string, string])[] {
  const parts: (readonly [string, string])[] = []
  for (const match of text.matchAll(separators)) {
    const [one, other] = [text.slice(0, match.index), text.slice(match.index + match[0].length)]
    if (/[\p{L}\p{N}]/u.test(one) && /[\p{L}\p{N}]/u.test(other)) parts.push([one, other])
  }
  return parts.slice(0, 3)
}

/** Other divisions into words, for a blank too many or too few; `isKnown` says whether a word exists. */
export function otherDivisions(tokens: readonly Token[], isKnown: (word: string) => boolean): Token[][] {
  const found: Token[][] = []
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1]
    if (next && isKnown(token.word + next.word))
      found.push(tokens.toSpliced(index, 2, tokenOf(token.word + next.word, next.isOpen)))
    if (token.isNumber || isKnown(token.word)) continue
    for (const [one, other] of divisionsOf(token.word))
      if (isKnown(shortForm(one)) && (isKnown(shortForm(other)) || houseNumber.test(other)))
        found.push(tokens.toSpliced(index, 1, tokenOf(one), tokenOf(other, token.isOpen)))
  }
  return found.slice(0, 6)
}

/**
 * Positions of the tokens that are the number of a house, if the token at `first` begins it: several numbers, and what
 * follows them, as `1234,1236 bis`.
 */
export function houseNumberAt(tokens: readonly Token[], first: number): number[] {
  const places: number[] = []
  for (let at = first; tokens[at]?.isNumber || (at > first && tokens[at]?.isSuffix); at += 1) places.push(at)
  // Words such as `de` only follow a number in a name.
  while (
    places.length > 1 &&
    !tokens[places.at(-1) ?? 0]?.isNumber &&
    isGeneric(tokens[places.at(-1) ?? 0]?.word ?? "")
  )
    places.pop()
  return places
}

const minDividedLength = 4

/** A word in two. Short words fall into letters that are words somewhere. */
export function divisionsOf(word: string): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = []
  if (word.length < minDividedLength) return found
  for (let at = 1; at < word.length; at += 1) found.push([word.slice(0, at), word.slice(at)])
  return found
}
