const maxDepth = 50

/**
 * What keeps JSON that clients add to freely out of a jsonb column, in words; undefined for nothing.
 * PostgreSQL knows neither U+0000 nor half of a surrogate pair, and both it and JSON.stringify recurse.
 */
export function unstorablePart(value: unknown): string | undefined {
  const open: { value: unknown; depth: number }[] = [{ value, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.depth > maxDepth) return `is nested deeper than ${maxDepth} levels`
    if (typeof next.value === "string" && !isStorableText(next.value)) return badText
    if (typeof next.value !== "object" || next.value === null) continue
    const depth = next.depth + 1
    for (const [key, part] of Object.entries(next.value)) {
      if (!isStorableText(key)) return badText
      open.push({ value: part, depth })
    }
  }
  return undefined
}

const badText = "has text with the character U+0000 or an unpaired surrogate"

export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\u0000")
}
