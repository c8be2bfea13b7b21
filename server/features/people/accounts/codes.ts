import { createHash, randomBytes } from "node:crypto"
import type { Sql, Tx } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"

export type CodeKind = "verify" | "reset"

export const verifyDays = 7
export const resetMinutes = 60
const maxInAnHour = 3

export function hashCode(code: string): Buffer {
  return createHash("sha256").update(code).digest()
}

/** 128 random bits as 32 hex characters. */
export function newCode(): string {
  return randomBytes(16).toString("hex")
}

/**
 * A new code for an account, of which only the hash is stored. Undefined when the account already got three
 * within the hour: nobody's mailbox is flooded.
 */
export async function issueCode(tx: Tx, accountId: string, kind: CodeKind): Promise<string | undefined> {
  const recent = await tx`
    select 1 from account_codes
    where account_id = ${accountId} and kind = ${kind} and created_time > now() - interval '1 hour'`
  if (recent.length >= maxInAnHour) return undefined
  const code = newCode()
  const minutes = kind === "reset" ? resetMinutes : verifyDays * 24 * 60
  await tx`
    insert into account_codes (id, account_id, kind, hash, expires_at)
    values (${newId()}, ${accountId}, ${kind}, ${hashCode(code)}, now() + make_interval(mins => ${minutes}))`
  return code
}

/**
 * Uses a code up. True when it is this account's and has not expired; then all codes of the kind are gone, so
 * that of two calls with one code only the first succeeds.
 */
export async function spendCode(
  tx: Tx,
  accountId: string | undefined,
  kind: CodeKind,
  code: string,
): Promise<boolean> {
  const used = await tx`
    delete from account_codes
    where hash = ${hashCode(code)} and account_id = ${accountId ?? ""} and kind = ${kind} and expires_at > now() returning 1`
  if (used.length === 0) return false
  await tx`delete from account_codes where account_id = ${accountId ?? ""} and kind = ${kind}`
  return true
}

export async function removeOldCodes(sql: Sql): Promise<void> {
  await sql`delete from account_codes where expires_at < now() - interval '1 day'`
}
