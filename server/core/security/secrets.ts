import { randomBytes } from "node:crypto"
import type { Sql } from "../database/database.ts"

/** A secret of this installation, made at first use and the same on every node from then on. */
export async function installationSecret(sql: Sql, name: string): Promise<Buffer> {
  const known = await find(sql, name)
  if (known) return known
  await sql`
    insert into installation_secrets (name, secret) values (${name}, ${randomBytes(32)}) on conflict do nothing`
  const made = await find(sql, name)
  if (!made) throw new Error(`the installation secret ${name} is missing`)
  return made
}

async function find(sql: Sql, name: string): Promise<Buffer | undefined> {
  const rows = await sql<{ secret: Buffer }[]>`select secret from installation_secrets where name = ${name}`
  return rows[0] && Buffer.from(rows[0].secret)
}
