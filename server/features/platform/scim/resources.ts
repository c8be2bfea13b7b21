import { createHash } from "node:crypto"
import type { Caller } from "#core/access/caller.ts"
import { json, type Sql, type Tx } from "#core/database/database.ts"
import { isId } from "#core/ids.ts"
import { isOwnerRole } from "#core/permissions.ts"
import { listRoles, type RoleRow } from "../../people/roles/index.ts"
import { listTeams, type TeamRow } from "../../people/teams/index.ts"
import { findUser, findVisibleUser, listUsers, type UserRow } from "../../people/users/index.ts"
import { namesOf, type SentNames } from "./names.ts"

export const schemas = {
  user: "urn:ietf:params:scim:schemas:core:2.0:User",
  group: "urn:ietf:params:scim:schemas:core:2.0:Group",
  userHubs: "urn:ietf:params:scim:schemas:extension:fieldway:2.0:User",
  groupHub: "urn:ietf:params:scim:schemas:extension:fieldway:2.0:Group",
}

export type Resource = Record<string, unknown> & {
  id: string
  meta: { resourceType: string; created: string; lastModified: string; location: string; version: string }
}

/** What responses need of the organization besides the resources themselves. */
export interface World {
  roles: readonly RoleRow[]
  teams: readonly TeamRow[]
  baseUrl: string
}

const maxExternalId = 500

const everything = { page: 1, limit: 10_000, offset: 0 }

export async function readWorld(sql: Sql, caller: Caller, baseUrl: string): Promise<World> {
  const roles = await listRoles(sql, caller)
  const { rows: teams } = await listTeams(sql, caller, undefined, everything)
  return { roles, teams, baseUrl }
}

/** What a directory sent about a resource besides what the product itself keeps. */
interface Sent {
  externalId: string | null
  names: SentNames | null
}

async function readSent(
  sql: Sql,
  { organizationId }: Caller,
  ids: readonly string[],
): Promise<Map<string, Sent>> {
  const rows = await sql<(Sent & { resourceId: string })[]>`
    select resource_id, external_id, names from scim_ids
    where organization_id = ${organizationId} and resource_id = any (${ids as string[]})`
  return new Map(rows.map((row) => [row.resourceId, row]))
}

/** A directory may know several of our resources by one id, as a team and a person: each kind takes its own. */
export async function findByExternalId(
  sql: Sql,
  { organizationId }: Caller,
  externalId: string,
): Promise<string[]> {
  const rows = await sql<{ resourceId: string }[]>`
    select resource_id from scim_ids where organization_id = ${organizationId} and external_id = ${externalId}`
  return rows.map(({ resourceId }) => resourceId)
}

export async function writeSent(
  tx: Tx,
  { organizationId }: Caller,
  id: string,
  { externalId, names }: { externalId: string | undefined; names?: SentNames },
): Promise<void> {
  await tx`
    insert into scim_ids (organization_id, resource_id, external_id, names)
    values (${organizationId}, ${id}, ${externalId?.slice(0, maxExternalId) ?? null},
      ${names ? json(tx, names) : null})
    on conflict (organization_id, resource_id)
    do update set external_id = excluded.external_id, names = excluded.names`
}

export async function deleteSent(tx: Tx, { organizationId }: Caller, id: string): Promise<void> {
  await tx`delete from scim_ids where organization_id = ${organizationId} and resource_id = ${id}`
}

/** The people that keys select, each by one index; without keys all. */
export async function readUsers(
  sql: Sql,
  caller: Caller,
  world: World,
  keys?: { id?: string; userName?: string; externalId?: string },
): Promise<Resource[]> {
  const rows = await selectUsers(sql, caller, keys)
  const sent = await readSent(
    sql,
    caller,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => toUser(row, world, sent.get(row.id)))
}

async function selectUsers(
  sql: Sql,
  caller: Caller,
  keys: { id?: string; userName?: string; externalId?: string } | undefined,
): Promise<UserRow[]> {
  if (!keys) return listUsers(sql, caller, {})
  const ids = keys.id !== undefined ? [keys.id] : []
  if (keys.externalId !== undefined) ids.push(...(await findByExternalId(sql, caller, keys.externalId)))
  const found =
    keys.userName !== undefined ? [await findVisibleUser(sql, caller, { email: keys.userName })] : []
  for (const id of ids.map((each) => each.toLowerCase()))
    if (isId(id)) found.push(await findUser(sql, caller, id))
  return found.filter((row) => row !== undefined)
}

function toUser(row: UserRow, world: World, sent: Sent | undefined): Resource {
  const role = world.roles.find(({ id }) => id === row.roleId)
  const teams = world.teams.filter(({ id }) => (row.teamIds as string[]).includes(id))
  const group = (id: string, display: string) => ({
    value: id,
    display,
    type: "direct",
    $ref: `${world.baseUrl}/Groups/${id}`,
  })
  return withMeta("User", row, world, {
    schemas: [schemas.user, schemas.userHubs],
    id: row.id,
    ...(sent?.externalId && { externalId: sent.externalId }),
    userName: row.email,
    ...namesOf(row.name, sent?.names),
    active: row.status !== "disabled" && row.status !== "reject",
    preferredLanguage: row.language,
    emails: [{ value: row.email, type: "work", primary: true }],
    ...(row.phoneNumber !== null && {
      phoneNumbers: [{ value: row.phoneNumber, type: "work", primary: true }],
    }),
    roles: role ? [{ value: role.id, display: role.name, primary: true }] : [],
    groups: [...(role ? [group(role.id, role.name)] : []), ...teams.map(({ id, name }) => group(id, name))],
    [schemas.userHubs]: { hubs: row.hubIds.map((value) => ({ value })), status: row.status },
  })
}

/** Roles and teams: who has the role, and who is in the team. */
export async function readGroups(
  sql: Sql,
  caller: Caller,
  world: World,
  { id, withMembers }: { id?: string; withMembers: boolean },
): Promise<Resource[]> {
  const wanted = (each: { id: string }) => id === undefined || each.id === id
  const [roles, teams] = [world.roles.filter(wanted), world.teams.filter(wanted)]
  const users = withMembers && roles.length + teams.length > 0 ? await listUsers(sql, caller, {}) : []
  const sent = await readSent(
    sql,
    caller,
    [...roles, ...teams].map((each) => each.id),
  )
  const members = (isIn: (user: UserRow) => boolean) =>
    users.filter(isIn).map((user) => ({
      value: user.id,
      display: user.name,
      type: "User",
      $ref: `${world.baseUrl}/Users/${user.id}`,
    }))
  const group = (
    row: RoleRow | TeamRow,
    extension: Record<string, unknown>,
    isIn: (user: UserRow) => boolean,
  ) => {
    const externalId = sent.get(row.id)?.externalId
    return withMeta("Group", row, world, {
      schemas: [schemas.group, schemas.groupHub],
      id: row.id,
      ...(externalId && { externalId }),
      displayName: row.name,
      members: members(isIn),
      [schemas.groupHub]: extension,
    })
  }
  return [
    ...roles.map((role) =>
      group(role, { type: "role", isReadOnly: isOwnerRole(role) }, ({ roleId }) => roleId === role.id),
    ),
    ...teams.map((team) =>
      group(team, { type: "team", hub: team.hubId }, ({ teamIds }) =>
        (teamIds as string[]).includes(team.id),
      ),
    ),
  ]
}

function withMeta(
  resourceType: "User" | "Group",
  row: { id: string; createdTime: Temporal.Instant; updatedTime: Temporal.Instant },
  { baseUrl }: World,
  content: Record<string, unknown>,
): Resource {
  const hash = createHash("sha1").update(JSON.stringify(content)).digest("base64url").slice(0, 16)
  const meta = {
    resourceType,
    created: row.createdTime.toString({ smallestUnit: "millisecond" }),
    lastModified: row.updatedTime.toString({ smallestUnit: "millisecond" }),
    location: `${baseUrl}/${resourceType}s/${row.id}`,
    version: `W/"${hash}"`,
  }
  return { ...content, id: row.id, meta }
}
