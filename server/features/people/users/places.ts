import { type Caller, hasHub, isInTeams } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { userErrors } from "./errors.ts"

const lower = (ids: readonly string[]) => [...new Set(ids.map((id) => id.toLowerCase()))]

/** Every named hub must exist in the organization and be one of the caller's. Returns them lower-cased, once each. */
export async function checkHubs(tx: Tx, caller: Caller, hubIds: readonly string[]): Promise<string[]> {
  const ids = lower(hubIds)
  const found = await tx<{ id: string }[]>`
    select id from hubs where organization_id = ${caller.organizationId} and id = any (${ids}) for key share`
  const known = new Set(found.map((hub) => hub.id))
  const bad = ids.find((hubId) => !known.has(hubId) || !hasHub(caller, hubId))
  if (bad)
    throw userErrors.unknownHub({ fields: { hubId: [`${bad} does not exist or is not one of your hubs`] } })
  return ids
}

/** Every named team must be in one of the person's hubs; owners have them all. */
export async function checkTeams(
  tx: Tx,
  caller: Caller,
  teamIds: readonly string[],
  hubIds: readonly string[] | "all",
): Promise<string[]> {
  const ids = lower(teamIds)
  const found = await tx<{ id: string }[]>`
    select id from teams where organization_id = ${caller.organizationId} and id = any (${ids})
      ${hubIds === "all" ? tx`` : tx`and hub_id = any (${hubIds as string[]})`} for key share`
  const known = new Set(found.map((team) => team.id))
  const bad = ids.find((teamId) => !known.has(teamId))
  if (bad)
    throw userErrors.unknownTeam({
      fields: { teamId: [`${bad} does not exist or is in none of the person's hubs`] },
    })
  return ids
}

/**
 * Somebody in teams adds people only to those, and leaves nobody without a team who had one or is new: people without
 * teams see everything of their hubs.
 */
export function checkGivenTeams(
  caller: Caller,
  { had, has }: { had: readonly string[] | undefined; has: readonly string[] },
): void {
  if (!isInTeams(caller)) return
  const known = new Set<string>([...caller.teamIds, ...(had ?? [])])
  const isFreed = has.length === 0 && had?.length !== 0
  if (!isFreed && has.every((id) => known.has(id))) return
  const message = isFreed ? "Choose at least one of your teams" : "You can only add people to your own teams"
  throw userErrors.unknownTeam({ message, fields: { teamId: [message] } })
}

interface Member {
  organizationId: string
  userId: string
}

/** Gives a member access to hubs. */
export async function joinHubs(tx: Tx, member: Member, hubIds: readonly string[]): Promise<void> {
  await tx`
    insert into user_hubs (organization_id, user_id, hub_id)
    select ${member.organizationId}, ${member.userId}, hub_id from unnest(${hubIds as string[]}::text[]) as wanted (hub_id)
    on conflict do nothing`
}

export async function joinTeams(tx: Tx, member: Member, teamIds: readonly string[]): Promise<void> {
  await tx`
    insert into user_teams (organization_id, user_id, team_id)
    select ${member.organizationId}, ${member.userId}, team_id from unnest(${teamIds as string[]}::text[]) as wanted (team_id)
    on conflict do nothing`
}

export async function setHubs(
  tx: Tx,
  { organizationId }: Pick<Caller, "organizationId">,
  userId: string,
  hubIds: readonly string[],
): Promise<void> {
  await tx`
    delete from user_hubs where organization_id = ${organizationId} and user_id = ${userId}
      and hub_id <> all (${hubIds as string[]})`
  await joinHubs(tx, { organizationId, userId }, hubIds)
}

export async function setTeams(
  tx: Tx,
  { organizationId }: Pick<Caller, "organizationId">,
  userId: string,
  teamIds: readonly string[],
): Promise<void> {
  await tx`
    delete from user_teams where organization_id = ${organizationId} and user_id = ${userId}
      and team_id <> all (${teamIds as string[]})`
  await joinTeams(tx, { organizationId, userId }, teamIds)
}

export async function isLastTeamOfSomebody(
  tx: Tx,
  team: { organizationId: string; id: string },
): Promise<boolean> {
  const rows = await tx`
    select 1 from user_teams t
    where t.organization_id = ${team.organizationId} and t.team_id = ${team.id} and not exists (
      select from user_teams other where other.organization_id = t.organization_id and other.user_id = t.user_id
        and other.team_id <> t.team_id) limit 1`
  return rows.length > 0
}
