import { json, type Tx } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import { type RoleRow, roleColumns } from "./queries.ts"

/**
 * Copies the custom roles of an organization into a new one, with system permissions only: what a custom
 * module brought stays behind. Settings of add/task name the copied flows. Returns how many.
 */
export async function copyRoles(
  tx: Tx,
  from: { organizationId: string },
  to: { organizationId: string },
  newFlowIds: ReadonlyMap<string, string>,
): Promise<number> {
  const roles = await tx<RoleRow[]>`
    select ${roleColumns(tx)} from roles
    where organization_id = ${from.organizationId} and not is_default order by created_time, id`
  if (roles.length === 0) return 0
  const copies = roles.map((role) => ({
    id: newId<"role">(),
    name: role.name,
    permission_names: role.permissionNames.filter((name) => !name.startsWith("view/custom/")),
    permission_details: role.permissionDetails
      .filter((detail) => !detail.permissionName.startsWith("view/custom/"))
      .map((detail) =>
        Array.isArray(detail.items)
          ? { ...detail, items: detail.items.flatMap((id) => newFlowIds.get(String(id)) ?? []) }
          : detail,
      ),
    password_policy_id: role.passwordPolicyId,
  }))
  await tx`
    insert into roles (organization_id, id, name, permission_names, permission_details, password_policy_id)
    select ${to.organizationId}, copy.id, copy.name, copy.permission_names, copy.permission_details,
      case when exists (select from password_policies p
        where p.organization_id = ${from.organizationId} and p.id = copy.password_policy_id)
      then null else copy.password_policy_id end
    from jsonb_to_recordset(${json(tx, copies)}::jsonb)
      as copy (id text, name text, permission_names text[], permission_details jsonb, password_policy_id text)`
  return copies.length
}
