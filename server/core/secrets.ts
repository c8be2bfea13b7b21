import { randomBytes } from "node:crypto"
import type { Sql } from "./database.ts"

/** A secret of this installation, made at first use and the same on every node from then on. */
export async function installationSecret(sql: Sql, name: string): Promise<Buffer> {
  await sql`
    insert into installation_secrets (name, secret) values (${name}, ${randomBytes(32)}) on conflict do nothing`
  const rows = await sql<{ secret: Buffer }[]>`select secret from installation_secrets where name = ${name}`
  const secret = rows[0]?.secret
  if (!secret) throw new Error(`the installation secret ${name} is gone`)
  return Buffer.from(secret)
}
