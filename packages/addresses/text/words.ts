import { shortForm } from "./abbreviations.ts"
import { fold } from "./fold.ts"

/** Scripts without blanks between words: each character counts as a word. */
const pieces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]|[\p{L}\p{M}\p{N}]+/gu
const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u
const spacelessRun =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu
const apostrophes = /['’‘`´ʼ]/g

const maxWordLength = 40
const maxWords = 24

/** The words of a folded text before abbreviations are unified; at most 24 words of 40 characters. */
export function plainWordsOf(text: string): string[] {
  const words: string[] = []
  for (const [piece] of fold(text.slice(0, 1_000)).replace(apostrophes, "").matchAll(pieces)) {
    const parts = spaceless.test(piece) ? (piece.match(spacelessRun) ?? []) : [piece]
    for (const part of parts) {
      if (words.length === maxWords) return words
      words.push(part.slice(0, maxWordLength))
    }
  }
  return words
}

/** The words of a name as they are stored and compared: folded, abbreviations in their short form. */
export const wordsOf = (text: string): string[] => plainWordsOf(text).map(shortForm)

/** The words of a name by spelling: umlauts are also written ae, oe, ue. */
export function spellingsOf(name: string): string[][] {
  const words = wordsOf(name)
  if (!/[äöü]/i.test(name)) return [words]
  const spelled = name.replace(/ä/gi, "ae").replace(/ö/gi, "oe").replace(/ü/gi, "ue")
  return [words, wordsOf(spelled)]
}
