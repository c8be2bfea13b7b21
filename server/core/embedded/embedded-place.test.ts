import assert from "node:assert/strict"
import { once } from "node:events"
import { readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"
import { startProcess, temporaryFolder } from "#testing/test-process.ts"
import { ConfigError, configExitCode } from "../config.ts"
import { hasEmbeddedDatabase } from "./embedded-postgres.ts"

test("a data folder that was copied without its database does not start as an empty installation", async (t) => {
  const dataDir = await temporaryFolder(t)
  await writeFile(join(dataDir, "DATABASE-IS-ELSEWHERE"), "/var/lib/fieldway/0123456789abcdef\n")
  const { child, output } = await startProcess(t, { DATA_DIR: dataDir })
  if (child.exitCode === null) await once(child, "exit")
  assert.equal(child.exitCode, configExitCode)
  assert.match(
    output(),
    /the database of .* is not in it: DATABASE-IS-ELSEWHERE there says \/var\/lib\/fieldway\/0123456789abcdef/,
  )
  assert.match(output(), /npm run backup on the old machine and npm run restore here/)
  assert.deepEqual(await readdir(dataDir), ["DATABASE-IS-ELSEWHERE"])
  // Commands that read the database say the same.
  await assert.rejects(hasEmbeddedDatabase(dataDir), ConfigError)
})
