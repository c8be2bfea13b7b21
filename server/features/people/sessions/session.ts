import { newToken } from "#core/access/token.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { endSessionsOfMember, insertSession } from "../tokens/index.ts"
import { noteSignIn } from "../users/index.ts"

export interface Membership {
  userId: Id<"user">
  organizationId: Id<"organization">
}

export interface Session extends Membership {
  token: string
  expiresInSeconds: number
}

export interface OpenOptions {
  signIn?: "password" | "sso"
  hasSecondFactor?: boolean
}

/** What the role of a membership demands of its sessions. */
export async function roleDemands(
  sql: Sql,
  { organizationId, userId }: Membership,
): Promise<{ code: boolean; singleLogin: boolean }> {
  const rows = await sql<{ code: boolean; singleLogin: boolean }[]>`
    select 'security/otp-email' = any (roles.permission_names) as code,
      'single/login' = any (roles.permission_names) as single_login
    from users join roles on roles.organization_id = users.organization_id and roles.id = users.role_id
    where users.organization_id = ${organizationId} and users.id = ${userId}`
  return rows[0] ?? { code: false, singleLogin: false }
}

/**
 * Opens a session of one calendar year, less a second, and notes the sign-in. With single login all earlier
 * sessions of the person end. The person's row is locked first, so that the later of two concurrent sign-ins
 * sees the earlier one's session, and a concurrent disabling takes effect. Undefined when the membership is no
 * longer active.
 */
export async function openSession(
  tx: Tx,
  member: Membership,
  options: OpenOptions = {},
): Promise<Session | undefined> {
  const { organizationId, userId } = member
  if (!(await noteSignIn(tx, member))) return undefined
  if ((await roleDemands(tx, member)).singleLogin) await endSessionsOfMember(tx, member)
  const { token, hash } = newToken(organizationId)
  const { signIn = "password", hasSecondFactor = false } = options
  const expiresInSeconds = await insertSession(tx, { organizationId, userId, hash, signIn, hasSecondFactor })
  return { organizationId, userId, token, expiresInSeconds }
}
