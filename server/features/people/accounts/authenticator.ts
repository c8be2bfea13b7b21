import { randomBytes } from "node:crypto"
import type { Sql, Tx } from "#core/database/database.ts"
import { reseal, type Sealing, type SealingKeys, seal, unseal } from "#core/security/sealing.ts"
import { hashCode } from "./codes.ts"
import { accountErrors } from "./errors.ts"
import { authenticatorUri, base32, matchingStep } from "./totp.ts"

const secretBytes = 20
const recoveryCount = 10
/** 120 bits: a plain hash of them cannot be guessed. */
const recoveryBytes = 15

const purposeOf = (accountId: string) => `account-totp:${accountId}`

interface Authenticator {
  email: string
  /** Undefined without an authenticator, and when it was sealed under a key that is not known. */
  secret: Buffer | undefined
  isEnabled: boolean
  lastStep: number | null
  recoveryCodes: string[]
}

async function lockAuthenticator(tx: Tx, config: SealingKeys, accountId: string): Promise<Authenticator> {
  const rows = await tx<(Authenticator & { sealed: Buffer | null })[]>`
    select email, totp_sealed as sealed, totp_enabled_time is not null as is_enabled, totp_last_step as last_step, recovery_codes
    from accounts where id = ${accountId} for update`
  const row = rows[0]
  if (!row) throw new Error("The account of a caller no longer exists")
  const opened =
    row.sealed && (await unseal({ sql: tx, config }, purposeOf(accountId), row.sealed).catch(() => null))
  return { ...row, secret: opened === null ? undefined : Buffer.from(opened, "base64") }
}

export async function readAuthenticator(sql: Sql, accountId: string) {
  const rows = await sql<{ isEnabled: boolean; recoveryCodesLeft: number }[]>`
    select totp_enabled_time is not null as is_enabled, cardinality(recovery_codes) as recovery_codes_left
    from accounts where id = ${accountId}`
  return rows[0] ?? { isEnabled: false, recoveryCodesLeft: 0 }
}

/** A new secret, which counts once a code made with it has been given. */
export async function beginAuthenticator(tx: Tx, config: SealingKeys, accountId: string) {
  const { email, isEnabled } = await lockAuthenticator(tx, config, accountId)
  if (isEnabled)
    throw accountErrors.badCode({ message: "An authenticator is already enabled. Disable it first" })
  const secret = randomBytes(secretBytes)
  const sealed = await seal({ sql: tx, config }, purposeOf(accountId), secret.toString("base64"))
  await tx`update accounts set totp_sealed = ${sealed}, totp_last_step = null where id = ${accountId}`
  return { secret: base32(secret), uri: authenticatorUri(secret, email) }
}

/** Switches the authenticator on with a first right code. Returns the recovery codes, shown once. */
export async function confirmAuthenticator(
  tx: Tx,
  config: SealingKeys,
  accountId: string,
  code: string,
  now: Temporal.Instant,
): Promise<string[]> {
  const { secret, isEnabled } = await lockAuthenticator(tx, config, accountId)
  const step = secret && !isEnabled ? matchingStep(secret, code, now, null) : undefined
  if (step === undefined) throw accountErrors.badCode()
  await tx`
    update accounts set totp_enabled_time = ${now}, totp_last_step = ${step} where id = ${accountId}`
  return renewRecoveryCodes(tx, accountId)
}

export async function renewRecoveryCodes(tx: Tx, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCount }, () => {
    const text = base32(randomBytes(recoveryBytes)).toLowerCase()
    return (text.match(/.{4}/g) ?? []).join("-")
  })
  await tx`
    update accounts set recovery_codes = ${codes.map((code) => hashCode(code).toString("hex"))} where id = ${accountId}`
  return codes
}

export async function removeAuthenticator(tx: Tx, accountId: string): Promise<void> {
  await tx`
    update accounts set totp_secret = null, totp_sealed = null, totp_enabled_time = null, totp_last_step = null, recovery_codes = '{}'
    where id = ${accountId}`
}

/** Whether this is the app's code of now, or an unused recovery code. Either is used up by it. */
export async function spendAuthenticatorCode(
  tx: Tx,
  config: SealingKeys,
  accountId: string,
  code: string,
  now: Temporal.Instant,
): Promise<boolean> {
  const { secret, isEnabled, lastStep, recoveryCodes } = await lockAuthenticator(tx, config, accountId)
  if (!isEnabled) return false
  const step = secret && matchingStep(secret, code, now, lastStep)
  if (step !== undefined) {
    await tx`update accounts set totp_last_step = ${step} where id = ${accountId}`
    return true
  }
  const hash = hashCode(code.trim().toLowerCase()).toString("hex")
  if (!recoveryCodes.includes(hash)) return false
  await tx`update accounts set recovery_codes = array_remove(recovery_codes, ${hash}) where id = ${accountId}`
  return true
}

/**
 * Seals secrets of authenticators that an earlier version stored readable, and reseals those under an older key.
 * Runs at every start, on several nodes at once too; returns how many rows it changed.
 */
export async function sealStoredAuthenticators(sealing: Sealing): Promise<number> {
  const { sql } = sealing
  const rows = await sql<{ id: string; clear: Buffer | null; sealed: Buffer | null }[]>`
    select id, totp_secret as clear, totp_sealed as sealed from accounts
    where totp_secret is not null or totp_sealed is not null`
  let count = 0
  for (const { id, clear, sealed } of rows) {
    const resealed = clear
      ? await seal(sealing, purposeOf(id), Buffer.from(clear).toString("base64"))
      : sealed && (await reseal(sealing, purposeOf(id), sealed))
    if (!resealed) continue
    const changed = await sql`
      update accounts set totp_secret = null, totp_sealed = ${resealed}
      where id = ${id} and totp_secret is not distinct from ${clear} and totp_sealed is not distinct from ${sealed}
      returning 1`
    count += changed.length
  }
  return count
}
