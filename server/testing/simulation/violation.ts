/** Something that must hold did not. `rule` stays the same however the numbers differ, so that runs can be compared. */
export class Violation extends Error {
  readonly rule: string

  constructor(rule: string, details: unknown = "") {
    super(`${rule}: ${typeof details === "string" ? details : JSON.stringify(details)}`)
    this.rule = rule
  }
}

export function must(isSo: boolean, rule: string, details: unknown = ""): void {
  if (!isSo) throw new Violation(rule, details)
}

/** Two lists of texts hold the same, however often and in whatever order. */
export function mustMatch(found: Iterable<string>, expected: Iterable<string>, rule: string): void {
  const [foundCounts, expectedCounts] = [countsOf(found), countsOf(expected)]
  const lines: string[] = []
  for (const [text, count] of expectedCounts)
    if ((foundCounts.get(text) ?? 0) < count) lines.push(`missing: ${text}`)
  for (const [text, count] of foundCounts)
    if ((expectedCounts.get(text) ?? 0) < count) lines.push(`not expected: ${text}`)
  must(lines.length === 0, rule, lines.slice(0, 6).join("; "))
}

function countsOf(texts: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}
