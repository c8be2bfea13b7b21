import { readFileSync } from "node:fs"
import { registerHooks, stripTypeScriptTypes } from "node:module"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { parentPort, workerData } from "node:worker_threads"
import fc from "fast-check"
import type { Mutant } from "./mutants.ts"
import { type CollectedTest, takeTests } from "./test-shim.ts"

/*
 * One thread that runs tests against many mutants. Starting Node and loading the packages would cost more than most
 * tests, so for each mutant only those modules are loaded again that import the changed one, directly or indirectly.
 */

export interface FileMutant extends Mutant {
  file: string
}

/** A test of a file, by its position there. */
export interface TestName {
  file: string
  index: number
  name: string
  cpuMilliseconds: number
}

export interface Work {
  /** Shared with the main thread: the thread's processor time when the current test began, and that of the test alone. */
  progress: Float64Array
  /** Paths of test files. */
  testFiles: readonly string[]
  /** In which order tests run; measured where absent. */
  order?: readonly TestName[]
  mutants: readonly FileMutant[]
}

export type Report =
  | { type: "order"; order: readonly TestName[] }
  /** `noticedBy` is null where every test passed. */
  | { type: "mutant"; noticedBy: string | null }

const { progress, testFiles, order, mutants } = workerData as Work
const report = (message: Report) => parentPort?.postMessage(message)
const shim = pathToFileURL(join(import.meta.dirname, "test-shim.ts")).href
const ownFolder = pathToFileURL(import.meta.dirname).href

// The same cases for each mutant, and no search for a smaller one.
fc.configureGlobal({ seed: 20_261_123, endOnFailure: true })

/** Which modules import a module, by address. */
const importers = new Map<string, Set<string>>()
const withoutTypes = new Map<string, string>()
let generation = 0
let current: FileMutant | undefined
/** Addresses of the modules that the current mutant can change. */
let changed: ReadonlySet<string> = new Set()

registerHooks({
  resolve(specifier, context, nextResolve) {
    const parent = context.parentURL?.split("?")[0]
    if (specifier === "node:test" && parent?.endsWith(".test.ts"))
      return { url: shim, format: "module-typescript", shortCircuit: true }
    const found = nextResolve(specifier, context)
    if (!isOwn(found.url)) return found
    const url = found.url.split("?")[0] ?? ""
    if (parent && isOwn(parent)) importersOf(url).add(parent)
    return changed.has(url) ? { ...found, url: `${url}?mutant=${generation}` } : found
  },
  load(url, context, nextLoad) {
    const [address = ""] = url.split("?")
    if (!isOwn(address) || !address.endsWith(".ts")) return nextLoad(url, context)
    return { format: "module", source: sourceOf(address), shortCircuit: true }
  },
})

function isOwn(url: string): boolean {
  return url.startsWith("file:") && !url.includes("/node_modules/") && !url.startsWith(ownFolder)
}

function importersOf(url: string): Set<string> {
  const found = importers.get(url) ?? new Set()
  importers.set(url, found)
  return found
}

function sourceOf(url: string): string {
  const path = fileURLToPath(url)
  if (current?.file === path) {
    const source = readFileSync(path, "utf8")
    return stripTypeScriptTypes(source.slice(0, current.start) + current.text + source.slice(current.end))
  }
  const source = withoutTypes.get(url) ?? stripTypeScriptTypes(readFileSync(path, "utf8"))
  withoutTypes.set(url, source)
  return source
}

/** The module and all that import it, directly or indirectly. */
function dependentsOf(url: string): Set<string> {
  const found = new Set([url])
  for (const one of found) for (const importer of importers.get(one) ?? []) found.add(importer)
  return found
}

async function testsOf(file: string): Promise<CollectedTest[]> {
  const url = pathToFileURL(file).href
  await import(changed.has(url) ? `${url}?mutant=${generation}` : url)
  return takeTests()
}

function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Runs every test without a mutant, and orders them by their processor time: most mutants are noticed by the first. */
async function measureOrder(): Promise<TestName[]> {
  const measured: TestName[] = []
  for (const file of testFiles)
    for (const [index, { name, run }] of (await testsOf(file)).entries()) {
      const started = cpuMilliseconds()
      await run()
      measured.push({ file, index, name, cpuMilliseconds: cpuMilliseconds() - started })
    }
  return measured.toSorted((one, other) => one.cpuMilliseconds - other.cpuMilliseconds)
}

/** Learns which modules depend on which. */
async function loadAll(): Promise<void> {
  for (const file of testFiles) await testsOf(file)
}

/** Returns the name of the first test that fails with the mutant. */
async function noticedBy(mutant: FileMutant, tests: readonly TestName[]): Promise<string | null> {
  generation += 1
  current = mutant
  changed = dependentsOf(pathToFileURL(mutant.file).href)
  const loaded = new Map<string, readonly CollectedTest[]>()
  for (const { file, index, name, cpuMilliseconds: alone } of tests) {
    progress.set([cpuMilliseconds(), alone])
    if (!changed.has(pathToFileURL(file).href)) continue
    try {
      const collected = loaded.get(file) ?? (await testsOf(file))
      loaded.set(file, collected)
      await collected[index]?.run()
    } catch {
      takeTests()
      return name
    }
  }
  return null
}

if (order) await loadAll()
const tests = order ?? (await measureOrder())
if (!order) report({ type: "order", order: tests })
for (const mutant of mutants) {
  report({ type: "mutant", noticedBy: await noticedBy(mutant, tests) })
}
