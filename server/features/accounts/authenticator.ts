import { randomBytes } from "node:crypto"
import type { Sql, Tx } from "#core/database.ts"
import { hashCode } from "./codes.ts"
import { accountErrors } from "./errors.ts"
import { authenticatorUri, base32, matchingStep } from "./totp.ts"

const secretBytes = 20
const recoveryCount = 10

interface Authenticator {
  email: string
  secret: Buffer | null
  isEnabled: boolean
  lastStep: number | null
  recoveryCodes: string[]
}

async function lockAuthenticator(tx: Tx, accountId: string): Promise<Authenticator> {
  const rows = await tx<Authenticator[]>`
    select email, totp_secret as secret, totp_enabled_time is not null as is_enabled, totp_last_step as last_step, recovery_codes
    from accounts where id = ${accountId} for update`
  if (!rows[0]) throw new Error("the account of a caller is gone")
  return rows[0]
}

export async function readAuthenticator(sql: Sql, accountId: string) {
  const rows = await sql<{ isEnabled: boolean; recoveryCodesLeft: number }[]>`
    select totp_enabled_time is not null as is_enabled, cardinality(recovery_codes) as recovery_codes_left
    from accounts where id = ${accountId}`
  return rows[0] ?? { isEnabled: false, recoveryCodesLeft: 0 }
}

/** A new secret, which counts once a code made with it has been given. */
export async function beginAuthenticator(tx: Tx, accountId: string) {
  const { email, isEnabled } = await lockAuthenticator(tx, accountId)
  if (isEnabled)
    throw accountErrors.badCode({ message: "An authenticator is on already: switch it off first" })
  const secret = randomBytes(secretBytes)
  await tx`update accounts set totp_secret = ${secret}, totp_last_step = null where id = ${accountId}`
  return { secret: base32(secret), uri: authenticatorUri(secret, email) }
}

/** Switches the authenticator on with a first right code. Returns the recovery codes, shown once. */
export async function confirmAuthenticator(
  tx: Tx,
  accountId: string,
  code: string,
  now: Temporal.Instant,
): Promise<string[]> {
  const { secret, isEnabled } = await lockAuthenticator(tx, accountId)
  const step = secret && !isEnabled ? matchingStep(secret, code, now, null) : undefined
  if (step === undefined) throw accountErrors.badCode()
  await tx`
    update accounts set totp_enabled_time = ${now}, totp_last_step = ${step} where id = ${accountId}`
  return renewRecoveryCodes(tx, accountId)
}

export async function renewRecoveryCodes(tx: Tx, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCount }, () => {
    const text = base32(randomBytes(10)).toLowerCase()
    return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}`
  })
  await tx`
    update accounts set recovery_codes = ${codes.map((code) => hashCode(code).toString("hex"))} where id = ${accountId}`
  return codes
}

export async function removeAuthenticator(tx: Tx, accountId: string): Promise<void> {
  await tx`
    update accounts set totp_secret = null, totp_enabled_time = null, totp_last_step = null, recovery_codes = '{}'
    where id = ${accountId}`
}

/** Whether this is the app's code of now, or an unused recovery code. Either is used up by it. */
export async function spendAuthenticatorCode(
  tx: Tx,
  accountId: string,
  code: string,
  now: Temporal.Instant,
): Promise<boolean> {
  const { secret, isEnabled, lastStep, recoveryCodes } = await lockAuthenticator(tx, accountId)
  if (!secret || !isEnabled) return false
  const step = matchingStep(secret, code, now, lastStep)
  if (step !== undefined) {
    await tx`update accounts set totp_last_step = ${step} where id = ${accountId}`
    return true
  }
  const hash = hashCode(code.trim().toLowerCase()).toString("hex")
  if (!recoveryCodes.includes(hash)) return false
  await tx`update accounts set recovery_codes = array_remove(recovery_codes, ${hash}) where id = ${accountId}`
  return true
}
