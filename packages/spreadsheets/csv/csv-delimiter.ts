export type CsvDelimiter = "," | ";" | "\t" | "|"

const candidates: readonly CsvDelimiter[] = [",", ";", "\t", "|"]
const sampledRecords = 50

/**
 * Finds the delimiter in the beginning of a text: the one that most records agree on. A delimiter that splits
 * every sampled record into the same number of fields wins over one that splits into more but uneven ones,
 * so that decimal commas do not beat semicolons. Falls back to the comma (one column).
 * A first line `sep=;`, which Excel writes and obeys, decides by itself; it is no row.
 */
export function detectDelimiter(sample: string): { delimiter: CsvDelimiter; declared: boolean } {
  const declared = /^sep=([,;\t|])(?:\r\n|\r|\n|$)/.exec(sample)?.[1]
  const named = candidates.find((candidate) => candidate === declared)
  if (named) return { delimiter: named, declared: true }
  let best: { delimiter: CsvDelimiter; score: number } = { delimiter: ",", score: 0 }
  for (const delimiter of candidates) {
    const score = scoreOf(fieldCounts(sample, delimiter))
    if (score > best.score) best = { delimiter, score }
  }
  return { delimiter: best.delimiter, declared: false }
}

/** Share of records with as many fields as the first; fields beyond two only break ties. */
function scoreOf(counts: readonly number[]): number {
  const header = counts[0] ?? 1
  if (header < 2) return 0
  const agreeing = counts.filter((count) => count === header).length
  return agreeing / counts.length + Math.min(header, 100) / 10_000
}

function fieldCounts(sample: string, delimiter: string): number[] {
  const counts: number[] = []
  let fields = 1
  let quoted = false
  let atFieldStart = true
  let isBlank = true
  for (let at = 0; at < sample.length && counts.length < sampledRecords; at++) {
    const character = sample[at]
    if (quoted) {
      if (character === '"') {
        if (sample[at + 1] === '"') at++
        else quoted = false
      }
    } else if (character === "\n" || character === "\r") {
      if (!isBlank) counts.push(fields)
      fields = 1
      atFieldStart = true
      isBlank = true
      continue
    } else if (character === delimiter) {
      fields++
      atFieldStart = true
      isBlank = false
      continue
    } else if (character === '"' && atFieldStart) quoted = true
    if (character !== " ") {
      atFieldStart = false
      isBlank = false
    }
  }
  // The last record may be cut by the end of the sample; it counts only when it is all there is.
  if (counts.length === 0 && !isBlank) counts.push(fields)
  return counts
}
