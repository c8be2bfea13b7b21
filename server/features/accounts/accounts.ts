import type { Tx } from "#core/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { hashPassword } from "#core/passwords.ts"

/** One form for all spellings of an address: NFKC, lower case, no outer spaces. */
export function normalizeEmail(email: string): string {
  return email.normalize("NFKC").trim().toLowerCase()
}

export interface AccountKey {
  id: Id<"account">
  email: string
  isNew: boolean
}

/** Makes the account of an e-mail, or finds the one that there is and leaves it as it is. */
export async function insertAccount(
  tx: Tx,
  wish: { email: string; password?: string | undefined },
): Promise<AccountKey> {
  const email = normalizeEmail(wish.email)
  const known = await tx<{ id: Id<"account"> }[]>`select id from accounts where email = ${email}`
  if (known[0]) return { id: known[0].id, email, isNew: false }
  const passwordHash = wish.password === undefined ? null : await hashPassword(wish.password)
  const made = await tx<{ id: Id<"account"> }[]>`
    insert into accounts (id, email, password_hash, password_changed_time)
    values (${newId<"account">()}, ${email}, ${passwordHash}, ${passwordHash === null ? null : tx`now()`})
    on conflict (email) do nothing returning id`
  if (made[0]) return { id: made[0].id, email, isNew: true }
  return insertAccount(tx, wish)
}
