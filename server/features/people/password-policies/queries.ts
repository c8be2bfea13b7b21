import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { builtInPolicies, defaultPolicy, type Policy, type PolicySettings, strictest } from "./policy.ts"

function policyColumns(sql: Sql) {
  return sql`id, organization_id, name, minimum_length, complexity, expiration, expiration_notification_days,
    minimum_duration, account_lockout, account_lockout_duration, password_history, created_by, updated_by,
    created_time, updated_time`
}

/** The built-in policies and the organization's own. */
export async function listPolicies(sql: Sql, organizationId: string): Promise<Policy[]> {
  const own = await sql<Policy[]>`
    select ${policyColumns(sql)} from password_policies
    where organization_id = ${organizationId} order by created_time, id`
  return [...builtInPolicies, ...own]
}

export async function findPolicy(
  sql: Sql,
  organizationId: string,
  policyId: string,
): Promise<Policy | undefined> {
  const builtIn = builtInPolicies.find((policy) => policy.id === policyId.toLowerCase())
  if (builtIn) return builtIn
  const rows = await sql<Policy[]>`
    select ${policyColumns(sql)} from password_policies
    where organization_id = ${organizationId} and id = ${policyId.toLowerCase()}`
  return rows[0]
}

/** The policy of each role that names one, by role id, for deciding about many people at once. */
export async function policiesByRole(
  sql: Sql,
  organizationId: string,
  roles: readonly { id: string; passwordPolicyId: string | null }[],
): Promise<ReadonlyMap<string, Policy>> {
  if (roles.every((role) => role.passwordPolicyId === null))
    return new Map(roles.map((role) => [role.id, defaultPolicy]))
  const policies = new Map(
    (await listPolicies(sql, organizationId)).map((policy) => [policy.id as string, policy]),
  )
  return new Map(
    roles.map((role) => [role.id, policies.get(role.passwordPolicyId ?? "") ?? defaultPolicy] as const),
  )
}

/** What an account's password must obey: the strictest of the policies of its active memberships' roles. */
export async function policyOfAccount(sql: Sql, accountId: string): Promise<PolicySettings> {
  const rows = await sql<{ policyId: string | null; organizationId: string }[]>`
    select distinct roles.password_policy_id as policy_id, roles.organization_id
    from users join roles on roles.organization_id = users.organization_id and roles.id = users.role_id
    where users.account_id = ${accountId} and users.status in ('active', 'inactive')`
  const found: Policy[] = []
  for (const row of rows)
    found.push((row.policyId && (await findPolicy(sql, row.organizationId, row.policyId))) || defaultPolicy)
  return strictest(found)
}

type PolicyColumns = Omit<PolicySettings, "id"> & { name: string }

export async function insertPolicy(
  sql: Sql,
  caller: Caller,
  id: string,
  policy: PolicyColumns,
): Promise<void> {
  const { organizationId, email } = caller
  await sql`
    insert into password_policies ${sql({ ...policy, organizationId, id, createdBy: email, updatedBy: email })}`
}

export async function updatePolicy(
  sql: Sql,
  caller: Caller,
  id: string,
  policy: PolicyColumns,
): Promise<void> {
  await sql`
    update password_policies set ${sql({ ...policy, updatedBy: caller.email })}, updated_time = now()
    where organization_id = ${caller.organizationId} and id = ${id}`
}

export async function removePolicy(sql: Sql, organizationId: string, id: string): Promise<void> {
  await sql`delete from password_policies where organization_id = ${organizationId} and id = ${id}`
}
