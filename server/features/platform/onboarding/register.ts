import { inTransaction, type Sql, type Tx } from "#core/database/database.ts"
import { readName } from "#core/plain-text.ts"
import type { Language } from "#shared/languages.ts"
import { queueMail } from "../../organization/mails/index.ts"
import {
  accountErrors,
  checkStrength,
  findAccount,
  insertAccount,
  issueCode,
  verifyDays,
} from "../../people/accounts/index.ts"
import { findUnconfirmedOwner } from "../../people/users/index.ts"
import { createOrganization } from "./create-organization.ts"

export interface Registration {
  email: string
  password: string
  name: string
  /** Of the first mail, until the organization is set up. */
  language: Language
}

export interface MailContext {
  publicUrl: string
  hasMailServer: boolean
}

/**
 * Makes an account and an organization that both wait until the address is proved. An e-mail that has an
 * account already is refused: that is the contract, hence registering is throttled per address.
 */
export async function register(sql: Sql, options: Registration, context: MailContext): Promise<void> {
  const name = readName(options.name, "user", "name")
  await checkStrength(options.password, [options.email, name, "fieldway"])
  await inTransaction(sql, async (tx) => {
    const account = await insertAccount(tx, { email: options.email, password: options.password })
    if (!account.isNew) throw accountErrors.emailTaken()
    const made = await createOrganization(tx, {
      name,
      language: options.language,
      status: "pending",
      flows: [],
      owner: { accountId: account.id, email: account.email, name },
    })
    await sendVerification(
      tx,
      { ...account, name, organizationId: made.organizationId, language: options.language },
      context,
    )
  })
}

interface Registered {
  id: string
  email: string
  name: string
  organizationId: string
  language: string
}

/**
 * Mails the activation link. Without a mail server it waits in the outbox of the installation's first
 * organization: the new one has nobody yet who could read its own.
 */
async function sendVerification(tx: Tx, account: Registered, context: MailContext): Promise<void> {
  const code = await issueCode(tx, account.id, "verify")
  if (!code) return
  const link = `${context.publicUrl}/verify?email=${encodeURIComponent(account.email)}&code=${code}`
  const organizationId = context.hasMailServer ? account.organizationId : null
  await queueMail(tx, { organizationId, email: account.email, language: account.language }, "verify", {
    name: account.name,
    link,
    days: verifyDays,
  })
}

/** Sends the activation link once more, to an account that still waits for it. Anything else: nothing happens. */
export async function sendVerificationAgain(sql: Sql, email: string, context: MailContext): Promise<void> {
  await inTransaction(sql, async (tx) => {
    const account = await findAccount(tx, { email })
    const owner = await findUnconfirmedOwner(tx, account?.id)
    if (account && owner) await sendVerification(tx, { ...account, ...owner }, context)
  })
}
