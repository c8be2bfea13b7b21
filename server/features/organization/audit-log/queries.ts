import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { type Listed, listRows } from "#core/list-rows.ts"
import type { Direction, PageOptions } from "#core/paging.ts"

export interface AuditRow {
  id: string
  time: Temporal.Instant
  actorEmail: string | null
  address: string | null
  action: string
  targetType: string
  targetId: string | null
  targetName: string | null
  before: unknown
  after: unknown
}

export interface AuditFilter {
  actor?: string
  /** One action, or all of a kind with a trailing dot. */
  action?: string
  targetType?: string
  targetId?: string
  q?: string
  from: Temporal.Instant | undefined
  to: Temporal.Instant | undefined
}

export function listAuditLog(
  sql: Sql,
  caller: Caller,
  filter: AuditFilter,
  page: PageOptions & { direction: Direction },
): Promise<Listed<AuditRow>> {
  const like = (text: string) => text.replace(/[\\%_]/g, "\\$&")
  const { actor, action, targetType, targetId, q } = filter
  const condition = sql`organization_id = ${caller.organizationId}
    ${actor === undefined ? sql`` : sql`and actor_email = ${actor.toLowerCase()}`}
    ${action === undefined ? sql`` : action.endsWith(".") ? sql`and action like ${`${like(action)}%`}` : sql`and action = ${action}`}
    ${targetType === undefined ? sql`` : sql`and target_type = ${targetType}`}
    ${targetId === undefined ? sql`` : sql`and target_id = ${targetId.toLowerCase()}`}
    ${q === undefined ? sql`` : sql`and target_name ilike ${`%${like(q)}%`}`}
    ${filter.from === undefined ? sql`` : sql`and time >= ${filter.from}`}
    ${filter.to === undefined ? sql`` : sql`and time <= ${filter.to}`}`
  const direction = page.direction === "asc" ? sql`asc` : sql`desc`
  return listRows<AuditRow>(sql, page, {
    columns: sql`id, time, actor_email, address, action, target_type, target_id, target_name, before, after`,
    from: sql`from audit_log where ${condition}`,
    order: sql`time ${direction}, id ${direction}`,
  })
}
