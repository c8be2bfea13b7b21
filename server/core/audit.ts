import type { Caller } from "./access/caller.ts"
import type { Origin } from "./audit-trail/origin.ts"
import { json, type Sql } from "./database/database.ts"
import { newId } from "./ids.ts"
import { currentTrace } from "./telemetry/trace-context.ts"

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

/**
 * Writes who changed what, in the transaction of the change. Triggers note the changed rows themselves; this gives the
 * entry of the request a name and a summary, and a further call writes an entry of its own. Never give it a password,
 * token or hash.
 */
export async function audit(sql: Sql, actor: Actor, entry: AuditEntry): Promise<void> {
  const origin = currentTrace()?.origin
  if (origin?.isPartOf) return
  const isNamed = origin === undefined || named.has(origin)
  if (origin) named.add(origin)
  const written = await insertEntry(sql, actor, entry, { ...origin, entry: isNamed ? newId() : origin.entry })
  // The entry was committed in an earlier transaction of the request.
  if (!written) await insertEntry(sql, actor, entry, { ...origin, entry: newId() })
}

const named = new WeakSet<Origin>()

async function insertEntry(
  sql: Sql,
  actor: Actor,
  { action, targetType, targetId, targetName, before, after }: AuditEntry,
  origin: Partial<Origin> & Pick<Origin, "entry">,
): Promise<boolean> {
  const rows = await sql`
    insert into audit_log (organization_id, id, actor_email, address, action, target_type, target_id, target_name,
      before, after, actor_id, actor_name, actor_kind, via, operation, request_id, details)
    values (${actor.organizationId}, ${origin.entry}, ${actor.email}, ${actor.address ?? null}, ${action},
      ${targetType}, ${targetId ?? null}, ${targetName ?? null},
      ${before === undefined ? null : json(sql, before)}, ${after === undefined ? null : json(sql, after)},
      ${origin.id ?? null}, ${origin.name ?? null}, ${origin.kind ?? "system"}, ${origin.via ?? null},
      ${origin.operation ?? null}, ${origin.request ?? null}, ${origin.details ? json(sql, origin.details) : null})
    on conflict (organization_id, id) do update set action = excluded.action, target_type = excluded.target_type,
      target_id = excluded.target_id, target_name = excluded.target_name, before = excluded.before, after = excluded.after,
      details = coalesce(excluded.details, audit_log.details)
    where audit_log.xid = pg_current_xact_id()::text::bigint
    returning 1`
  return rows.length > 0
}
