import { createHash } from "node:crypto"
import { glob, mkdir, readFile, writeFile } from "node:fs/promises"
import { parseAst } from "rolldown/parseAst"

/**
 * Every regular expression of the product must run in linear time: one that does not lets a single request occupy
 * the server. `recheck` proves it for each, from the syntax trees of the sources; what it found is kept by expression
 * and by its version, so that only new ones take time.
 */
const root = new URL("../", import.meta.url)
const cacheFolder = new URL("node_modules/.cache/fieldway/", root)
const sources = ["server/**/*.ts", "shared/**/*.ts", "packages/**/*.ts"]
const outside = ["**/*.test.ts", "server/testing/**", "**/node_modules/**", "server/demo/**"]

/** Expressions that may not be linear, each with the reason why no input can make use of it. */
const allowed: Readonly<Record<string, string>> = {}

/** Files that make expressions at run time, each with the reason why those are linear. */
const allowedDynamic: Readonly<Record<string, string>> = {
  "server/core/http/route-table.ts": "made of our own addresses: one run without slashes for each parameter",
  "server/core/plain-text.ts": "two characters before a fixed list of words",
  "packages/addresses/search/without-unit.ts":
    "fixed words in front of one number, on at most 500 characters",
  "packages/geodesy/place-text.ts":
    "fixed forms of two numbers, with bounded repetitions, on at most 2,000 characters",
  "packages/spreadsheets/xlsx/xml-scan.ts": "names of attributes that our own code asks for",
  "server/features/work/flows/check-flow.ts":
    "compiled to see whether it is one, never run: the field worker's app runs it",
}

interface Found {
  pattern: string
  flags: string
  place: string
}

function nameOf({ pattern, flags }: Pick<Found, "pattern" | "flags">): string {
  return `/${pattern}/${flags}`
}

interface SyntaxNode {
  type: string
  start: number
  [key: string]: unknown
}

export async function checkRegularExpressions(): Promise<string | undefined> {
  const problems: string[] = []
  const found = new Map<string, Found[]>()
  for await (const path of glob(sources, { cwd: root.pathname, exclude: outside })) {
    const text = await readFile(new URL(path, root), "utf8")
    for (const one of expressionsIn(text, path)) {
      if (one === "dynamic") {
        if (!(path in allowedDynamic))
          problems.push(`${path}: an expression made at run time cannot be checked`)
      } else found.set(nameOf(one), [...(found.get(nameOf(one)) ?? []), one])
    }
  }
  const outcomes = await outcomesOf([...found.values()].flat())
  for (const [name, uses] of found)
    if (outcomes[name] !== "linear" && !(name in allowed))
      problems.push(`${uses.map(({ place }) => place).join(", ")}: ${name} is ${outcomes[name]}`)
  return problems.length > 0 ? problems.join("\n") : undefined
}

/** Literals, `new RegExp(…)` and the patterns of schemas. */
function* expressionsIn(text: string, path: string): Generator<Found | "dynamic"> {
  const open: unknown[] = [parseAst(text, { lang: "ts", sourceType: "module" })]
  const placeOf = (node: SyntaxNode) => `${path}:${text.slice(0, node.start).split("\n").length}`
  while (open.length > 0) {
    const node = open.pop()
    if (Array.isArray(node)) open.push(...node)
    if (!isNode(node)) continue
    if (node.type === "Property" && (node.key as SyntaxNode).name === "pattern") {
      const held = node.value as SyntaxNode
      // The validator compiles them with this flag.
      if (typeof held.value === "string") yield { pattern: held.value, flags: "u", place: placeOf(node) }
      else if (held.type === "TemplateLiteral") yield "dynamic"
    }
    const { regex } = node as { regex?: { pattern: string; flags: string } }
    if (node.type === "Literal" && regex) yield { ...regex, place: placeOf(node) }
    if (node.type === "NewExpression" || node.type === "CallExpression") {
      const [pattern, flags] = node.arguments as SyntaxNode[]
      if ((node.callee as SyntaxNode).name === "RegExp") {
        const isText =
          typeof pattern?.value === "string" && (flags === undefined || typeof flags.value === "string")
        if (!isText && isNamedPattern(pattern)) continue
        yield isText
          ? { pattern: String(pattern?.value), flags: String(flags?.value ?? ""), place: placeOf(node) }
          : "dynamic"
      }
    }
    if (node.type === "VariableDeclarator" && isNamedPattern(node.id as SyntaxNode)) {
      const { value } = (node.init ?? {}) as { value?: unknown }
      if (typeof value === "string") yield { pattern: value, flags: "u", place: placeOf(node) }
    }
    for (const child of Object.values(node)) if (typeof child === "object" && child !== null) open.push(child)
  }
}

/** Constants with such a name are checked where they are declared. */
function isNamedPattern(node: SyntaxNode | undefined): boolean {
  return node?.type === "Identifier" && /pattern$/i.test(String(node.name))
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string"
}

/** Most take milliseconds; on a busy machine some take a minute. */
const secondsEach = 120

async function outcomesOf(expressions: readonly Found[]): Promise<Record<string, string>> {
  // In JavaScript: neither a Java machine nor a program of its own.
  process.env.RECHECK_BACKEND = "pure"
  process.env.RECHECK_SYNC_BACKEND = "pure"
  const { checkSync } = await import("recheck")
  const { version } = JSON.parse(
    await readFile(new URL("node_modules/recheck/package.json", root), "utf8"),
  ) as { version: string }
  const key = createHash("sha256").update(`${version} ${secondsEach}`).digest("hex").slice(0, 12)
  const cache = new URL(`regular-expressions-${key}.json`, cacheFolder)
  const known = JSON.parse(await readFile(cache, "utf8").catch(() => "{}")) as Record<string, string>
  const outcomes: Record<string, string> = {}
  for (const { pattern, flags } of expressions) {
    const name = nameOf({ pattern, flags })
    outcomes[name] ??= known[name] ?? outcomeOf(checkSync(pattern, flags, { timeout: secondsEach * 1000 }))
  }
  await mkdir(cacheFolder, { recursive: true })
  // What took too long is looked at again.
  const decided = Object.entries(outcomes).filter(([, outcome]) => outcome !== "unknown")
  await writeFile(cache, JSON.stringify(Object.fromEntries(decided)))
  return outcomes
}

function outcomeOf({
  status,
  complexity,
}: {
  status: string
  complexity?: { type: string } | undefined
}): string {
  if (status === "safe" && (complexity === undefined || ["safe", "linear"].includes(complexity.type)))
    return "linear"
  return complexity?.type ?? status
}
