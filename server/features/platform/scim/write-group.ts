import type { Tx } from "#core/database/database.ts"
import { createTeam, deleteTeam, type TeamRow, updateTeam } from "../../people/teams/index.ts"
import { findUser, updateUser } from "../../people/users/index.ts"
import { memberOf, valuesAt } from "./filter.ts"
import { notFound, scimRefusal } from "./refusals.ts"
import { deleteSent, type Resource, schemas, writeSent } from "./resources.ts"
import { refuseOwner, type Writing } from "./write-user.ts"

type Members = Record<string, unknown>

const maxMembers = 10_000

const text = (body: Members, name: string): string | undefined => {
  const [value] = valuesAt(body, name)
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined
}

function memberIds(body: Members): Set<string> {
  const members = valuesAt(body, "members")
  if (members.length > maxMembers) throw scimRefusal(400, "The group has too many members", "tooMany")
  return new Set(members.map((each) => String(memberOf(each, "value") ?? each).toLowerCase()))
}

/** A new group is a team; roles are made in Fieldway and appear as groups. */
export async function writeNewGroup(tx: Tx, writing: Writing, body: Members): Promise<string> {
  const { caller, token, address, world } = writing
  const name = text(body, "displayName")
  if (!name) throw scimRefusal(400, "displayName is required", "invalidValue")
  const isTaken = [...world.roles, ...world.teams].some(
    (each) => each.name.toLowerCase() === name.toLowerCase(),
  )
  if (isTaken) throw scimRefusal(409, `There is a group ${name} already`, "uniqueness")
  const hubId = text(body, `${schemas.groupHub}:hub`) ?? token.hubId
  const team = await createTeam(tx, caller, { name: name.slice(0, 200), hubId }, address)
  const externalId = text(body, "externalId")
  if (externalId !== undefined) await writeSent(tx, caller, team.id, { externalId })
  for (const userId of memberIds(body)) await joinTeam(tx, writing, team, userId)
  return team.id
}

export async function writeGroup(tx: Tx, writing: Writing, before: Resource, wanted: Members): Promise<void> {
  const { caller, address, world } = writing
  const team = world.teams.find(({ id }) => id === before.id)
  const name = text(wanted, "displayName") ?? String(before.displayName)
  const hubId = text(wanted, `${schemas.groupHub}:hub`) ?? team?.hubId ?? ""
  if (team && (name !== team.name || hubId !== team.hubId))
    await updateTeam(tx, caller, team.id, { name: name.slice(0, 200), hubId }, address)
  if (!team && name !== before.displayName)
    throw scimRefusal(400, "A role is renamed in Fieldway", "mutability")
  const externalId = text(wanted, "externalId")
  if (externalId !== before.externalId) await writeSent(tx, caller, before.id, { externalId })
  const [had, has] = [memberIds(before), memberIds(wanted)]
  for (const userId of has.difference(had))
    await (team ? joinTeam(tx, writing, team, userId) : setRole(tx, writing, userId, before.id))
  for (const userId of had.difference(has))
    await (team ? leaveTeam(tx, writing, team.id, userId) : leaveRole(tx, writing, before.id, userId))
}

export async function removeGroup(tx: Tx, writing: Writing, group: Resource): Promise<void> {
  const { caller, address, world } = writing
  const team = world.teams.find(({ id }) => id === group.id)
  if (!team) throw scimRefusal(403, "A role is deleted in Fieldway", "mutability")
  for (const userId of memberIds(group)) await leaveTeam(tx, writing, team.id, userId)
  await deleteTeam(tx, caller, team.id, address)
  await deleteSent(tx, caller, team.id)
}

async function findMember(tx: Tx, { caller }: Writing, userId: string) {
  const user = await findUser(tx, caller, userId)
  if (!user) throw scimRefusal(400, notFound(userId).message, "invalidValue")
  return user
}

/** A team is in a hub, so who joins it gets the hub too. */
async function joinTeam(tx: Tx, writing: Writing, team: TeamRow, userId: string): Promise<void> {
  const user = await findMember(tx, writing, userId)
  const change = {
    hubId: [...new Set([...user.hubIds, team.hubId])],
    teamId: [...new Set([...user.teamIds, team.id])],
  }
  await updateUser(tx, writing.caller, user.id, change, writing)
}

async function leaveTeam(tx: Tx, writing: Writing, teamId: string, userId: string): Promise<void> {
  const user = await findUser(tx, writing.caller, userId)
  if (!user) return
  const change = { teamId: user.teamIds.filter((id) => id !== teamId) }
  await updateUser(tx, writing.caller, user.id, change, writing)
}

async function setRole(tx: Tx, writing: Writing, userId: string, roleId: string): Promise<void> {
  refuseOwner(writing, roleId)
  const user = await findMember(tx, writing, userId)
  const role = writing.world.roles.find(({ id }) => id === roleId)
  if (role) await updateUser(tx, writing.caller, user.id, { roleId: role.id }, writing)
}

/** A person has one role: who leaves it gets the usual one, unless another was given meanwhile. */
async function leaveRole(tx: Tx, writing: Writing, roleId: string, userId: string): Promise<void> {
  refuseOwner(writing, roleId)
  const user = await findUser(tx, writing.caller, userId)
  if (user?.roleId === roleId && roleId !== writing.token.roleId)
    await setRole(tx, writing, userId, writing.token.roleId)
}
