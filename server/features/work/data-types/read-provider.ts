import { reseal, type Sealing, seal, unseal } from "#core/security/sealing.ts"
import { removeFromTrash } from "#core/trash.ts"
import { dataTypeErrors } from "./errors.ts"
import type { DataTypeRow, ProviderConfig } from "./queries.ts"

interface StoredProvider {
  providerConfig: ProviderConfig | null
  providerKey: Buffer | null
}

const purposeOf = (dataTypeId: string) => `data-type:${dataTypeId}`

/** Checks where an external type reads from, and seals the key that its service asks for. */
export async function readProvider(
  sealing: Sealing,
  type: Pick<DataTypeRow, "id" | "provider"> & Partial<StoredProvider>,
  body: { url?: string; key?: string | null } | null | undefined,
): Promise<StoredProvider> {
  if (type.provider === "internal") {
    if (body) throw dataTypeErrors.badProvider()
    return { providerConfig: null, providerKey: null }
  }
  const url = body?.url?.trim() ?? type.providerConfig?.url ?? ""
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol) || url.length > 2000)
    throw dataTypeErrors.badProvider()
  const key = body?.key ?? undefined
  if (key === undefined) return { providerConfig: { url }, providerKey: type.providerKey ?? null }
  if (!/^[\x20-\x7e]{1,4000}$/.test(key))
    throw dataTypeErrors.badProvider({
      message: "The key of providerConfig must contain only visible ASCII characters",
    })
  return { providerConfig: { url }, providerKey: await seal(sealing, purposeOf(type.id), key) }
}

/** The key to call an external service with. Throws when it was sealed under a key that is not known. */
export async function providerKeyOf(sealing: Sealing, type: DataTypeRow): Promise<string | undefined> {
  return type.providerKey ? unseal(sealing, purposeOf(type.id), type.providerKey) : undefined
}

interface StoredRow {
  organizationId: string
  id: string
  clear: string | null
  providerKey: Buffer | null
}

/**
 * Seals keys that an earlier version stored readable, removes them from the trash, and reseals what is under
 * an older key. Runs at every start, on several nodes at once too; returns how many rows it changed.
 */
export async function sealStoredProviders(sealing: Sealing): Promise<number> {
  const { sql } = sealing
  const rows = await sql<StoredRow[]>`
    select organization_id, id, provider_config ->> 'key' as clear, provider_key from data_types
    where provider_key is not null or provider_config ? 'key'`
  let count = 0
  for (const { organizationId, id, clear, providerKey } of rows) {
    const sealed = clear
      ? await seal(sealing, purposeOf(id), clear)
      : providerKey && (await reseal(sealing, purposeOf(id), providerKey))
    if (!sealed && clear === null) continue
    const changed = await sql`
      update data_types set provider_config = provider_config - 'key', provider_key = ${sealed ?? null}
      where organization_id = ${organizationId} and id = ${id} and provider_key is not distinct from ${providerKey}
        and provider_config ->> 'key' is not distinct from ${clear} returning 1`
    count += changed.length
  }
  return count + (await removeFromTrash(sql, "Data Type", ["provider_config", "key"]))
}
