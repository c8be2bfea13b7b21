import { spawn } from "node:child_process"
import { once } from "node:events"
import { basename, dirname } from "node:path"
import { serverVariable, startTestServer, type TestServer } from "../../server/testing/test-database.ts"
import { mutantVariable } from "./plant-mutant.ts"
import type { FileMutant } from "./run-mutants.ts"
import type { Outcome, runMutants } from "./run-target.ts"

const timeoutMilliseconds = 240_000
let server: Promise<TestServer> | undefined

/** The same as `runMutants` for tests that need PostgreSQL: each file beside the mutant's runs in a process of its own. */
export const runOnDatabase: typeof runMutants = async ({ testFiles, mutants }, onOutcome) => {
  server ??= startTestServer()
  const { url } = await server
  for (const mutant of mutants) onOutcome({ mutant, noticedBy: await noticedBy(mutant, testFiles, url) })
}

async function noticedBy(
  mutant: FileMutant,
  testFiles: readonly string[],
  url: string,
): Promise<Outcome["noticedBy"]> {
  const beside = testFiles.filter((file) => dirname(file) === dirname(mutant.file))
  if (beside.length === 0) throw new Error(`no test beside ${mutant.file}`)
  for (const file of beside) {
    const child = spawn(process.execPath, ["--import", import.meta.resolve("./plant-mutant.ts"), file], {
      stdio: "ignore",
      timeout: timeoutMilliseconds,
      env: { ...process.env, [serverVariable]: url, [mutantVariable]: JSON.stringify(mutant) },
    })
    const [code] = await once(child, "close")
    if (code !== 0) return basename(file)
  }
  return null
}

export async function stopDatabase(): Promise<void> {
  await (await server)?.stop()
}
