import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import type { Pool } from "./database.ts"

const folder = new URL("../../../db/migrations/", import.meta.url)
const migrationLock = 7_270_117_002

/** Files that were changed and have the same outcome, by the checksum that databases know. */
const replaced: Readonly<Record<string, string>> = {
  // It dropped an index first and so kept readers of tasks out while another one was built.
  "0280-task-search.sql": "dcd052a1cfb871aab167cf0a31b916f51e5e84963a68fb1a979a3843bbc8a31b",
  // It wrote the sums of a day to pages all over the table.
  "1522-rollups-of-people.sql": "a139b03c9434448bb96f266ab5df6d06196a70bb7585b13331813a8c78977abd",
  // It failed where an arrived entry had a number of this installation.
  "1580-audit-undo.sql": "991e07496fc80f389111063e8dec9c02eb30fc8ecb69938c7b5ce87b1447af0e",
}

export interface Migration {
  name: string
  checksum: string
  text: string
}

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), "utf8")
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") }
    }),
  )
}

/** Whether this version has another file for an applied migration, with the same outcome. */
export function wasReplaced({ name, checksum }: { name: string; checksum: string }): boolean {
  return checksum === replaced[name]
}

/**
 * Brings the schema to this version, each migration in a transaction of its own, under an advisory lock:
 * of several nodes that start at once, one migrates and the others wait. Refuses a database whose applied
 * migrations differ from ours or are newer than us. With `only`, the others wait for a later call: a backup
 * is loaded into the schema that it was taken from.
 */
export async function migrate(sql: Pool, only?: ReadonlySet<string>): Promise<{ applied: string[] }> {
  const migrations = await readMigrations()
  const session = await sql.reserve()
  try {
    await session`set statement_timeout = 0`
    await session`select pg_advisory_lock(${migrationLock})`
    await session`
      create table if not exists schema_migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`
    const done = await session<
      { name: string; checksum: string }[]
    >`select name, checksum from schema_migrations`
    const known = new Map(migrations.map((migration) => [migration.name, migration.checksum]))
    for (const row of done) {
      const checksum = known.get(row.name)
      if (checksum === undefined)
        throw new Error(
          `The database has migration ${row.name}, which is unknown to this version. Start a newer version`,
        )
      if (checksum === row.checksum) continue
      if (!wasReplaced(row)) throw new Error(`Migration ${row.name} was changed after it had been applied`)
      await session`update schema_migrations set checksum = ${checksum} where name = ${row.name}`
    }
    const applied = new Set(done.map((row) => row.name))
    const missing = migrations.filter(
      ({ name }) => !applied.has(name) && (only === undefined || only.has(name)),
    )
    for (const migration of missing) {
      await session`begin`
      try {
        await session.unsafe(migration.text)
        await session`insert into schema_migrations (name, checksum) values (${migration.name}, ${migration.checksum})`
        await session`commit`
      } catch (cause) {
        await session`rollback`
        throw new Error(`Migration ${migration.name} failed: ${String(cause)}`, { cause })
      }
    }
    return { applied: missing.map((migration) => migration.name) }
  } finally {
    await session`select pg_advisory_unlock_all()`.catch(() => undefined)
    await session`reset statement_timeout`.catch(() => undefined)
    session.release()
  }
}
