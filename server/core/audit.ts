import type { Caller } from "./access/caller.ts"
import { json, type Sql } from "./database/database.ts"
import { newId } from "./ids.ts"

export interface AuditEntry {
  /** `<noun>.<verb>`, such as `role.update` or `session.refuse`. */
  action: string
  targetType: string
  targetId?: string | null
  targetName?: string | null
  before?: unknown
  after?: unknown
}

export interface Actor {
  organizationId: string
  email: string | null
  address?: string | null
}

export function actorOf(caller: Caller, address?: string): Actor {
  return { organizationId: caller.organizationId, email: caller.email, address: address ?? null }
}

/** Writes who changed what, in the transaction of the change. Never give it a password, token or hash. */
export async function audit(sql: Sql, actor: Actor, entry: AuditEntry): Promise<void> {
  await sql`
    insert into audit_log (organization_id, id, actor_email, address, action, target_type, target_id, target_name, before, after)
    values (${actor.organizationId}, ${newId()}, ${actor.email}, ${actor.address ?? null}, ${entry.action},
      ${entry.targetType}, ${entry.targetId ?? null}, ${entry.targetName ?? null},
      ${entry.before === undefined ? null : json(sql, entry.before)}, ${entry.after === undefined ? null : json(sql, entry.after)})`
}
