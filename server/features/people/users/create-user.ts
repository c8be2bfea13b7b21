import type { Static } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import type { Tx } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import { isOwnerRole } from "#core/permissions.ts"
import { readName } from "#core/plain-text.ts"
import {
  checkStrength,
  claimOrigin,
  insertAccount,
  normalizeEmail,
  notePasswordOwner,
} from "../accounts/index.ts"
import { findPolicy } from "../password-policies/index.ts"
import { lockRole, type RoleRow } from "../roles/index.ts"
import { userErrors } from "./errors.ts"
import { announceUser } from "./events.ts"
import { type ChangeContext, sendInvitation } from "./invitations/invitation.ts"
import { checkGivenTeams, checkHubs, checkTeams, setHubs, setTeams } from "./places.ts"
import { findUser } from "./queries.ts"
import { checkGivenRole, readPhone } from "./rules.ts"
import type { NewUserBody } from "./schemas.ts"
import type { UserRow } from "./wire.ts"

export interface NewMember {
  email: string
  /** Absent: the part of the e-mail before the @, until the person says their name. */
  name?: string | undefined
  password?: string | undefined
  phoneNumber?: string | null | undefined
  roleId: string
  hubId: readonly string[]
  teamId?: readonly string[] | undefined
  /** By the company's directory: a new account is ready without a password, for single sign-on. */
  isProvisioned?: boolean
}

/**
 * Adds a person to the caller's organization. An e-mail that is new to the installation with a password
 * can sign in at once. Everybody else is invited by mail: one who has an account keeps its password and
 * name, and the membership waits until that person accepts it.
 */
export async function createUser(
  tx: Tx,
  caller: Caller,
  options: NewMember,
  context: ChangeContext,
): Promise<{ user: UserRow; role: RoleRow }> {
  const role = await lockRole(tx, caller, options.roleId, "use")
  if (!role) throw userErrors.unknownRole()
  checkGivenRole(caller, role)
  const hubIds = await checkHubs(tx, caller, options.hubId)
  const teamIds = await checkTeams(tx, caller, options.teamId ?? [], isOwnerRole(role) ? "all" : hubIds)
  checkGivenTeams(caller, { had: undefined, has: teamIds })
  if (options.password !== undefined) await checkRolePassword(tx, caller, role, options)
  const account = await insertAccount(tx, { email: options.email, password: options.password })
  const isReady = account.isNew && (options.password !== undefined || options.isProvisioned === true)
  const email = normalizeEmail(options.email)
  const givenName =
    account.isNew && options.name !== undefined ? readName(options.name, "user", "name") : undefined
  const id = newId<"user">()
  const made = await tx`
    insert into users (organization_id, id, account_id, email, name, phone_number, language, status, role_id)
    values (${caller.organizationId}, ${id}, ${account.id}, ${email}, ${givenName ?? email.split("@")[0] ?? email},
      ${readPhone(options.phoneNumber) ?? null}, ${caller.language}, ${isReady ? "active" : "pending"}, ${role.id})
    on conflict do nothing returning id`
  if (made.length === 0) throw await alreadyThere(tx, caller, email)
  await setHubs(tx, caller, id, hubIds)
  await setTeams(tx, caller, id, teamIds)
  if (isReady) {
    await claimOrigin(tx, account.id, caller.organizationId)
    if (options.password !== undefined) await notePasswordOwner(tx, account.id, caller.organizationId)
  } else await sendInvitation(tx, caller, { id, email }, context)
  const user = await findUser(tx, caller, id)
  if (!user) throw new Error("A user disappeared in the transaction that created it")
  await audit(tx, actorOf(caller, context.address), {
    action: isReady ? "user.create" : "user.invite",
    targetType: "user",
    targetId: id,
    targetName: user.email,
    after: settingsOf(user),
  })
  await announceUser(tx, context.live, "user.created", user)
  return { user, role }
}

export type NewUser = Static<typeof NewUserBody>

/** What the audit log says about a person. */
export function settingsOf({ name, email, phoneNumber, status, roleId, hubIds, teamIds }: UserRow) {
  return { name, email, phoneNumber, status, roleId, hubId: hubIds, teamId: teamIds }
}

async function checkRolePassword(
  tx: Tx,
  caller: Caller,
  role: RoleRow,
  { email, name, password = "" }: NewMember,
): Promise<void> {
  const policy = role.passwordPolicyId
    ? await findPolicy(tx, caller.organizationId, role.passwordPolicyId)
    : undefined
  const [organization] = await tx<{ name: string }[]>`
    select name from organizations where id = ${caller.organizationId}`
  await checkStrength(password, [email, name ?? "", organization?.name ?? "", "fieldway"], policy)
}

async function alreadyThere(tx: Tx, caller: Caller, email: string) {
  const rows = await tx<{ status: string }[]>`
    select status from users where organization_id = ${caller.organizationId} and email = ${email}`
  const isInvited = rows[0]?.status === "pending" || rows[0]?.status === "reject"
  const refusal = isInvited ? userErrors.alreadyInvited : userErrors.alreadyMember
  const message = isInvited
    ? `${email} is invited already: send the mail again`
    : `${email} is already a member`
  return refusal({ message, fields: { email: [message] } })
}
