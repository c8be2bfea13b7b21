import type { Tx } from "#core/database/database.ts"
import { deletionsOf, hashOf, type KnownWord, type Token } from "#packages/addresses/index.ts"

const maxWords = 1_500
const maxCompletions = 40
const lastCharacter = "\u{10FFFF}"

/** Words of the index that equal the tokens, differ by a typing error, or complete the last one. */
export async function findWords(tx: Tx, tokens: readonly Token[]): Promise<KnownWord[]> {
  const joined = tokens.flatMap(({ word }, index) =>
    tokens[index + 1] ? [word + tokens[index + 1]?.word] : [],
  )
  const corrected = tokens.flatMap(({ word, isNumber }) => (isNumber ? [word] : deletionsOf(word)))
  const intended = tokens.flatMap((token) => [...token.intended.keys()])
  const hashes = [...new Set([...corrected, ...joined, ...intended].map(hashOf))]
  const open = tokens.find(({ isOpen }) => isOpen)?.word
  const completions = open
    ? tx`union all (
        select word, entries from place_words where word >= ${open} and word < ${open + lastCharacter}
        order by entries desc limit ${maxCompletions})`
    : tx``
  const rows = await tx<KnownWord[]>`
    (select word, entries from place_words where deletions && ${hashes}::int[] limit ${maxWords}) ${completions}`
  const counts = new Map<string, number>()
  for (const { word, entries } of rows) counts.set(word, Math.max(entries, counts.get(word) ?? 0))
  return [...counts].map(([word, entries]) => ({ word, entries }))
}

/** Which of some words exist. */
export async function findKnown(tx: Tx, words: readonly string[]): Promise<KnownWord[]> {
  return tx<KnownWord[]>`select word, entries from place_words where word = any (${[...new Set(words)]})`
}
