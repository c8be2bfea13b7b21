import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { isId } from "#core/ids.ts"
import { listTeamMembers } from "../../../people/teams/index.ts"
import type { Assignable } from "../../../people/users/index.ts"
import { taskErrors } from "../errors.ts"
import type { AssignedTo } from "../wire.ts"

/** The distinct e-mails and teams of a body, lower-cased; an entry may itself be a comma list. */
export function assigneesOf(body: { assignee?: readonly string[] | undefined }): string[] {
  const entries = (body.assignee ?? []).flatMap((entry) => entry.split(","))
  return [...new Set(entries.map((entry) => entry.trim().toLowerCase()).filter((entry) => entry !== ""))]
}

/**
 * The bodies with each team among the assignees replaced by its people: a task belongs to people, who stay
 * when the team changes. A team that is not there, has nobody or is not the caller's stays and is refused later.
 */
export async function nameTeamMembers<Body extends { assignee?: string[] | undefined }>(
  sql: Sql,
  caller: Caller,
  bodies: readonly Body[],
): Promise<readonly Body[]> {
  const teamIds = new Set(bodies.flatMap(assigneesOf).filter(isId))
  if (teamIds.size === 0) return bodies
  const isLimited = !caller.isOwner && caller.teamIds.length > 0
  const own = isLimited ? teamIds.intersection(new Set<string>(caller.teamIds)) : teamIds
  const members = await listTeamMembers(sql, caller, [...own])
  const peopleOf = (entry: string) => {
    const people = members.get(entry) ?? []
    return people.length > 0 ? people : [entry]
  }
  return bodies.map((body) =>
    body.assignee ? { ...body, assignee: [...new Set(assigneesOf(body).flatMap(peopleOf))] } : body,
  )
}

/**
 * Every assignee must be a member who has the hub, and, for a caller in teams, a team mate or somebody
 * without a team. Returns them as tasks keep them, in order.
 */
export function checkAssignees(
  caller: Caller,
  emails: readonly string[],
  people: ReadonlyMap<string, Assignable> | undefined,
): AssignedTo[] {
  return emails.map((email) => {
    const person = people?.get(email)
    const reason = person ? refusal(caller, person) : refusalOfUnknown(email)
    if (!person || reason) {
      const text = `${person ? `${person.name} (${email})` : email} ${reason}`
      throw taskErrors.badAssignee({ message: text, fields: { assignee: [text] } })
    }
    return { _id: person.id, name: person.name, email: person.email, hubId: person.hubIds }
  })
}

function refusalOfUnknown(entry: string): string {
  return isId(entry) ? "is no team of yours with people in it" : "is not a member of this organization"
}

function refusal(caller: Caller, person: Assignable): string | undefined {
  if (!person.hasHub) return "does not have the task's hub"
  if (caller.isOwner || person.isOwner || caller.teamIds.length === 0 || person.teamIds.length === 0)
    return undefined
  const isMate = person.teamIds.some((teamId) => caller.teamIds.includes(teamId))
  return isMate ? undefined : "is in none of your teams"
}
