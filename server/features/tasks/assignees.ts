import type { Caller } from "#core/access/caller.ts"
import type { Assignable } from "../users/index.ts"
import { taskErrors } from "./errors.ts"
import type { AssignedTo } from "./wire.ts"

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
    const reason = person ? refusal(caller, person) : "is not a member of this organization"
    if (!person || reason)
      throw taskErrors.badAssignee({
        message: `${email} ${reason}`,
        fields: { assignee: [`${email} ${reason}`] },
      })
    return { _id: person.id, name: person.name, email: person.email, hubId: person.hubIds }
  })
}

function refusal(caller: Caller, person: Assignable): string | undefined {
  if (!person.hasHub) return "does not have the task's hub"
  if (caller.isOwner || person.isOwner || caller.teamIds.length === 0 || person.teamIds.length === 0)
    return undefined
  const isMate = person.teamIds.some((teamId) => caller.teamIds.includes(teamId))
  return isMate ? undefined : "is in none of your teams"
}
