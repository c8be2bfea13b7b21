import { type ChildProcess, spawn } from "node:child_process"
import { glob } from "node:fs/promises"
import { availableParallelism, getPriority, setPriority } from "node:os"
import { join } from "node:path"
import { backgroundPriority } from "#core/embedded/lower-priority.ts"
import { bundleTests } from "./bundle-tests.ts"
import { groupTests } from "./group-tests.ts"
import { serverVariable, startTestServer } from "./test-database.ts"
import { mainVariable } from "./test-process.ts"

/**
 * `npm test`: every test file, with one PostgreSQL for all. `--long` repeats the fault and volume tests.
 * Further arguments name files or are handed to Node's test runner.
 */
const isLong = process.argv.includes("--long")
const rest = process.argv.slice(2).filter((argument) => argument !== "--long")
const named = rest.filter((argument) => !argument.startsWith("-"))
const flags = rest.filter((argument) => argument.startsWith("-"))

// Servers give their background threads a low priority: tests and browsers beside them get the same, or jobs would wait.
if (process.platform === "linux" && getPriority() < backgroundPriority) setPriority(backgroundPriority)

const pattern = ["{server,shared,packages,examples,console,tools}/**/*.test.ts"]
const found =
  named.length > 0 ? named : await Array.fromAsync(glob(pattern, { exclude: ["**/node_modules/**"] }))
const sources = found.toSorted()
/** A test that hangs ends the run; outages of a minute and volumes take their time. */
const timeoutMilliseconds = isLong ? 3_600_000 : 240_000
/** Files of many tests, with what they clean up after a failure: 10,000 random days in a browser take most of a day. */
const fileSeconds = isLong ? 86_400 : (2 * timeoutMilliseconds) / 1000
/** Every file loads the whole server: it is compiled once for all of them. */
const compileCache = join(import.meta.dirname, "../../node_modules/.cache/fieldway")
const groups = await groupTests(sources)
const [server, bundle] = await Promise.all([startTestServer(), bundleTests(groups)])
let running: ChildProcess | undefined
let isStopped = false
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    isStopped = true
    running?.kill(signal)
  })

/** Runs some files with the one server; returns the exit code. */
function runFiles(chosen: readonly string[], concurrency: number): Promise<number> {
  if (chosen.length === 0) return Promise.resolve(0)
  if (isStopped) return Promise.resolve(1)
  const child = spawn(
    process.execPath,
    [
      "--import",
      import.meta.resolve("./file-deadline.ts"),
      "--test",
      `--test-concurrency=${concurrency}`,
      `--test-timeout=${timeoutMilliseconds}`,
      ...flags,
      ...chosen,
    ],
    {
      stdio: "inherit",
      env: {
        NODE_COMPILE_CACHE: compileCache,
        ...process.env,
        [serverVariable]: server.url,
        [mainVariable]: bundle.server,
        FIELDWAY_FILE_SECONDS: String(fileSeconds),
        ...(isLong ? { FIELDWAY_LONG: "1" } : {}),
      },
    },
  )
  running = child
  return new Promise((resolve) => child.on("close", (code) => resolve(code ?? 1)))
}

const browserTries = 2

/**
 * Two at a time: one browser draws while the other waits. Drawing maps in software may still starve a page: when files
 * failed, all get another try, one by one, and the output says so.
 */
async function runBrowserFiles(chosen: readonly string[]): Promise<number> {
  if (chosen.length === 0) return 0
  if (!process.env.CHROMIUM_PATH) {
    const { unpackBrowser } = await import("../../console/tests/browser.ts")
    await unpackBrowser()
  }
  let code = await runFiles(chosen, 2)
  for (let tries = 1; code !== 0 && tries < browserTries; tries += 1) {
    process.stdout.write(`browser tests failed; try ${tries + 1} of ${browserTries}\n`)
    code = await runFiles(chosen, 1)
  }
  return code
}

// A browser draws maps in software: beside other tests on a small machine it would only wait and time out.
const codes = [
  await runFiles(
    bundle.files.filter((_, index) => !groups[index]?.hasBrowser),
    // Many files wait, for silence or for processes: two more than there are processors keep these busy.
    availableParallelism() + 2,
  ),
  await runBrowserFiles(bundle.files.filter((_, index) => groups[index]?.hasBrowser)),
]
await Promise.all([server.stop(), bundle.remove()])
const code = Math.max(...codes)
if (code !== 0) process.stdout.write("to see a failure in its source: npx node --test <file>\n")
process.exit(code)
