import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { chmod, chown, mkdtemp, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, test } from "node:test"
import { promisify } from "node:util"
import { startEmbeddedPostgres } from "../embedded/embedded-postgres.ts"
import { createLog } from "../telemetry/log.ts"
import { createMetrics } from "../telemetry/metrics.ts"
import { connect, type Pool } from "./database.ts"
import { openReadReplica } from "./read-replica.ts"

const log = createLog("silent")
const undo: (() => Promise<unknown>)[] = []
after(async () => {
  for (const step of undo.reverse()) await step()
})

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "fieldway-test-"))
  await chmod(path, 0o711)
  undo.push(() => rm(path, { recursive: true, force: true }))
  return path
}

async function startServer(dataDir: string, settings: readonly string[] = []) {
  const server = await startEmbeddedPostgres(dataDir, { log, settings: ["fsync=off", ...settings] })
  undo.push(() => server.stop())
  return server.url
}

function pool(url: string): Pool {
  const sql = connect(url, { max: 2 })
  undo.push(() => sql.end({ timeout: 2 }))
  return sql
}

/** A streaming replica made of a copy of the primary's folder. */
async function startReplica(primary: Pool, primaryDir: string, primaryUrl: string): Promise<string> {
  const replicaDir = await folder()
  const session = await primary.reserve()
  await session`select pg_backup_start('replica', true)`
  await promisify(execFile)("cp", ["-a", join(primaryDir, "postgres"), join(replicaDir, "postgres")])
  const [stopped] = await session<{ label: string }[]>`select labelfile as label from pg_backup_stop(false)`
  session.release()
  const data = join(replicaDir, "postgres")
  for (const name of ["postmaster.pid", ".s.PGSQL.5432", ".s.PGSQL.5432.lock"])
    await rm(join(data, name), { force: true })
  const { uid, gid } = await stat(data)
  for (const [name, content] of [
    ["backup_label", stopped?.label ?? ""],
    ["standby.signal", ""],
  ] as const) {
    await writeFile(join(data, name), content)
    await chown(join(data, name), uid, gid)
  }
  const host = new URL(primaryUrl).searchParams.get("host")
  return startServer(replicaDir, [`primary_conninfo=host=${host} user=fieldway`])
}

test("a read goes to the replica only when everything committed before is there", async () => {
  const primaryDir = await folder()
  const primaryUrl = await startServer(primaryDir)
  const primary = pool(primaryUrl)
  await primary`create table notes (text text)`
  const replicaUrl = await startReplica(primary, primaryDir, primaryUrl)
  const metrics = createMetrics()
  const replica = openReadReplica(primary, replicaUrl, { max: 2 }, metrics)
  undo.push(() => replica.end())
  const direct = pool(replicaUrl)

  for (const text of ["one", "two", "three"]) {
    await primary`insert into notes values (${text})`
    const source = (await replica.caughtUp()) ?? primary
    const rows = await source<{ text: string }[]>`select text from notes`
    assert.ok(rows.some((row) => row.text === text))
  }
  const used = await replica.caughtUp()
  assert.notEqual(used, undefined, "a replica that keeps up is used")
  await assert.rejects(async () => used?.unsafe("insert into notes values ('x')"), /read-only transaction/)

  await direct`select pg_wal_replay_pause()`
  await primary`insert into notes values ('late')`
  assert.equal(await replica.caughtUp(), undefined, "one that is behind is not")
  await direct`select pg_wal_replay_resume()`
  const text = await metrics.registry.metrics()
  assert.match(text, /fieldway_replica_reads_total\{database="replica"\} [1-9]/)
  assert.match(text, /fieldway_replica_reads_total\{database="primary"\} [1-9]/)
  assert.match(text, /fieldway_replica_lag_seconds \d/)
})
