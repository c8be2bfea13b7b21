import { createHash, randomBytes } from "node:crypto"
import type { Caller } from "#core/access/caller.ts"
import { batchReads } from "#core/database/batch-reads.ts"
import { idTexts, type Pool, type Sql } from "#core/database/database.ts"
import { type Id, isId } from "#core/ids.ts"
import { ownedState } from "#core/owned-state.ts"
import { effectivePermissions, isOwnerRole } from "#core/permissions.ts"
import { teamIdsOf } from "../../people/users/index.ts"

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
  lastUsedAt: Temporal.Instant | null
  organizationId: Id<"organization">
  organizationNumber: number
  number: number
  userId: Id<"user">
  email: string
  sight: Pick<
    Caller,
    "organizationId" | "organizationNumber" | "userId" | "userNumber" | "permissions" | "hubs" | "teamIds"
  >
}

interface HolderRow {
  place: number
  keyId: string
  lastUsedAt: Temporal.Instant | null
  organizationNumber: number
  number: number
  userId: Id<"user">
  email: string
  name: string
  isDefault: boolean
  permissionNames: string[]
  hubIds: Id<"hub">[]
  teamIds: Id<"team">[]
}

interface Presented {
  organizationId: Id<"organization">
  hash: Buffer
}

/**
 * The active person of a key that was not revoked. Asked for each request, so that a revoked key ends at once; requests
 * that arrive together share a statement.
 */
export async function findHolder(sql: Pool, key: string): Promise<DeviceHolder | undefined> {
  const organizationId = key.slice(3, 27)
  if (key.length > 100 || !key.startsWith("fd_") || !isId(organizationId) || key[27] !== "_") return undefined
  return holderOf(sql)({ organizationId: organizationId as Id<"organization">, hash: hashOf(key) })
}

const holderOf = ownedState((sql: Pool) =>
  batchReads({
    read: (presented: readonly Presented[]) => readHolders(sql, presented),
    keyOf: ({ hash }) => hash.toString("base64"),
  }),
)

/** Each `offset 0` keeps the planner to one row by its key after the other, as in `findCaller`. */
async function readHolders(
  sql: Pool,
  presented: readonly Presented[],
): Promise<(DeviceHolder | undefined)[]> {
  const rows = await sql<HolderRow[]>`
    select asked.place, device.id as key_id, device.last_used_at, organizations.number as organization_number,
      person.number, person.id as user_id, person.email, role.name, role.is_default, role.permission_names,
      array(select hub_id from user_hubs h where h.organization_id = person.organization_id and h.user_id = person.id) as hub_ids,
      ${teamIdsOf(sql, sql`person`)} as team_ids
    from unnest(
      ${idTexts(
        sql,
        presented.map((asked) => asked.organizationId),
      )},
      ${idTexts(
        sql,
        presented.map((asked) => asked.hash.toString("hex")),
      )}
    ) with ordinality as asked (organization_id, hash, place)
    cross join lateral (
      select * from device_keys k
      where k.organization_id = asked.organization_id and k.hash = decode(asked.hash, 'hex') and k.revoked_at is null offset 0
    ) as device
    cross join lateral (
      select * from users
      where users.organization_id = device.organization_id and users.id = device.user_id and users.status = 'active' offset 0
    ) as person
    cross join lateral (
      select * from roles where roles.organization_id = person.organization_id and roles.id = person.role_id offset 0
    ) as role
    join organizations on organizations.id = device.organization_id`.reusePlan()
  const holders = new Array<DeviceHolder | undefined>(presented.length).fill(undefined)
  for (const row of rows) {
    const asked = presented[row.place - 1]
    if (asked) holders[row.place - 1] = toHolder(asked.organizationId, row)
  }
  return holders
}

function toHolder(organizationId: Id<"organization">, row: HolderRow): DeviceHolder {
  const tenant = { organizationId, organizationNumber: row.organizationNumber }
  return {
    ...tenant,
    keyId: row.keyId,
    lastUsedAt: row.lastUsedAt,
    number: row.number,
    userId: row.userId,
    email: row.email,
    sight: {
      ...tenant,
      userId: row.userId,
      userNumber: row.number,
      permissions: effectivePermissions(row),
      hubs: isOwnerRole(row) ? "all" : row.hubIds,
      teamIds: row.teamIds,
    },
  }
}

const noteEveryMilliseconds = 60_000

/** Notes that a key was used: at most once a minute, and whenever something was refused. */
export async function noteUse(
  sql: Sql,
  { organizationId, keyId, lastUsedAt }: DeviceHolder,
  protocol: string,
  refusal: string | undefined,
  now: Temporal.Instant,
): Promise<void> {
  const isNoted = lastUsedAt && now.epochMilliseconds - lastUsedAt.epochMilliseconds <= noteEveryMilliseconds
  if (isNoted && refusal === undefined) return
  await sql`
    update device_keys set last_used_at = ${now}, last_protocol = ${protocol}, last_refusal = coalesce(${refusal ?? null}, last_refusal)
    where organization_id = ${organizationId} and id = ${keyId}`
}
