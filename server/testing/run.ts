import { spawn } from "node:child_process"
import { glob } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { serverVariable, startTestServer } from "./test-database.ts"

/**
 * `npm test`: every test file, with one PostgreSQL for all. `--long` repeats the fault and volume tests.
 * Further arguments name files or are handed to Node's test runner.
 */
const isLong = process.argv.includes("--long")
const rest = process.argv.slice(2).filter((argument) => argument !== "--long")
const named = rest.filter((argument) => !argument.startsWith("-"))
const flags = rest.filter((argument) => argument.startsWith("-"))

const files =
  named.length > 0
    ? named
    : await Array.fromAsync(
        glob(["{server,shared,examples,clients,console}/**/*.test.ts"], { exclude: ["**/node_modules/**"] }),
      )
const server = await startTestServer()
const child = spawn(
  process.execPath,
  [
    "--test",
    `--test-concurrency=${availableParallelism()}`,
    "--test-timeout=240000",
    ...flags,
    ...files.sort(),
  ],
  {
    stdio: "inherit",
    env: { ...process.env, [serverVariable]: server.url, ...(isLong ? { FIELDWAY_LONG: "1" } : {}) },
  },
)
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal))
child.on("close", async (code) => {
  await server.stop()
  process.exit(code ?? 1)
})
