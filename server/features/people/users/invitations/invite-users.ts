import type { Static } from "typebox"
import { type Caller, may } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { inTransaction } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import { entryReader } from "#core/http/validation.ts"
import { normalizeEmail } from "../../accounts/index.ts"
import { createUser } from "../create-user.ts"
import { userErrors } from "../errors.ts"
import { announceUser } from "../events.ts"
import { lockUsers } from "../queries.ts"
import { type InviteBody, InviteEachBody, maxEmails } from "../schemas.ts"
import { type ChangeContext, sendInvitation } from "./invitation.ts"

type Invitation = Static<typeof InviteBody>

/** Inviting shows people and roles, so it also needs the permissions to see them. */
export function checkInviter(caller: Caller): void {
  const missing = (["view/user", "view/role"] as const).find((name) => !may(caller, name))
  if (missing) throw userErrors.noRight({ message: `Inviting also requires the permission ${missing}` })
}

/** Invites all of the e-mails or, when one cannot be invited, none. Spellings of one address count once. */
export async function inviteAll(
  tx: Tx,
  caller: Caller,
  body: Invitation,
  context: ChangeContext,
): Promise<string[]> {
  const emails = [...new Set(body.email.map(normalizeEmail))].sort()
  for (const email of emails) await inviteOne(tx, caller, email, body, context)
  return emails
}

export interface InviteOutcome {
  success: number
  errors: string[]
}

/** One e-mail of an invitation, or why it cannot be read. */
type InviteEntry = { email: string; invitation: Invitation } | { error: string }

const readInvitation = entryReader(InviteEachBody, "user")

/** The e-mails of invitations, each with its role and hubs. Spellings of one address in an invitation count once. */
export function readInvitations(invitations: readonly unknown[]): InviteEntry[] {
  return invitations.flatMap((invitation, index): InviteEntry[] => {
    const { email: emails } = Object(invitation) as { email?: unknown }
    if (!Array.isArray(emails) || emails.length === 0 || emails.length > maxEmails)
      return [readEntry(invitation, `invitations.${index}`)]
    const spellings = new Map(emails.map((email) => [normalizeEmail(String(email)), email]))
    return [...spellings].map(([name, email]) => readEntry({ ...Object(invitation), email: [email] }, name))
  })
}

function readEntry(value: unknown, name: string): InviteEntry {
  try {
    const invitation = readInvitation(value)
    return { email: normalizeEmail(invitation.email[0] as string), invitation }
  } catch (error) {
    return { error: explain(error, name) }
  }
}

/** Invites each e-mail on its own: one that cannot be invited does not keep the others out. */
export async function inviteEach(
  tx: Tx,
  caller: Caller,
  entries: readonly InviteEntry[],
  context: ChangeContext,
): Promise<InviteOutcome> {
  const outcome: InviteOutcome = { success: 0, errors: [] }
  for (const entry of entries) {
    if ("error" in entry) {
      outcome.errors.push(entry.error)
      continue
    }
    const { email, invitation } = entry
    try {
      await inTransaction(tx, (point) => inviteOne(point, caller, email, invitation, context))
      outcome.success += 1
    } catch (error) {
      outcome.errors.push(explain(error, email))
    }
  }
  return outcome
}

function explain(error: unknown, name: string): string {
  if (!(error instanceof AppError)) throw error
  return error.message.includes(name) ? error.message : `${name}: ${error.message}`
}

async function inviteOne(
  tx: Tx,
  caller: Caller,
  email: string,
  body: Invitation,
  context: ChangeContext,
): Promise<void> {
  const known = await tx<{ status: string }[]>`
    select status from users where organization_id = ${caller.organizationId} and email = ${email}`
  const status = known[0]?.status
  if (status !== undefined) {
    const refusal =
      status === "pending" || status === "reject" ? userErrors.alreadyInvited : userErrors.activeMember
    const message =
      status === "pending" || status === "reject"
        ? `${email} is invited already: send the mail again`
        : `${email} is already a member`
    throw refusal({ message, fields: { email: [message] } })
  }
  await createUser(
    tx,
    caller,
    { email, roleId: body.roleId, hubId: body.hubId ?? [], teamId: body.teamId },
    context,
  )
}

/** Sends the invitation again, with a new link; the old one no longer works. */
export async function reinvite(
  tx: Tx,
  caller: Caller,
  emails: readonly string[],
  context: ChangeContext,
): Promise<void> {
  for (const email of new Set(emails.map(normalizeEmail))) {
    const rows = await tx<{ id: string; status: string }[]>`
      select id, status from users where organization_id = ${caller.organizationId} and email = ${email}`
    const member = rows[0]
    if (!member) throw userErrors.notInvited({ message: `There is no pending invitation for ${email}` })
    await lockUsers(tx, caller, [member.id])
    if (member.status !== "pending" && member.status !== "reject")
      throw userErrors.acceptedAlready({ message: `${email} has already accepted the invitation` })
    await sendInvitation(tx, caller, { id: member.id, email }, context)
    const { organizationId } = caller
    await announceUser(tx, context.live, "user.updated", { organizationId, id: member.id, email })
  }
}
