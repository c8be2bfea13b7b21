/**
 * How many small mistakes in pure rules their tests notice: `npm run mutate -- [target] [--sample N] [--seed N]`.
 * Each operator, constant and condition of a target's files is changed in turn, and the target's tests run against it.
 * Prints the mutants that no test noticed. Ends with 1 when fewer than nine in ten were noticed.
 */
import { readFileSync } from "node:fs"
import { glob, readFile } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { randomOf } from "../../server/testing/simulation/random.ts"
import { mutantsOf } from "./mutants.ts"
import type { FileMutant } from "./run-mutants.ts"
import { runOnDatabase, stopDatabase } from "./run-on-database.ts"
import { endlessLoop, type Outcome, orderTests, runMutants } from "./run-target.ts"

interface Target {
  /** Sources with the rules, and the tests that must notice a change, as patterns. */
  rules: readonly string[]
  tests: readonly string[]
  /**
   * The rules are queries too, which only tests on PostgreSQL notice: each mutant gets processes of its own, and the tests of its
   * folder.
   */
  withSql?: boolean
}

const targets: Record<string, Target> = {
  recurrence: {
    rules: ["packages/recurrence/{calendar,clashes,day-pattern,due,exceptions,runs,time-zone}.ts"],
    tests: ["packages/recurrence/*.test.ts"],
  },
  access: {
    rules: ["server/core/access/caller.ts", "server/features/work/tasks/write/change-rules.ts"],
    tests: ["server/core/access/caller.test.ts", "server/features/work/tasks/write/change-rules.test.ts"],
  },
  geofences: {
    rules: ["server/features/location/positions/track/{geofence,movement,plausibility,session-totals}.ts"],
    tests: [
      "server/features/location/positions/track/{geofence,movement,plausibility,session-totals}.test.ts",
    ],
  },
  geodesy: { rules: ["packages/geodesy/*.ts"], tests: ["packages/geodesy/*.test.ts"] },
  evaluator: {
    rules: ["packages/route-optimizer/evaluate/{evaluator,timetable}.ts"],
    tests: [
      "packages/route-optimizer/{layers,evaluate/{evaluator,evaluator-limits,timetable,timetable-links}}.test.ts",
    ],
  },
  feasibility: {
    rules: ["packages/route-optimizer/evaluate/{duration,times}.ts"],
    tests: ["packages/route-optimizer/evaluate/feasibility.test.ts"],
  },
  roads: {
    rules: ["packages/road-network/{tags/access,tags/numbers,tags/speeds,turn-rules,weights}.ts"],
    tests: ["packages/road-network/{,tags/}*.test.ts"],
  },
  counting: {
    rules: [
      "server/features/fleet/stock/levels.ts",
      "server/features/work/data-records/find/count-range.ts",
      "server/features/work/tasks/read/{count-tasks,summarize-tasks}.ts",
    ],
    tests: [
      "server/features/fleet/stock/levels.test.ts",
      "server/features/work/data-records/find/count-range.test.ts",
      "server/features/work/tasks/read/count-tasks.test.ts",
    ],
    withSql: true,
  },
  tolerance: { rules: ["server/core/http/tolerance.ts"], tests: ["server/core/http/tolerance.test.ts"] },
  times: { rules: ["shared/wire-time.ts"], tests: ["shared/wire-time.test.ts"] },
  arrivals: {
    rules: ["packages/arrival-estimates/*.ts"],
    tests: ["packages/arrival-estimates/*.test.ts"],
  },
}
const wantedShare = 0.9
const root = join(import.meta.dirname, "../..")

const { values, positionals } = parseArgs({
  options: { sample: { type: "string" }, seed: { type: "string", default: "1" } },
  allowPositionals: true,
})
const names = positionals.length > 0 ? positionals : Object.keys(targets)
for (const name of names) {
  const target = targets[name]
  if (!target) {
    process.stderr.write(`There is no target ${name}. Targets: ${Object.keys(targets).join(", ")}\n`)
    process.exit(2)
  }
  if (!(await mutate(name, target))) process.exitCode = 1
}
await stopDatabase()

/** Returns whether enough mutants were noticed. */
async function mutate(name: string, { rules, tests, withSql = false }: Target): Promise<boolean> {
  const files = (await filesOf(rules)).filter((file) => !file.endsWith(".test.ts"))
  const testFiles = await filesOf(tests)
  const order = withSql ? [] : await orderTests(testFiles)
  const run = withSql ? runOnDatabase : runMutants
  const all = await mutantsOfFiles(files, withSql)
  const chosen = chooseMutants(all)
  await checkUnchanged(run, { testFiles, order, mutants: all.slice(0, 1) })
  const outcomes: Outcome[] = []
  const onOutcome = (outcome: Outcome) => {
    outcomes.push(outcome)
    if (outcome.noticedBy === null) process.stdout.write(`${describe(outcome.mutant)}\n`)
  }
  // Of a run that is stopped, what is known so far counts: those that were run are a smaller sample.
  const stop = () => {
    summarize(name, outcomes, all.length)
    process.exit(1)
  }
  process.once("SIGTERM", stop)
  process.once("SIGINT", stop)
  const threads = availableParallelism()
  await Promise.all(
    Array.from({ length: threads }, (_, thread) => {
      const mutants = chosen.filter((_, index) => index % threads === thread)
      return run({ testFiles, order, mutants }, onOutcome)
    }),
  )
  process.removeListener("SIGTERM", stop)
  process.removeListener("SIGINT", stop)
  return summarize(name, outcomes, all.length) >= wantedShare
}

/** In random order, so that those of a run that was stopped are a sample of all. */
function chooseMutants(all: readonly FileMutant[]): FileMutant[] {
  const random = randomOf(values.seed)
  return all
    .map((mutant) => ({ mutant, rank: random.number() }))
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, values.sample === undefined ? all.length : Number(values.sample))
    .map(({ mutant }) => mutant)
}

/** Returns the share of mutants that were noticed. */
function summarize(name: string, outcomes: readonly Outcome[], all: number): number {
  const noticed = outcomes.filter(({ noticedBy }) => noticedBy !== null)
  const endless = noticed.filter(({ noticedBy }) => noticedBy === endlessLoop)
  const share = noticed.length / Math.max(1, outcomes.length)
  process.stdout.write(
    `${name}: ${noticed.length} of ${outcomes.length} mutants noticed (${(share * 100).toFixed(1)} %), ${endless.length} of them as an endless loop${outcomes.length < all ? `; a sample of ${all}` : ""}\n`,
  )
  return share
}

/** A mutant that changes nothing must pass, or every other one would count as noticed. */
async function checkUnchanged(run: typeof runMutants, work: Parameters<typeof runMutants>[0]): Promise<void> {
  const mutants = work.mutants.map((mutant) => ({ ...mutant, start: 0, end: 0, text: "" }))
  await run({ ...work, mutants }, ({ noticedBy }) => {
    if (noticedBy !== null) throw new Error(`a test fails without a mutant: ${noticedBy}`)
  })
}

async function mutantsOfFiles(files: readonly string[], withSql: boolean): Promise<FileMutant[]> {
  const found = files.map(async (file) => {
    const source = await readFile(file, "utf8")
    return mutantsOf(source, withSql).map((mutant) => ({ file, ...mutant }))
  })
  return (await Promise.all(found)).flat()
}

async function filesOf(patterns: readonly string[]): Promise<string[]> {
  const found = await Array.fromAsync(glob([...patterns], { cwd: root }))
  return found.map((file) => resolve(root, file)).toSorted()
}

function describe({ file, start, end, text, line }: FileMutant): string {
  const source = readFileSync(file, "utf8")
  return `${file.slice(root.length + 1)}:${line}: ${JSON.stringify(source.slice(start, end))} -> ${JSON.stringify(text)}`
}
