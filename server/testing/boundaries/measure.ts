import { glob, readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { tableOwners } from "../../table-owners.ts"
import { sqlTemplates, tablesOf } from "./sql-templates.ts"

const root = resolve(import.meta.dirname, "../../..")

/** Counts of what breaks a boundary, by what breaks it. They are compared with known.json and may only fall. */
export interface Boundaries {
  /** SQL templates in files that declare routes, by file. */
  sqlInRoutes: Record<string, number>
  /** Statements that write a table of another feature, by "<feature> -> <owner>: <table>". */
  foreignWrites: Record<string, number>
  foreignReads: Record<string, number>
}

export async function readTables(): Promise<string[]> {
  const schema = await readFile(resolve(root, "db/schema.sql"), "utf8")
  return [...schema.matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(([, name = ""]) => name)
}

const owners = new Map(
  Object.entries(tableOwners).flatMap(([owner, tables]) => tables.map((table) => [table, owner] as const)),
)

/** The feature or `core` that a production file belongs to; undefined for what is next to them. */
function ownerOf(path: string): string | undefined {
  return (
    /^server\/features\/([^/]+\/[^/]+)\//.exec(path)?.[1] ??
    (path.startsWith("server/core/") ? "core" : undefined)
  )
}

export async function measureBoundaries(): Promise<Boundaries> {
  const found: Boundaries = { sqlInRoutes: {}, foreignWrites: {}, foreignReads: {} }
  const tables = new Set(await readTables())
  for await (const path of glob("server/{core,features}/**/*.ts", { cwd: root })) {
    const feature = ownerOf(path)
    if (!feature || /\.(test|fixture)\.ts$|\/(fixtures|testing)\//.test(path)) continue
    const templates = sqlTemplates(await readFile(resolve(root, path), "utf8"))
    if (path.endsWith("routes.ts")) for (const _ of templates) count(found.sqlInRoutes, path)
    for (const { table, isWrite } of templates.flatMap(({ text }) => tablesOf(text, tables))) {
      const owner = owners.get(table) ?? "nobody"
      if (owner !== feature)
        count(isWrite ? found.foreignWrites : found.foreignReads, `${feature} -> ${owner}: ${table}`)
    }
  }
  return found
}

function count(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1
}

export async function readKnown(): Promise<Boundaries> {
  return JSON.parse(await readFile(resolve(import.meta.dirname, "known.json"), "utf8")) as Boundaries
}

/** What known.json becomes: never more than it was, so that a new breach is refused and a removed one stays removed. */
export function lowered(known: Boundaries, found: Boundaries): string {
  const lower = (kind: keyof Boundaries) =>
    Object.fromEntries(
      Object.entries(known[kind])
        .map(([key, number]) => [key, Math.min(number, found[kind][key] ?? 0)] as const)
        .filter(([, number]) => number > 0)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    )
  const result = {
    sqlInRoutes: lower("sqlInRoutes"),
    foreignWrites: lower("foreignWrites"),
    foreignReads: lower("foreignReads"),
  }
  return `${JSON.stringify(result, null, 2)}\n`
}

/** The breaches that known.json does not list. */
export function added(known: Boundaries, found: Boundaries, kind: keyof Boundaries): string[] {
  return Object.entries(found[kind])
    .filter(([key, number]) => number > (known[kind][key] ?? 0))
    .map(([key, number]) => `${key} (${number}, known ${known[kind][key] ?? 0})`)
}
