import assert from "node:assert/strict"
import { glob, readFile } from "node:fs/promises"
import { dirname, relative, resolve } from "node:path"
import { test } from "node:test"

/** The direction of imports, read from the import lines: it is what keeps a rule to be found in one place. */
const root = resolve(import.meta.dirname, "..")

interface ImportLine {
  from: string
  to: string
}

const aliases: Record<string, string> = {
  "#core/": "server/core/",
  "#features/": "server/features/",
  "#samples/": "server/samples/",
  "#testing/": "server/testing/",
  "#shared/": "shared/",
  "#packages/": "packages/",
}

async function importLines(): Promise<ImportLine[]> {
  const lines: ImportLine[] = []
  for await (const path of glob(["server/**/*.ts", "shared/**/*.ts", "packages/**/*.ts"], { cwd: root })) {
    if (path.endsWith(".test.ts") || path.includes("/testing/")) continue
    const text = await readFile(resolve(root, path), "utf8")
    for (const [, specifier = ""] of text.matchAll(/^(?:import|export)\b[^"'\n]*?(?:from )?"([.#][^"]+)"/gm))
      lines.push({ from: path, to: target(path, specifier) })
    for (const [, specifier = ""] of text.matchAll(/^\} from "([.#][^"]+)"/gm))
      lines.push({ from: path, to: target(path, specifier) })
  }
  return lines
}

function target(path: string, specifier: string): string {
  const alias = Object.keys(aliases).find((prefix) => specifier.startsWith(prefix))
  if (alias) return (aliases[alias] ?? "") + specifier.slice(alias.length)
  return relative(root, resolve(root, dirname(path), specifier))
}

const featureOf = (path: string) => /^server\/features\/([^/]+\/[^/]+)\//.exec(path)?.[1]
const show = ({ from, to }: ImportLine) => `${from} -> ${to}`

test("packages import only packages, shared code knows no server, core knows no feature", async () => {
  const lines = await importLines()
  assert.ok(lines.length > 300, "the import lines are found")
  assert.deepEqual(
    lines.filter(({ from, to }) => from.startsWith("packages/") && !to.startsWith("packages/")).map(show),
    [],
  )
  assert.deepEqual(
    lines.filter(({ from, to }) => from.startsWith("shared/") && !/^(shared|packages)\//.test(to)).map(show),
    [],
  )
  assert.deepEqual(
    lines
      .filter(({ from, to }) => from.startsWith("server/core/") && to.startsWith("server/features/"))
      .map(show),
    [],
  )
})

test("production code imports no test code, core and features import no operator command", async () => {
  const wrong = (await importLines()).filter(({ from, to }) => {
    if (/fixture/.test(from)) return false
    return (
      to.startsWith("server/testing/") ||
      (/^server\/(core|features)\//.test(from) && to.startsWith("server/operate/"))
    )
  })
  assert.deepEqual(wrong.map(show), [])
})

test("a feature uses another only through its index", async () => {
  const wrong = (await importLines()).filter(({ from, to }) => {
    const [own, other] = [featureOf(from), featureOf(to)]
    return (
      own !== undefined &&
      other !== undefined &&
      own !== other &&
      !/^server\/features\/[^/]+\/[^/]+\/index\.ts$/.test(to)
    )
  })
  assert.deepEqual(wrong.map(show), [])
})

test("features do not import each other in a cycle", async () => {
  const uses = new Map<string, Set<string>>()
  for (const { from, to } of await importLines()) {
    const [own, other] = [featureOf(from), featureOf(to)]
    if (own && other && own !== other) uses.set(own, (uses.get(own) ?? new Set()).add(other))
  }
  const done = new Set<string>()
  const visit = (feature: string, path: readonly string[]): void => {
    assert.ok(!path.includes(feature), `a cycle: ${[...path, feature].join(" -> ")}`)
    if (done.has(feature)) return
    for (const other of uses.get(feature) ?? []) visit(other, [...path, feature])
    done.add(feature)
  }
  for (const feature of uses.keys()) visit(feature, [])
})

test("ARCHITECTURE.md lists every dependency between domains, and none leads back", async () => {
  const text = await readFile(resolve(root, "ARCHITECTURE.md"), "utf8")
  const table = /\| Domain \| Imports from \|\n[^\n]*\n((?:\|[^\n]*\n)+)/.exec(text)?.[1] ?? ""
  const rows = [...table.matchAll(/^\| `(\w+)` \|(.*)\|$/gm)].map(([, domain = "", uses = ""]) => ({
    domain,
    uses: [...uses.matchAll(/`(\w+)`/g)].map(([, other = ""]) => other),
  }))
  const layers = rows.map(({ domain }) => domain)
  for (const { domain, uses } of rows)
    for (const other of uses)
      assert.ok(layers.indexOf(other) < layers.indexOf(domain), `${domain} -> ${other} leads back`)
  const found = new Set<string>()
  for (const { from, to } of await importLines()) {
    const [own, other] = [featureOf(from)?.split("/")[0], featureOf(to)?.split("/")[0]]
    if (own && other && own !== other) found.add(`${own} -> ${other}`)
  }
  const listed = rows.flatMap(({ domain, uses }) => uses.map((other) => `${domain} -> ${other}`))
  assert.deepEqual([...found].toSorted(), listed.toSorted())
})

/** Module state with a reason. Everything else belongs to an owner: `core/owned-state.ts`. */
const allowedState: ReadonlySet<string> = new Set([
  // Threads belong to the process.
  "server/core/threads/run-in-thread.ts: pools",
  // Random bytes for the next ids.
  "server/core/ids.ts: used",
  // Where a synchronous function is at the moment.
  "server/core/http/tolerance.ts: place",
  // Names of savepoints.
  "server/core/postgres/handle.ts: savepoints",
  // Results of pure functions.
  "server/core/http/serialization.ts: compiled",
  "server/core/permissions.ts: knownIds",
  "packages/recurrence/summary-words.ts: formats",
  "packages/recurrence/time-zone.ts: clocks",
  "packages/spreadsheets/parse-number.ts: separators",
  "packages/spreadsheets/xlsx/xml-scan.ts: fallbacks",
  // Of a worker thread, which loads the module for itself.
  "server/background-thread.ts: app",
  "server/background-thread.ts: buildApp",
  "server/background-thread.ts: isStopping",
  "server/background-thread.ts: running",
  "server/features/customers/tracking-pages/markup.ts: formats",
  "server/features/location/roads/road-jobs.ts: routers",
  // Attempts at a password take turns in the whole process, inside and outside of transactions.
  "server/features/people/accounts/attempt.ts: queues",
  // Responses of geocoding and road services, by address of the service and everything that was asked.
  "server/features/planning/routes/roads/geocode.ts: cache",
  "server/features/planning/routes/roads/travel.ts: caches",
])

test("modules hold no mutable state, and register nothing when they are imported", async () => {
  const found: string[] = []
  for await (const path of glob(["server/**/*.ts", "shared/**/*.ts", "packages/**/*.ts"], { cwd: root })) {
    if (path.endsWith(".test.ts") || /\/(testing|samples)\//.test(path)) continue
    const text = await readFile(resolve(root, path), "utf8")
    const mutable =
      /^(?:export )?(?:let (\w+)|const (\w+)(?:: (?!Readonly|readonly )[^=\n]+)? = (?:new (?:Map|Set)(?:<[^\n]*>)?\(\)|\[\]$))/gm
    for (const [, variable, collection] of text.matchAll(mutable))
      found.push(`${path}: ${variable ?? collection}`)
  }
  assert.deepEqual(new Set(found), allowedState)
})
