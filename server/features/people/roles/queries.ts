import type { Caller } from "#core/access/caller.ts"
import { json, type Sql, type Tx } from "#core/database/database.ts"
import type { Permission } from "#core/permissions.ts"
import { defaultRoleNames } from "./default-roles.ts"
import type { RoleRow } from "./wire.ts"

export type { RoleRow }

export function roleColumns(sql: Sql) {
  return sql`roles.id, roles.organization_id, roles.name, roles.is_default, roles.permission_names,
    roles.permission_details, roles.password_policy_id, roles.created_time, roles.updated_time`
}

/** The default roles from the strongest down, made all at once, then the organization's own by age. */
export function listRoles(sql: Sql, caller: Caller): Promise<RoleRow[]> {
  return sql<RoleRow[]>`
    select ${roleColumns(sql)} from roles where organization_id = ${caller.organizationId}
    order by is_default desc, case when is_default then array_position(${[...defaultRoleNames]}::text[], name) end,
      created_time, id`
}

export async function findRole(
  sql: Sql,
  caller: Pick<Caller, "organizationId">,
  roleId: string,
): Promise<RoleRow | undefined> {
  const rows = await sql<RoleRow[]>`
    select ${roleColumns(sql)} from roles where organization_id = ${caller.organizationId} and id = ${roleId.toLowerCase()}`
  return rows[0]
}

/** A role that stays as it is, and stays, until the transaction ends. */
export async function lockRole(
  tx: Tx,
  caller: Pick<Caller, "organizationId">,
  roleId: string,
  strength: "change" | "use" = "change",
): Promise<RoleRow | undefined> {
  const rows = await tx<RoleRow[]>`
    select ${roleColumns(tx)} from roles where organization_id = ${caller.organizationId} and id = ${roleId.toLowerCase()}
    ${strength === "change" ? tx`for update` : tx`for key share`}`
  return rows[0]
}

export interface NewRole {
  id: string
  name: string
  permissionNames: readonly string[]
  permissionDetails: readonly unknown[]
  passwordPolicyId: string | null
}

export async function insertRole(sql: Sql, caller: Caller, role: NewRole): Promise<RoleRow | undefined> {
  const rows = await sql<RoleRow[]>`
    insert into roles (organization_id, id, name, permission_names, permission_details, password_policy_id)
    values (${caller.organizationId}, ${role.id}, ${role.name}, ${[...role.permissionNames]},
      ${json(sql, role.permissionDetails)}, ${role.passwordPolicyId})
    on conflict (organization_id, lower(name)) do nothing
    returning ${roleColumns(sql)}`
  return rows[0]
}

/** Whether a role names the password policy. */
export async function isPolicyUsed(sql: Sql, organizationId: string, policyId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from roles where organization_id = ${organizationId} and password_policy_id = ${policyId} limit 1`
  return rows.length > 0
}

/** Whoever has a role with the policy is read again. */
export async function touchRolesOfPolicy(sql: Sql, organizationId: string, policyId: string): Promise<void> {
  await sql`
    update roles set updated_time = now()
    where organization_id = ${organizationId} and password_policy_id = ${policyId}`
}

/** The ids of the roles whose members do tasks, as opposed to those that manage them, and of the owners' role. */
export async function findWorkerRoles(
  sql: Sql,
  { organizationId }: Pick<Caller, "organizationId">,
): Promise<{ workers: string[]; owners: string[] }> {
  const rows = await sql<{ id: string; isOwner: boolean; isWorker: boolean }[]>`
    select id, is_default and name = 'owner' as is_owner,
      'do/task' = any (permission_names) and not (is_default and name in ('owner', 'admin')) as is_worker
    from roles where organization_id = ${organizationId}`
  const idsOf = (kind: "isOwner" | "isWorker") => rows.filter((row) => row[kind]).map(({ id }) => id)
  return { workers: idsOf("isWorker"), owners: idsOf("isOwner") }
}

/** Ids of an organization's roles that have a permission by name. */
export async function findRolesWith(
  sql: Sql,
  organizationId: string,
  permission: Permission,
): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from roles where organization_id = ${organizationId} and ${permission} = any (permission_names)`
  return new Set(rows.map(({ id }) => id))
}
