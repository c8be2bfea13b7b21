import type { Translate } from "../../../i18n/messages.ts"
import type { userMessages } from "./messages.ts"

const defaultRoles = ["owner", "admin", "planner", "field user"] as const

/** The four default roles in the reader's language; custom roles keep their names. */
export function roleName(
  role: { name: string; isDefault: boolean },
  t: Translate<typeof userMessages>,
): string {
  const known = defaultRoles.find((name) => name === role.name.toLowerCase())
  return role.isDefault && known ? t(known) : role.name
}
