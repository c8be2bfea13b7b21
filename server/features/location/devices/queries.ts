import { type Caller, may } from "#core/access/caller.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"

export interface KeyRow {
  id: Id<"deviceKey">
  userId: string
  email: string
  userName: string
  name: string
  createdBy: string | null
  createdTime: Temporal.Instant
  lastUsedAt: Temporal.Instant | null
  lastProtocol: string | null
  lastRefusal: string | null
}

/** Keys in force: the caller's own, or everybody's for those who edit members. */
export async function listKeys(sql: Sql, caller: Caller, userId: string | undefined): Promise<KeyRow[]> {
  const own = may(caller, "edit/member") ? sql`` : sql`and device.user_id = ${caller.userId}`
  return sql<KeyRow[]>`
    select device.id, device.user_id, users.email, users.name as user_name, device.name, device.created_by,
      device.created_time, device.last_used_at, device.last_protocol, device.last_refusal
    from device_keys device
    join users on users.organization_id = device.organization_id and users.id = device.user_id
    where device.organization_id = ${caller.organizationId} and device.revoked_at is null ${own}
      ${userId === undefined ? sql`` : sql`and device.user_id = ${userId.toLowerCase()}`}
    order by lower(users.name), device.created_time, device.id`
}

interface NewKey {
  id: string
  hash: Buffer
  userId: string
  name: string
  now: Temporal.Instant
}

/** Stores a key of an active member and returns the member's e-mail; undefined when there is no such member. */
export async function insertKey(tx: Tx, caller: Caller, key: NewKey): Promise<string | undefined> {
  const rows = await tx<{ email: string }[]>`
    insert into device_keys (organization_id, id, hash, user_id, name, created_by, created_time)
    select organization_id, ${key.id}, ${key.hash}, id, ${key.name}, ${caller.email}, ${key.now}
    from users where organization_id = ${caller.organizationId} and id = ${key.userId} and status = 'active'
    returning (select email from users u where u.organization_id = device_keys.organization_id and u.id = device_keys.user_id) as email`
  return rows[0]?.email
}

export async function lockKey(
  tx: Tx,
  caller: Caller,
  keyId: string,
): Promise<{ userId: string; name: string } | undefined> {
  const rows = await tx<{ userId: string; name: string }[]>`
    select user_id, name from device_keys
    where organization_id = ${caller.organizationId} and id = ${keyId.toLowerCase()} and revoked_at is null
    for update`
  return rows[0]
}

export async function revokeKey(tx: Tx, caller: Caller, keyId: string, now: Temporal.Instant): Promise<void> {
  await tx`
    update device_keys set revoked_at = ${now}, revoked_by = ${caller.email}
    where organization_id = ${caller.organizationId} and id = ${keyId.toLowerCase()}`
}
