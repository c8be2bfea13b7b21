import type { Sql } from "#core/database/database.ts"
import { reseal, type Sealing, seal, unseal } from "#core/security/sealing.ts"
import { createVapidKeys, type VapidKeys } from "#packages/web-push/web-push.ts"

const purpose = "push key"

interface StoredKeys {
  publicKey: string
  sealedKey: Buffer
}

/** The installation's key pair, created at first use. Subscriptions are bound to it, so it is never replaced. */
export async function pushKeys(sealing: Sealing): Promise<VapidKeys> {
  const { sql } = sealing
  let stored = await find(sql)
  if (!stored) {
    const { publicKey, privateKey } = createVapidKeys()
    await sql`
      insert into push_keys (public_key, sealed_key)
      values (${publicKey}, ${await seal(sealing, purpose, privateKey)}) on conflict do nothing`
    stored = await find(sql)
  }
  if (!stored) throw new Error("the key pair for push messages is missing")
  return { publicKey: stored.publicKey, privateKey: await unseal(sealing, purpose, stored.sealedKey) }
}

async function find(sql: Sql): Promise<StoredKeys | undefined> {
  const rows = await sql<StoredKeys[]>`select public_key, sealed_key from push_keys`
  return rows[0]
}

/** Reseals the private key after a change of SECRETS_KEY; returns how many keys changed. */
export async function sealStoredPushKeys(sealing: Sealing): Promise<number> {
  const stored = await find(sealing.sql)
  const resealed = stored && (await reseal(sealing, purpose, stored.sealedKey))
  if (!resealed) return 0
  const changed = await sealing.sql`
    update push_keys set sealed_key = ${resealed} where sealed_key = ${stored.sealedKey} returning 1`
  return changed.length
}
