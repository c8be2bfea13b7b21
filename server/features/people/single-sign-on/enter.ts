import { audit } from "#core/audit.ts"
import { setOrigin } from "#core/audit-trail/origin.ts"
import type { Tx } from "#core/database/database.ts"
import type { SealingKeys } from "#core/security/sealing.ts"
import { findAccount, normalizeEmail } from "../accounts/index.ts"
import type { IntegrationRow } from "../app-integrations/index.ts"
import {
  beginChallenge,
  type Membership,
  needsSecondFactor,
  noteEntry,
  openSession,
  type Session,
} from "../sessions/index.ts"
import type { RefusalReason } from "./refusal.ts"

/** Signed in, waiting for a one-time code, or refused. */
export type Entered = { session: Session } | { challengeId: string } | { refused: RefusalReason }

/**
 * Lets the person in whom a provider vouches for, into the provider's organization and no other. Only an
 * active membership with this e-mail opens: it creates, joins or confirms nobody (`provision` does), so a directory
 * cannot take over an account of somebody who is not its organization's. A code that the role or the account demands
 * is still due. A lock against guessed passwords does not count: no password is involved.
 */
export async function enter(
  tx: Tx,
  config: SealingKeys,
  { organizationId }: Pick<IntegrationRow, "organizationId">,
  email: string,
  address: string,
): Promise<Entered> {
  const normal = normalizeEmail(email)
  const [member] = await tx<(Membership & { accountId: string; status: string })[]>`
    select id as user_id, organization_id, account_id, status from users
    where organization_id = ${organizationId} and email = ${normal}`
  const account = member && (await findAccount(tx, { id: member.accountId }))
  if (!member || !account || member.status !== "active") {
    const isWaiting = member?.status === "pending" || member?.status === "inactive"
    const refused = isWaiting ? "waiting" : "unknown"
    await audit(
      tx,
      { organizationId, email: null, address },
      { action: "session.refuse", targetType: "user", targetId: member?.userId ?? null, targetName: normal },
    )
    return { refused }
  }
  // What follows is the act of the person, not of the connection that may have made them a member.
  const by = { email: account.email, id: member.userId, address }
  await setOrigin(tx, { kind: "person", via: "console", ...by })
  const method = await needsSecondFactor(tx, member, account)
  if (method) return { challengeId: await beginChallenge(tx, config, member, account.email, method, "sso") }
  const session = await openSession(tx, member, { signIn: "sso" })
  if (!session) return { refused: "unknown" }
  await noteEntry(tx, session, account.email, address)
  return { session }
}
