import { glob, readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"

const console = fileURLToPath(new URL("../console/src/", import.meta.url))

type Texts = Readonly<Record<string, string>>

/**
 * Every text of the console in both languages: the same keys, the same parameters, nothing empty. The types
 * say so of the keys already; this also holds where somebody silenced them, and for what a text is filled with.
 */
export async function checkConsoleLanguages(): Promise<string | undefined> {
  const problems: string[] = []
  let count = 0
  for await (const path of glob("**/*.{ts,tsx}", { cwd: console })) {
    const source = await readFile(`${console}${path}`, "utf8")
    for (const { en, id } of messagesIn(source)) {
      const keys = new Set([...Object.keys(en), ...Object.keys(id)])
      for (const key of keys) {
        count += 1
        const problem = judge(en[key], id[key])
        if (problem) problems.push(`${path}: ${key} ${problem}`)
      }
    }
  }
  if (count === 0) problems.push("no texts were found")
  return problems.length > 0 ? problems.join("\n") : undefined
}

function judge(english: string | undefined, indonesian: string | undefined): string | undefined {
  if (english === undefined) return "is missing in English"
  if (indonesian === undefined) return "is missing in Indonesian"
  if (english.trim() === "" || indonesian.trim() === "") return "is empty in one language"
  const [wanted, found] = [parametersOf(english), parametersOf(indonesian)]
  return wanted === found ? undefined : `takes {${wanted}} in English, {${found}} in Indonesian`
}

function parametersOf(text: string): string {
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort().join("}, {")
}

/** The object literals that are handed to defineMessages: texts only, so that they can be read as they stand. */
function messagesIn(source: string): { en: Texts; id: Texts }[] {
  const found: { en: Texts; id: Texts }[] = []
  const call = "defineMessages("
  for (let at = source.indexOf(`${call}{`); at >= 0; at = source.indexOf(`${call}{`, at + 1)) {
    const start = at + call.length
    const literal = source.slice(start, endOfObject(source, start))
    found.push(new Function(`return ${literal}`)() as { en: Texts; id: Texts })
  }
  return found
}

/** After the brace that closes the one at `start`; braces inside texts are skipped. */
function endOfObject(source: string, start: number): number {
  let depth = 0
  let quote = ""
  for (let at = start; at < source.length; at++) {
    const letter = source[at] ?? ""
    if (quote !== "") {
      if (letter === "\\") at += 1
      else if (letter === quote) quote = ""
    } else if (letter === '"' || letter === "'" || letter === "`") quote = letter
    else if (letter === "{") depth += 1
    else if (letter === "}" && --depth === 0) return at + 1
  }
  throw new Error("an object of texts does not end")
}
