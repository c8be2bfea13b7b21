import bidiFactory, { type Bidi } from "bidi-js"

export interface TextRun {
  text: string
  font: string
}

/** Which font has a character; the first one where none has it. */
export type FontOf = (codePoint: number) => string

// Its declaration does not name the factory that the module exports.
const bidi = (bidiFactory as unknown as () => Bidi)()

/** Whether a text is read from right to left: the first strong character decides (rule P2). */
export function isRightToLeft(text: string, otherwise: boolean): boolean {
  for (const character of text) {
    const type = bidi.getBidiCharTypeName(character)
    if (type === "R" || type === "AL") return true
    if (type === "L") return false
  }
  return otherwise
}

/**
 * The runs of one line from left to right, by the Unicode Bidirectional Algorithm (UAX 9). The font library orders and joins
 * the characters within a run; mirrored brackets are replaced here.
 */
export function visualRuns(line: string, isRtl: boolean, fontOf: FontOf): TextRun[] {
  const { levels } = bidi.getEmbeddingLevels(line, isRtl ? "rtl" : "ltr")
  const mirrored = bidi.getMirroredCharactersMap(line, levels)
  const runs: (TextRun & { level: number })[] = []
  let place = 0
  for (const character of line) {
    const level = levels[place] ?? 0
    const before = runs.at(-1)
    const last = before?.level === level ? before : undefined
    const isNeutral = /[\s\p{P}\p{S}\p{M}]/u.test(character)
    const font = isNeutral && last ? last.font : fontOf(character.codePointAt(0) ?? 32)
    const shown = mirrored.get(place) ?? character
    if (last?.font === font) last.text += shown
    else runs.push({ text: shown, font, level })
    place += character.length
  }
  return reorder(runs).map(({ text, font }) => ({ text, font }))
}

/** Rule L2 on runs: from the highest level down, sequences of at least that level are reversed. */
function reorder<Run extends { level: number }>(runs: readonly Run[]): Run[] {
  const ordered = [...runs]
  const highest = Math.max(0, ...runs.map(({ level }) => level))
  for (let level = highest; level >= 1; level--)
    for (let start = 0; start < ordered.length; start++) {
      let end = start
      while (end < ordered.length && (ordered[end]?.level ?? 0) >= level) end++
      if (end > start + 1) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse())
      start = Math.max(start, end)
    }
  return ordered
}
