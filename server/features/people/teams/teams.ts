import { type Caller, hasHub, inCallersHubs, isInTeams } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { databaseErrorOf, type Fragment, inTransaction, type Sql, type Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { type Listed, listRows } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import { readLine } from "#core/plain-text.ts"
import { moveToTrash } from "#core/trash.ts"
import { toT2 } from "#shared/wire-time.ts"
import { isLastTeamOfSomebody, joinTeams } from "../users/index.ts"
import { teamErrors } from "./errors.ts"

export interface TeamRow {
  id: Id<"team">
  organizationId: Id<"organization">
  hubId: Id<"hub">
  name: string
  totalUser: number
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

/** Tenant and hub access, once. Every read of teams starts from this condition. */
function visibleTeams(sql: Sql, caller: Caller): Fragment {
  return sql`teams.organization_id = ${caller.organizationId} and ${inCallersHubs(sql, caller, sql`teams.hub_id`)}`
}

/** Owners belong to every team, whether or not a row says so. */
export function teamColumns(sql: Sql): Fragment {
  return sql`teams.id, teams.organization_id, teams.hub_id, teams.name, teams.created_time, teams.updated_time, (
    select count(*) from users join roles on roles.organization_id = users.organization_id and roles.id = users.role_id
    where users.organization_id = teams.organization_id and (
      (roles.is_default and roles.name = 'owner')
      or exists (select from user_teams t where t.organization_id = users.organization_id
        and t.user_id = users.id and t.team_id = teams.id)))::int as total_user`
}

export function listTeams(
  sql: Sql,
  caller: Caller,
  hubIds: readonly string[] | undefined,
  page: PageOptions,
): Promise<Listed<TeamRow>> {
  const condition = sql`${visibleTeams(sql, caller)} ${hubIds ? sql`and teams.hub_id = any (${hubIds as string[]})` : sql``}`
  return listRows<TeamRow>(sql, page, {
    columns: teamColumns(sql),
    from: sql`from teams where ${condition}`,
    order: sql`lower(teams.name), teams.id`,
  })
}

export async function findTeam(sql: Sql, caller: Caller, teamId: string): Promise<TeamRow | undefined> {
  const rows = await sql<TeamRow[]>`
    select ${teamColumns(sql)} from teams where ${visibleTeams(sql, caller)} and teams.id = ${teamId.toLowerCase()}`
  return rows[0]
}

/**
 * E-mails of the people in each of these teams, by team id, without disabled ones and without owners who are in
 * every team only because they are owners. Teams that the caller does not see are missing.
 */
export async function listTeamMembers(
  sql: Sql,
  caller: Caller,
  teamIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const rows = await sql<{ id: string; emails: string[] }[]>`
    select teams.id, array(
      select users.email from user_teams t
      join users on users.organization_id = t.organization_id and users.id = t.user_id
      where t.organization_id = teams.organization_id and t.team_id = teams.id and users.status in ('active', 'pending')
      order by users.name, users.id) as emails
    from teams where ${visibleTeams(sql, caller)} and teams.id = any (${teamIds as string[]})`
  return new Map(rows.map((team) => [team.id, team.emails]))
}

export interface TeamOptions {
  name: string
  hubId: string
}

/** Makes a team in a hub; its creator belongs to it. */
export async function createTeam(
  tx: Tx,
  caller: Caller,
  options: TeamOptions,
  address: string,
): Promise<TeamRow> {
  const hubId = await checkHub(tx, caller, options.hubId)
  const id = newId<"team">()
  const name = readLine(options.name, "team", "name")
  await refuseTakenName(
    tx,
    (point) => point`
    insert into teams (organization_id, id, hub_id, name) values (${caller.organizationId}, ${id}, ${hubId}, ${name})`,
  )
  if (!caller.isOwner) await joinTeams(tx, caller, [id])
  const team = await read(tx, caller, id)
  await note(tx, caller, "team.create", address, team, undefined, team)
  return team
}

export async function updateTeam(
  tx: Tx,
  caller: Caller,
  teamId: string,
  options: TeamOptions,
  address: string,
): Promise<TeamRow> {
  const before = await lockTeam(tx, caller, teamId)
  const hubId = await checkHub(tx, caller, options.hubId)
  if (hubId !== before.hubId && (await hasMembers(tx, caller, before.id))) throw teamErrors.moved()
  const name = readLine(options.name, "team", "name")
  await refuseTakenName(
    tx,
    (point) => point`
    update teams set name = ${name}, hub_id = ${hubId}, updated_time = now()
    where organization_id = ${caller.organizationId} and id = ${before.id}`,
  )
  const after = await read(tx, caller, before.id)
  await note(tx, caller, "team.update", address, after, before, after)
  return after
}

/**
 * Deletes a team that no active person but owners and the caller belongs to, and keeps it in the trash. Somebody in teams
 * frees nobody from their last one, least of all themselves.
 */
export async function deleteTeam(tx: Tx, caller: Caller, teamId: string, address: string): Promise<TeamRow> {
  const team = await lockTeam(tx, caller, teamId)
  if (await hasMembers(tx, caller, team.id)) throw teamErrors.hasUsers()
  if (isInTeams(caller) && (await isLastTeamOfSomebody(tx, team))) throw teamErrors.lastOfSomebody()
  const kept = await tx<{ content: unknown }[]>`
    select jsonb_build_object('team', to_jsonb(teams)) as content from teams
    where organization_id = ${caller.organizationId} and id = ${team.id}`
  await moveToTrash(tx, caller, [
    { type: "Team", name: team.name, sourceId: team.id, hubId: team.hubId, content: kept[0]?.content },
  ])
  await tx`delete from teams where organization_id = ${caller.organizationId} and id = ${team.id}`
  await note(tx, caller, "team.delete", address, team, team, undefined)
  return team
}

async function lockTeam(tx: Tx, caller: Caller, teamId: string): Promise<TeamRow> {
  await tx`select 1 from teams where ${visibleTeams(tx, caller)} and teams.id = ${teamId.toLowerCase()} for update`
  const team = await findTeam(tx, caller, teamId)
  if (!team) throw teamErrors.notFound()
  return team
}

async function hasMembers(tx: Tx, caller: Caller, teamId: string): Promise<boolean> {
  const rows = await tx`
    select 1 from user_teams t
    join users on users.organization_id = t.organization_id and users.id = t.user_id
    join roles on roles.organization_id = users.organization_id and roles.id = users.role_id
    where t.organization_id = ${caller.organizationId} and t.team_id = ${teamId} and users.id <> ${caller.userId}
      and users.status = 'active' and not (roles.is_default and roles.name = 'owner') limit 1`
  return rows.length > 0
}

async function checkHub(tx: Tx, caller: Caller, options: string): Promise<string> {
  const hubId = options.toLowerCase()
  const found = await tx`
    select 1 from hubs where organization_id = ${caller.organizationId} and id = ${hubId} for key share`
  if (found.length === 0 || !hasHub(caller, hubId))
    throw teamErrors.unknownHub({ fields: { hubId: [`${hubId} is not one of your hubs`] } })
  return hubId
}

async function read(tx: Tx, caller: Caller, teamId: string): Promise<TeamRow> {
  const team = await findTeam(tx, caller, teamId)
  if (!team) throw new Error("a team vanished in the transaction that wrote it")
  return team
}

async function refuseTakenName(tx: Tx, write: (point: Tx) => Promise<unknown>): Promise<void> {
  try {
    await inTransaction(tx, write)
  } catch (error) {
    if (databaseErrorOf(error)?.constraint === "teams_name") throw teamErrors.nameTaken({ cause: error })
    throw error
  }
}

function note(
  tx: Tx,
  caller: Caller,
  action: string,
  address: string,
  team: TeamRow,
  before: TeamRow | undefined,
  after: TeamRow | undefined,
): Promise<void> {
  const settings = (row: TeamRow | undefined) => row && { name: row.name, hubId: row.hubId }
  return audit(tx, actorOf(caller, address), {
    action,
    targetType: "team",
    targetId: team.id,
    targetName: team.name,
    before: settings(before),
    after: settings(after),
  })
}

export function toWireTeam(row: TeamRow) {
  return {
    _id: row.id,
    name: row.name,
    hubId: row.hubId,
    organizationId: row.organizationId,
    totalUser: row.totalUser,
    createdTime: toT2(row.createdTime),
    updatedTime: toT2(row.updatedTime),
  }
}
