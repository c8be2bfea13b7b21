import { isGeneric } from "../text/abbreviations.ts"
import type { WeighedToken } from "./vocabulary.ts"

export interface Named {
  /** Words with blanks between them. */
  readonly spellings: readonly string[]
}

export interface Score {
  /** Share of what was asked that the name and its surroundings have: at most 1. */
  readonly match: number
  /** Positions of the tokens that the name itself has. */
  readonly inName: readonly number[]
  readonly missing: readonly number[]
}

/** What is found around a place counts less than in its name. */
const aroundShare = 0.7
const missingPenalty = 0.75
const unaskedWeight = 0.4

/** How well a name matches tokens; `hasAround` says whether the areas around it have a word. */
export function scoreOf(
  tokens: readonly WeighedToken[],
  { spellings }: Named,
  hasAround: (word: string) => boolean,
): Score {
  const total = tokens.reduce((sum, { weight }) => sum + weight, 0) || 1
  let best: Score | undefined
  for (const spelling of spellings) {
    const score = scoreSpelling(tokens, spelling.split(" "), hasAround, total)
    if (!best || score.match > best.match) best = score
  }
  return best ?? { match: 0, inName: [], missing: [] }
}

function scoreSpelling(
  tokens: readonly WeighedToken[],
  words: readonly string[],
  hasAround: (word: string) => boolean,
  total: number,
): Score {
  const used = new Set<number>()
  const inName: number[] = []
  const missing: number[] = []
  let sum = 0
  // The best pairs first, so that a word with an error does not take the place of the right one.
  for (const { token, place, cost } of pairsOf(tokens, words)) {
    if (used.has(place) || inName.includes(token)) continue
    used.add(place)
    inName.push(token)
    sum += (tokens[token]?.weight ?? 0) * (1 - cost)
  }
  for (const [index, token] of tokens.entries()) {
    if (inName.includes(index)) continue
    const around = [...token.meanings.values()].find(({ word }) => hasAround(word))
    if (around) sum += token.weight * aroundShare * (1 - around.cost)
    else {
      missing.push(index)
      sum -= token.weight * (token.isGeneric ? 0.3 : missingPenalty)
    }
  }
  let unasked = 0
  for (const [place, word] of words.entries())
    if (!used.has(place)) unasked += isGeneric(word) ? 0.04 : unaskedWeight
  // A few words of a long name are how people write it.
  const share = unasked / (unasked + sum + 1.2)
  return { match: sum / total - 0.35 * Math.max(0, share), inName, missing }
}

function pairsOf(tokens: readonly WeighedToken[], words: readonly string[]) {
  const pairs: { token: number; place: number; cost: number }[] = []
  for (const [token, { meanings }] of tokens.entries())
    for (const [place, word] of words.entries()) {
      const meaning = meanings.get(word)
      if (meaning) pairs.push({ token, place, cost: meaning.cost })
    }
  return pairs.toSorted((a, b) => a.cost - b.cost)
}
