/**
 * How many small mistakes in pure rules their tests notice: `npm run mutate -- [target] [--sample N] [--seed N]`.
 * Each operator, constant and condition of a target's files is changed in turn, and the target's tests run against it.
 * Prints the mutants that no test noticed. Ends with 1 when fewer than nine in ten were noticed.
 */
import { spawn } from "node:child_process"
import { glob, readFile } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import pLimit from "p-limit"
import { randomOf } from "../../server/testing/simulation/random.ts"
import { type Mutant, mutantsOf } from "./mutants.ts"

interface Target {
  /** Sources with the rules, and the tests that must notice a change, as patterns. */
  rules: readonly string[]
  tests: readonly string[]
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
    rules: ["packages/route-optimizer/evaluate/{evaluator,duration,times,timetable}.ts"],
    tests: ["packages/route-optimizer/{,evaluate/}*.test.ts"],
  },
  roads: {
    rules: ["packages/road-network/{tags/access,tags/numbers,tags/speeds,turn-rules,weights}.ts"],
    tests: ["packages/road-network/{,tags/}*.test.ts"],
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

/** Returns whether enough mutants were noticed. */
async function mutate(name: string, { rules, tests }: Target): Promise<boolean> {
  const files = (await filesOf(rules)).filter((file) => !file.endsWith(".test.ts"))
  const { testFiles, milliseconds } = await quickestFirst(name, await filesOf(tests))
  const timeout = Math.ceil(10_000 + 6 * milliseconds)
  const all = (
    await Promise.all(
      files.map(async (file) =>
        mutantsOf(await readFile(file, "utf8")).map((mutant) => ({ file, ...mutant })),
      ),
    )
  ).flat()
  const chosen = values.sample === undefined ? all : randomOf(values.seed).some(all, Number(values.sample))
  const limit = pLimit(availableParallelism())
  let noticed = 0
  await Promise.all(
    chosen.map((mutant) =>
      limit(async () => {
        if ((await runTests(testFiles, environmentOf(mutant), timeout)) !== 0) noticed += 1
        else process.stdout.write(`${await describe(mutant)}\n`)
      }),
    ),
  )
  const share = noticed / Math.max(1, chosen.length)
  process.stdout.write(
    `${name}: ${noticed} of ${chosen.length} mutants noticed (${(share * 100).toFixed(1)} %)${chosen.length < all.length ? `, a sample of ${all.length}` : ""}\n`,
  )
  return share >= wantedShare
}

/** The test files in the order of their durations: most mutants are noticed by the first ones. */
async function quickestFirst(name: string, files: readonly string[]) {
  const timed: { file: string; milliseconds: number }[] = []
  for (const file of files) {
    const started = performance.now()
    if ((await runTests([file], {}, 300_000)) !== 0)
      throw new Error(`the tests of ${name} fail without a mutant: ${file}`)
    timed.push({ file, milliseconds: performance.now() - started })
  }
  const ordered = timed.toSorted((one, other) => one.milliseconds - other.milliseconds)
  return {
    testFiles: ordered.map(({ file }) => file),
    milliseconds: ordered.reduce((sum, one) => sum + one.milliseconds, 0),
  }
}

async function filesOf(patterns: readonly string[]): Promise<string[]> {
  const found = await Array.fromAsync(glob([...patterns], { cwd: root }))
  return found.map((file) => resolve(root, file)).toSorted()
}

function environmentOf(mutant: Mutant & { file: string }): Record<string, string> {
  return {
    MUTANT_FILE: mutant.file,
    MUTANT_START: String(mutant.start),
    MUTANT_END: String(mutant.end),
    MUTANT_TEXT: mutant.text,
  }
}

/** Returns the exit code of the tests; a run that does not end in time was noticed too. */
function runTests(
  files: readonly string[],
  environment: Record<string, string>,
  timeout: number,
): Promise<number> {
  const child = spawn(
    process.execPath,
    [
      ...(environment.MUTANT_FILE === undefined
        ? []
        : ["--import", join(import.meta.dirname, "load-mutant.ts")]),
      ...[
        "--test",
        "--test-isolation=none",
        `--test-reporter=${join(import.meta.dirname, "first-failure.ts")}`,
      ],
      ...files,
    ],
    { stdio: "ignore", cwd: root, timeout, killSignal: "SIGKILL", env: { ...process.env, ...environment } },
  )
  return new Promise((done) => child.on("close", (code) => done(code ?? 1)))
}

async function describe({ file, start, end, text, line }: Mutant & { file: string }): Promise<string> {
  const source = await readFile(file, "utf8")
  return `${file.slice(root.length + 1)}:${line}: ${JSON.stringify(source.slice(start, end))} -> ${JSON.stringify(text)}`
}
