import { glob, readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../console/src/", import.meta.url))
const physical =
  /^\s*(?:(?:margin|padding|border)-(?:left|right)[\w-]*|left|right):|text-align: (?:left|right)|\b(?:margin|padding|border)(?:Left|Right)\b|textAlign: "(?:left|right)"/
/** What lies on a map keeps its side, as the map's own controls do; what is centred has none. */
const exempt = /on the map|\[dir="rtl"\]|translateX\(-50%\)|position: fixed/

/** Styles that name a side instead of the start or end of a line: in Arabic they would be on the wrong one. */
export async function checkReadingDirection(): Promise<string | undefined> {
  const problems: string[] = []
  for await (const path of glob("**/*.{css,tsx}", { cwd: root })) {
    const text = await readFile(`${root}${path}`, "utf8")
    const blocks = path.endsWith(".css") ? text.split("}") : [text]
    for (const block of blocks) {
      if (exempt.test(block) && path.endsWith(".css")) continue
      for (const line of block.split("\n")) if (physical.test(line)) problems.push(`${path}: ${line.trim()}`)
    }
  }
  return problems.length > 0 ? `use start and end, or say "on the map":\n${problems.join("\n")}` : undefined
}
