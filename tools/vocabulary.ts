import { spawnSync } from "node:child_process"
import { readFile } from "node:fs/promises"

const root = new URL("../", import.meta.url)
const listPath = "tools/vocabulary.json"
const guidePath = "CONTRIBUTING.md"
const [begin, end] = [
  "<!-- vocabulary: generated from tools/vocabulary.json -->",
  "<!-- end of vocabulary -->",
]

/** A replaced word or phrase. `pending` is how many lines still contain it; the number may only fall. */
interface Entry {
  instead: string
  use: string
  /** A regular expression without flags, specific enough not to match ordinary English. */
  pattern: string
  pending: number
}

/** Texts whose words are fixed: applied migrations, past releases and decisions, generated files. */
const excluded =
  /^(db\/|CHANGELOG\.md|CONTRIBUTING\.md|docs\/decisions\/|docs\/errors\.md|tools\/vocabulary|console\/src\/i18n\/translations\/|package-lock\.json|bench\/results)/
const included = /\.(ts|tsx|md|html|css|json|yaml|yml|sh)$/

async function readEntries(): Promise<Entry[]> {
  return JSON.parse(await readFile(new URL(listPath, root), "utf8")) as Entry[]
}

/** The lines that contain each entry, as `path:line`. */
async function findLines(entries: readonly Entry[]): Promise<string[][]> {
  const patterns = entries.map(({ pattern }) => new RegExp(pattern))
  const found = entries.map((): string[] => [])
  const listed = spawnSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).stdout.split("\n")
  const paths = listed.filter((path) => included.test(path) && !excluded.test(path))
  if (paths.length === 0) throw new Error("git ls-files listed no source files")
  for (const path of paths) {
    const text = await readFile(new URL(path, root), "utf8").catch(() => "")
    for (const [index, line] of text.split("\n").entries())
      for (const [place, pattern] of patterns.entries())
        if (pattern.test(line)) found[place]?.push(`${path}:${index + 1}`)
  }
  return found
}

/** Rejects a replaced word that is used more often than the list says. */
export async function checkVocabulary(): Promise<string | undefined> {
  const entries = await readEntries()
  const found = await findLines(entries)
  const problems = entries.flatMap(({ instead, use, pending }, place) => {
    const lines = found[place] ?? []
    if (lines.length <= pending) return []
    return [
      `"${instead}" is on ${lines.length} lines, ${pending} at most; use: ${use}\n  ${lines.join("\n  ")}`,
    ]
  })
  return problems.length > 0 ? problems.join("\n") : undefined
}

/** The list with the counts lowered to what is left, and the guide with the table made from it. */
export async function vocabularyFiles(): Promise<{ path: string; text: string }[]> {
  const entries = await readEntries()
  const found = await findLines(entries)
  const lowered = entries.map((entry, place) => ({
    ...entry,
    pending: Math.min(entry.pending, found[place]?.length ?? 0),
  }))
  const guide = await readFile(new URL(guidePath, root), "utf8")
  const [before, rest] = guide.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined)
    throw new Error(`${guidePath} has no place for the vocabulary`)
  return [
    { path: listPath, text: listText(lowered) },
    { path: guidePath, text: `${before}${begin}\n${tableText(lowered)}${end}${after}` },
  ]
}

function listText(entries: readonly Entry[]): string {
  return `${JSON.stringify(entries, null, 2)}\n`
}

function tableText(entries: readonly Entry[]): string {
  const rows = entries.map(({ instead, use }) => `| ${instead} | ${use} |`)
  return ["| Instead of | Use |", "|---|---|", ...rows, ""].join("\n")
}
