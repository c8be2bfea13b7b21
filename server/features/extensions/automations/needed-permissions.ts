import { type Caller, may } from "#core/access/caller.ts"
import type { Permission } from "#core/permissions.ts"
import { automationErrors } from "./errors.ts"
import { viewPermissions } from "./log/visible-events.ts"
import type { AutomationRow } from "./queries.ts"
import type { AutomationType } from "./schemas.ts"

/** The permission that an action needs of its owner; a webhook sends the event's object, so it needs to see that. */
const actionPermissions: Record<AutomationType, readonly Permission[]> = {
  createTask: ["add/task"],
  createAssignTask: ["add/task", "assign/task"],
  moveTask: ["move/task"],
  assignTask: ["assign/task"],
  createOrUpdateDataSource: ["add/data", "edit/data"],
  notification: [],
  webhook: [],
}

export function neededPermissions(
  automation: Pick<AutomationRow, "automationType" | "dataType">,
): Permission[] {
  const view = viewPermissions[automation.dataType as keyof typeof viewPermissions]
  return [...(view ? [view] : []), ...actionPermissions[automation.automationType]]
}

/** An automation has all rights of its owner: a token with scopes saves none that goes beyond them. */
export function checkScopes(
  caller: Caller,
  automation: Pick<AutomationRow, "automationType" | "dataType">,
): void {
  if (caller.tokenScopes === null) return
  const lacking = neededPermissions(automation).find((name) => !may(caller, name))
  if (lacking)
    throw automationErrors.beyondScopes({
      message: `This automation needs the permission ${lacking}, which the token lacks`,
    })
}
