import { type Static, Type } from "typebox"
import { Value } from "typebox/value"
import {
  databaseErrorOf,
  type Fragment,
  inTransaction,
  isDatabaseAway,
  type Sql,
} from "#core/database/database.ts"
import { reseal, type Sealing, seal, unseal } from "#core/security/sealing.ts"
import { rewriteTrash } from "#core/trash.ts"
import { mask, masked } from "./log/mask.ts"
import type { AutomationRow } from "./queries.ts"

/**
 * Values of headers, keys of senders and of signatures are stored sealed, apart from the rest of an automation;
 * in its details the mask is in their place.
 */
const Secrets = Type.Object({
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  secretKey: Type.Optional(Type.String()),
  signingSecret: Type.Optional(Type.String()),
  previousSigningSecret: Type.Optional(Type.String()),
  previousSigningSecretUntil: Type.Optional(Type.String()),
})
type Secrets = Static<typeof Secrets>

/** The key that signs deliveries and, for a while after a rotation, the one before it. */
export interface Signing {
  signingSecret: string | null
  previousSigningSecret: string | null
  previousSigningSecretUntil: Temporal.Instant | null
}

export interface OpenAutomation extends AutomationRow, Signing {}

export const unsigned: Signing = {
  signingSecret: null,
  previousSigningSecret: null,
  previousSigningSecretUntil: null,
}

const purposeOf = (automationId: string) => `automation:${automationId}`

/** What is stored of details that somebody wrote. */
export async function sealDetails(
  sealing: Sealing,
  automationId: string,
  details: Readonly<Record<string, unknown>>,
  { signingSecret, previousSigningSecret, previousSigningSecretUntil }: Signing,
): Promise<{ details: Record<string, unknown>; secrets: Buffer | null }> {
  const secrets: Secrets = {}
  const headers = Object.entries(details.headers ?? {}).map(([name, value]) => [name, String(value)])
  if (headers.length > 0) secrets.headers = Object.fromEntries(headers)
  if (typeof details.secretKey === "string") secrets.secretKey = details.secretKey
  if (signingSecret !== null) secrets.signingSecret = signingSecret
  if (previousSigningSecret !== null && previousSigningSecretUntil !== null) {
    secrets.previousSigningSecret = previousSigningSecret
    secrets.previousSigningSecretUntil = previousSigningSecretUntil.toString()
  }
  const isEmpty = Object.keys(secrets).length === 0
  return {
    details: masked(details),
    secrets: isEmpty ? null : await seal(sealing, purposeOf(automationId), JSON.stringify(secrets)),
  }
}

/** Puts the secrets back where they belong. Throws when they were sealed under a key that is not known. */
export async function openAutomation(sealing: Sealing, row: AutomationRow): Promise<OpenAutomation> {
  if (!row.secrets) return { ...row, ...unsigned }
  const read: unknown = JSON.parse(await unseal(sealing, purposeOf(row.id), row.secrets))
  const { headers, secretKey, signingSecret = null, ...previous } = Value.Parse(Secrets, read)
  const details = { ...row.details }
  if (headers) details.headers = { ...(details.headers as object), ...headers }
  if (secretKey !== undefined) details.secretKey = secretKey
  const until = previous.previousSigningSecretUntil
  return {
    ...row,
    details,
    signingSecret,
    previousSigningSecret: previous.previousSigningSecret ?? null,
    previousSigningSecretUntil: until === undefined ? null : Temporal.Instant.from(until),
  }
}

/** The keys that deliveries are signed with at a moment, the newest first. */
export function signingKeys(signing: Signing, now: Temporal.Instant): string[] {
  const { signingSecret, previousSigningSecret, previousSigningSecretUntil: until } = signing
  if (signingSecret === null) return []
  const isOldValid = previousSigningSecret !== null && until && Temporal.Instant.compare(now, until) < 0
  return isOldValid ? [signingSecret, previousSigningSecret] : [signingSecret]
}

/** The same, with masks and the reason where secrets cannot be opened. */
export async function openOrReason(
  sealing: Sealing,
  row: AutomationRow,
): Promise<{ automation: OpenAutomation; reason: string | undefined }> {
  try {
    return { automation: await openAutomation(sealing, row), reason: undefined }
  } catch (error) {
    // The key could not be read just now, which says nothing about the secrets.
    if (isDatabaseAway(error) || databaseErrorOf(error)) throw error
    return { automation: { ...row, ...unsigned }, reason: String(error) }
  }
}

/** With masks where secrets cannot be opened: an owner must be able to enter them again. */
export async function openForEditing(sealing: Sealing, row: AutomationRow): Promise<OpenAutomation> {
  return (await openOrReason(sealing, row)).automation
}

interface StoredSecrets {
  organizationId: string
  id: string
  details: Record<string, unknown>
  signingSecret: string | null
  secrets: Buffer | null
}

/**
 * Seals what an earlier version stored in clear, in the trash too, and what is sealed under an older key. Runs
 * at every start and changes only what has to be changed. Returns how many automations that were.
 */
export async function sealStoredAutomations(sealing: Sealing): Promise<number> {
  const { sql } = sealing
  const stored = await sql<StoredSecrets[]>`
    select organization_id, id, details, signing_secret, secrets from automations
    where ${hasSecrets(sql, sql`details`, sql`signing_secret`, sql`secrets is not null`)}`
  let count = 0
  for (const row of stored) {
    const sealed = await sealedAnew(sealing, row)
    if (!sealed) continue
    await inTransaction(sql, async (tx) => {
      // Nothing that people set changes, and the audit trail would keep what was stored in clear.
      await tx`select set_config('fieldway.origin', '{}', true)`
      await tx`
        update automations set details = ${tx.json(sealed.details)}, secrets = ${sealed.secrets}, signing_secret = null
        where organization_id = ${row.organizationId} and id = ${row.id}
          and secrets is not distinct from ${row.secrets} and details = ${tx.json(row.details)}`
    })
    count += 1
  }
  return count + (await sealTrash(sealing))
}

async function sealTrash(sealing: Sealing): Promise<number> {
  const { sql } = sealing
  const rows = await sql<{ organizationId: string; trashId: string; content: Record<string, unknown> }[]>`
    select organization_id, id as trash_id, content from trash
    where type = 'Automation'
      and ${hasSecrets(sql, sql`content -> 'details'`, sql`content ->> 'signing_secret'`, sql`content ->> 'secrets' is not null`)}`
  let count = 0
  for (const { organizationId, trashId, content } of rows) {
    const { id, details, signing_secret: signingSecret, secrets } = content
    const sealed = await sealedAnew(sealing, {
      organizationId,
      id: String(id),
      details: (details ?? {}) as Record<string, unknown>,
      signingSecret: typeof signingSecret === "string" ? signingSecret : null,
      secrets: typeof secrets === "string" ? Buffer.from(secrets.slice(2), "hex") : null,
    })
    if (!sealed) continue
    const kept = {
      ...content,
      details: sealed.details,
      signing_secret: null,
      secrets: sealed.secrets && `\\x${sealed.secrets.toString("hex")}`,
    }
    await rewriteTrash(sql, { organizationId, trashId }, kept)
    count += 1
  }
  return count
}

function hasSecrets(sql: Sql, details: Fragment, signingSecret: Fragment, isSealed: Fragment) {
  return sql`(${isSealed} or ${signingSecret} is not null or ${details} ? 'headers' or ${details} ? 'secretKey')`
}

async function sealedAnew(sealing: Sealing, row: StoredSecrets) {
  if (row.secrets) {
    const secrets = await reseal(sealing, purposeOf(row.id), row.secrets)
    return secrets && { details: row.details, secrets }
  }
  const { headers, secretKey } = row.details as { headers?: Record<string, unknown>; secretKey?: unknown }
  const isClear =
    row.signingSecret !== null ||
    (secretKey !== undefined && secretKey !== mask) ||
    Object.values(headers ?? {}).some((value) => value !== mask)
  const signing = { ...unsigned, signingSecret: row.signingSecret }
  return isClear ? sealDetails(sealing, row.id, row.details, signing) : undefined
}
