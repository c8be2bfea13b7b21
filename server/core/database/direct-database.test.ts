import assert from "node:assert/strict"
import { test } from "node:test"
import { faultLine } from "#testing/services/fault-line.ts"
import { startPgBouncer } from "#testing/services/pgbouncer.ts"
import { createTestDatabase } from "#testing/test-database.ts"
import { startProcess, temporaryFolder } from "#testing/test-process.ts"
import { poolerProblem, refusePooler, timeoutMilliseconds } from "./direct-database.ts"

const refused = { problems: [poolerProblem] }

test("PostgreSQL itself is taken; what refuses the settings of a session is not", async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const line = await faultLine(t, database.url)
  await refusePooler(database.url)
  await refusePooler(line.url)
  line.set("pooler")
  await assert.rejects(refusePooler(line.url), refused)
})

test("a PgBouncer is refused in one line with 78, also one that swallows settings or shares sessions", {
  skip: process.env.FIELDWAY_LONG === undefined && "long round only",
}, async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const plain = await startPgBouncer(t, database.url, [])
  if (!plain) return t.skip("no pgbouncer on this machine")
  const swallowed = "ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout"
  const swallowing = await startPgBouncer(t, database.url, [swallowed])
  // The database's own setting hides that the session's was swallowed: it is left to see who shares a process.
  const name = new URL(database.url).pathname.slice(1)
  const url = swallowing ?? ""
  for (const pooled of [plain, url]) await assert.rejects(refusePooler(pooled), refused)
  await database.sql.unsafe(`alter database ${name} set statement_timeout = ${timeoutMilliseconds}`)
  await assert.rejects(refusePooler(url), refused)
  const dataDir = await temporaryFolder(t)
  const started = await startProcess(t, { DATA_DIR: dataDir, DATABASE_URL: plain })
  assert.equal(started.child.exitCode, 78, started.output())
  assert.equal(started.output().trim(), poolerProblem)
})
