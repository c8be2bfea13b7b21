import { may } from "../access/caller.ts"
import type { Permission } from "../permissions.ts"
import type { AuditedObject, ByRow } from "./audited-object.ts"
import { isAuditor } from "./visible-parts.ts"

interface RowObject extends ByRow {
  type: string
  table: string
  idColumn?: string
  /** Who reads its history. Without it, those who read the audit log. */
  view?: Permission
  /** Which of them; by default all, since parts say which hub they are about. */
  isVisible?: AuditedObject["isVisible"]
  isPart?: true
}

/** Those who read the audit log see its history, and nobody else. */
export const forAuditors: AuditedObject["isVisible"] = (sql, caller) =>
  isAuditor(caller) ? sql`true` : sql`false`

/** Those who read the audit log see its history, and those with this permission. */
export function forHolders(permission: Permission): AuditedObject["isVisible"] {
  return (sql, caller) => (isAuditor(caller) || may(caller, permission) ? sql`true` : sql`false`)
}

/** Everybody sees the history of their own. */
export function forOwner(table: string, permission?: Permission): AuditedObject["isVisible"] {
  return (sql, caller, id) =>
    isAuditor(caller) || (permission !== undefined && may(caller, permission))
      ? sql`true`
      : sql`exists (
          select from ${sql(table)} own where own.organization_id = ${caller.organizationId} and own.id = ${id}
            and own.user_id = ${caller.userId})`
}

/** A kind of object whose rows are written back as they were: nothing but the row itself, or what `follow` does, depends on them. */
export function rowObject({
  type,
  table,
  idColumn,
  view,
  isVisible,
  isPart,
  ...byRow
}: RowObject): AuditedObject {
  return {
    type,
    ...(view && { viewPermission: view }),
    isVisible: isVisible ?? (view ? (sql) => sql`true` : forAuditors),
    undo: {
      table,
      ...(idColumn && { idColumn }),
      ...(isPart && { isPart }),
      revert: () => [],
      remove: () => [],
      byRow,
    },
  }
}
