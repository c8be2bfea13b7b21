import { createHash, randomBytes } from "node:crypto"
import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { type Id, isId } from "#core/ids.ts"
import { effectivePermissions, isOwnerRole } from "#core/permissions.ts"

/** `fd_`, the organization's id (it leads to the row, and is no secret) and 192 random bits. */
export function newDeviceKey(organizationId: string): { key: string; hash: Buffer } {
  const key = `fd_${organizationId}_${randomBytes(24).toString("base64url")}`
  return { key, hash: hashOf(key) }
}

function hashOf(key: string): Buffer {
  return createHash("sha256").update(key).digest()
}

/** Who a device is: the person whose positions it sends, with the rights that its responses need. */
export interface DeviceHolder {
  keyId: string
  organizationId: Id<"organization">
  organizationNumber: number
  number: number
  userId: Id<"user">
  email: string
  sight: Pick<
    Caller,
    "organizationId" | "organizationNumber" | "userId" | "userNumber" | "permissions" | "hubs"
  >
}

interface HolderRow {
  keyId: string
  organizationNumber: number
  number: number
  userId: Id<"user">
  email: string
  name: string
  isDefault: boolean
  permissionNames: string[]
  hubIds: Id<"hub">[]
}

/** The active person of a key that was not revoked. Asked for each request, so that a revoked key ends at once. */
export async function findHolder(sql: Sql, key: string): Promise<DeviceHolder | undefined> {
  const organizationId = key.slice(3, 27)
  if (key.length > 100 || !key.startsWith("fd_") || !isId(organizationId) || key[27] !== "_") return undefined
  const rows = await sql<HolderRow[]>`
    select device.id as key_id, organizations.number as organization_number, users.number, users.id as user_id, users.email,
      roles.name, roles.is_default, roles.permission_names,
      array(select hub_id from user_hubs h where h.organization_id = users.organization_id and h.user_id = users.id) as hub_ids
    from device_keys device
    join organizations on organizations.id = device.organization_id
    join users on users.organization_id = device.organization_id and users.id = device.user_id and users.status = 'active'
    join roles on roles.organization_id = users.organization_id and roles.id = users.role_id
    where device.organization_id = ${organizationId} and device.hash = ${hashOf(key)} and device.revoked_at is null`
  const row = rows[0]
  if (!row) return undefined
  const tenant = {
    organizationId: organizationId as Id<"organization">,
    organizationNumber: row.organizationNumber,
  }
  return {
    ...tenant,
    keyId: row.keyId,
    number: row.number,
    userId: row.userId,
    email: row.email,
    sight: {
      ...tenant,
      userId: row.userId,
      userNumber: row.number,
      permissions: effectivePermissions(row),
      hubs: isOwnerRole(row) ? "all" : row.hubIds,
    },
  }
}

/** Notes that a key was used: at most once a minute, and whenever something was refused. */
export async function noteUse(
  sql: Sql,
  holder: DeviceHolder,
  protocol: string,
  refusal: string | undefined,
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    update device_keys set last_used_at = ${now}, last_protocol = ${protocol}, last_refusal = coalesce(${refusal ?? null}, last_refusal)
    where organization_id = ${holder.organizationId} and id = ${holder.keyId}
      and (last_used_at is null or last_used_at < ${now.subtract({ minutes: 1 })} or ${refusal ?? null}::text is distinct from null)`
}
