import { json, type Pool } from "#core/database.ts"
import { type Id, newId } from "#core/ids.ts"
import type { Organization } from "./builders.ts"

let count = 0

/** A webhook on new tasks as if somebody had made it before the test. */
export async function aWebhook(
  sql: Pool,
  wish: { org: Organization; url?: string; event?: string; dataType?: string; rules?: object },
): Promise<{ id: Id<"automation"> }> {
  const id = newId<"automation">()
  await sql`
    insert into automations (organization_id, id, name, event, data_type, automation_type, details, rules, is_active)
    values (${wish.org.id}, ${id}, ${`Hook ${process.pid} ${++count}`}, ${wish.event ?? "onTaskCreated"},
      ${wish.dataType ?? "task"}, 'webhook', ${json(sql, { url: wish.url ?? "https://hooks.example/" })},
      ${json(sql, wish.rules ?? {})}, true)`
  return { id }
}
