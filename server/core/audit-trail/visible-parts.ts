import { type Caller, inCallersHubs, may } from "../access/caller.ts"
import type { Fragment, Sql } from "../database/database.ts"
import type { AuditedObject } from "./audited-object.ts"

/** Who reads entries of other people: everything as owner or administrator, else what is about nothing hidden from them. */
export function isAuditor(caller: Caller): boolean {
  return may(caller, "edit/organization")
}

function readsAll(caller: Caller): boolean {
  return isAuditor(caller) && (caller.isOwner || (caller.isDefaultRole && caller.roleName === "admin"))
}

export interface Sight {
  caller: Caller
  objects: readonly AuditedObject[]
}

/**
 * The parts that the caller may read, as a condition on `part`: those about objects that they can see. With `isOwn`, the
 * entries are the caller's own, and their objects may be gone.
 */
export function visibleParts(sql: Sql, { caller, objects }: Sight, isOwn: boolean): Fragment {
  const organization = sql`part.organization_id = ${caller.organizationId}`
  if (readsAll(caller)) return organization
  const rules = objects.map(({ type, viewPermission, isVisible }) => {
    if (viewPermission !== undefined && !may(caller, viewPermission)) return sql`when ${type} then false`
    return isOwn
      ? sql`when ${type} then true`
      : sql`when ${type} then ${isVisible(sql, caller, sql`part.object_id`)}`
  })
  const other = isAuditor(caller) ? sql`part.object_type <> all (${withoutHub})` : sql`false`
  return sql`${organization} and (part.hub_id is null or ${inCallersHubs(sql, caller, sql`part.hub_id`)})
    and case part.object_type ${rules.reduce((all, rule) => sql`${all} ${rule}`)} else ${other} end`
}

/** What lies in hubs although the parts do not say in which one. */
const withoutHub = ["import", "message"]

/** What entries without parts may be about that lies in a hub. */
const typesInHubs = [
  ...["hub", "team", "task", "record", "data", "vehicle", "schedule", "result", "routing-configuration"],
  ...["geotag", "location-history", "location-link", "position", "track", "device", "tracker", "import"],
]

/** Entries without anything hidden from the caller, as a condition on `entry`. */
export function visibleEntries(sql: Sql, sight: Sight): Fragment {
  const { caller } = sight
  if (readsAll(caller)) return sql`true`
  const own = sql`entry.actor_id is not distinct from ${caller.userId}`
  if (!isAuditor(caller)) return own
  return sql`(${own} or (
    not exists (
      select from audit_parts part where part.organization_id = entry.organization_id and part.entry_id = entry.id
        and not (${visibleParts(sql, sight, false)}))
    and (not lower(entry.target_type) = any (${typesInHubs}) or exists (
      select from audit_parts part where part.organization_id = entry.organization_id and part.entry_id = entry.id))))`
}
