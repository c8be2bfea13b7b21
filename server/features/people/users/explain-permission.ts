import { type Caller, hasHub } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { effectivePermissions, isOwnerRole, type Permission, permissionCatalogue } from "#core/permissions.ts"
import { findRole } from "../roles/index.ts"
import { userErrors } from "./errors.ts"
import { findVisibleUser } from "./queries.ts"

export interface Reason {
  check: "membership" | "role" | "hub" | "team" | "own-tasks"
  passed: boolean
  text: string
}

export interface Explanation {
  isAllowed: boolean
  reasons: Reason[]
}

const aboutTasks = /task|tracking|gallery|dashboard/

/** Why a member may or may not do something, rule by rule, in the order in which the service checks them. */
export async function explainPermission(
  sql: Sql,
  caller: Caller,
  options: { userId: string; permission: Permission; hubId?: string | undefined },
): Promise<Explanation> {
  const person = await findVisibleUser(sql, caller, { id: options.userId })
  if (!person) throw userErrors.notFound()
  const role = await findRole(sql, caller, person.roleId)
  if (!role) throw userErrors.unknownRole()
  const granted = effectivePermissions(role)
  const isOwner = isOwnerRole(role)
  const reasons: Reason[] = [
    {
      check: "membership",
      passed: person.status === "active",
      text:
        person.status === "active"
          ? `${person.name} is an active member`
          : `${person.name} is ${person.status}: only active members can sign in`,
    },
    {
      check: "role",
      passed: granted.has(options.permission),
      text: granted.has(options.permission)
        ? `The role ${role.name} has ${labelOf(options.permission)}`
        : `The role ${role.name} lacks ${labelOf(options.permission)}`,
    },
  ]
  if (options.hubId !== undefined) reasons.push(await explainHub(sql, caller, person, isOwner, options.hubId))
  if (aboutTasks.test(options.permission)) {
    if (!isOwner && person.teamIds.length > 0)
      reasons.push({
        check: "team",
        passed: true,
        text: `${person.name} is in teams: of people, only team mates, people without a team and owners are seen`,
      })
    if (granted.has("view/task/only-me"))
      reasons.push({
        check: "own-tasks",
        passed: true,
        text: `The role ${role.name} has Show Only Me: only tasks assigned to ${person.name} are seen`,
      })
  }
  return { isAllowed: reasons.every((reason) => reason.passed), reasons }
}

async function explainHub(
  sql: Sql,
  caller: Caller,
  person: { name: string; hubIds: readonly string[] },
  isOwner: boolean,
  hubId: string,
): Promise<Reason> {
  const id = hubId.toLowerCase()
  const rows = await sql<{ name: string }[]>`
    select name from hubs where organization_id = ${caller.organizationId} and id = ${id}`
  const hub = rows[0]
  if (!hub || !hasHub(caller, id)) throw userErrors.unknownHub()
  if (isOwner) return { check: "hub", passed: true, text: "Owners have every hub" }
  const passed = person.hubIds.includes(id)
  return {
    check: "hub",
    passed,
    text: passed ? `${person.name} has the hub ${hub.name}` : `${person.name} lacks the hub ${hub.name}`,
  }
}

function labelOf(permission: Permission): string {
  const entry = permissionCatalogue[permission as keyof typeof permissionCatalogue]
  return entry ? `"${entry.label}" (${permission})` : permission
}
