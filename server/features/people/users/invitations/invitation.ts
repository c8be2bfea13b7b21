import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { queueMail } from "../../../organization/mails/index.ts"
import { findOrganization } from "../../../organization/organizations/index.ts"
import { hashCode, newCode } from "../../accounts/index.ts"

export const invitationDays = 7

/** The origin of a change, the base address of links in mails, and the live events to notify. */
export interface ChangeContext {
  address: string
  publicUrl: string
  live: LiveEvents
}

/** Gives a pending member a new code, which replaces the old one, and mails it to them. */
export async function sendInvitation(
  tx: Tx,
  caller: Caller,
  member: { id: string; email: string },
  context: Pick<ChangeContext, "publicUrl">,
): Promise<void> {
  const code = newCode()
  await tx`
    update users set status = 'pending', invitation_hash = ${hashCode(code)},
      invitation_expires = now() + make_interval(days => ${invitationDays}), updated_time = now()
    where organization_id = ${caller.organizationId} and id = ${member.id}`
  const organization = await findOrganization(tx, caller.organizationId)
  await queueMail(
    tx,
    { organizationId: caller.organizationId, email: member.email, language: organization.language },
    "invite",
    {
      inviter: caller.name,
      organization: organization.name,
      link: `${context.publicUrl}/accept-invitation?code=${code}`,
      days: invitationDays,
    },
  )
}
