import { randomBytes } from "node:crypto"
import { json, type Sql } from "#core/database/database.ts"
import { currentTrace } from "#core/telemetry/trace-context.ts"
import type { AutomationRow } from "../queries.ts"
import type { Exchange } from "../webhooks/call-webhook.ts"
import { masked } from "./mask.ts"

export type LogOrigin = "event" | "retry" | "test" | "replay"

export interface Entry extends Exchange {
  origin: LogOrigin
  eventXid: string | null
  eventNumber: number | null
  attempt: number
  referenceId: string
  dispatchedTime: Temporal.Instant
}

/**
 * Keeps one try, without the secrets of the automation. Returns the entry's id: 20 characters that mean nothing. An
 * automation that was deleted meanwhile has no log.
 */
export async function insertEntry(sql: Sql, automation: AutomationRow, entry: Entry): Promise<string> {
  const id = randomBytes(15).toString("base64url")
  const trace = currentTrace()
  await sql`
    insert into automation_log (organization_id, id, automation_id, event_xid, event_number, origin, attempt, is_success,
      status_code, name, event, automation_type, data_type, details, url, request, response, response_headers,
      reference_id, traceparent, request_id, dispatched_time, started_time, finished_time)
    select ${automation.organizationId}, ${id}, ${automation.id}, ${entry.eventXid}::text::xid8, ${entry.eventNumber}::bigint,
      ${entry.origin}, ${entry.attempt}::smallint, ${entry.isSuccess}::boolean, ${entry.statusCode}::smallint, ${automation.name}, ${automation.event},
      ${automation.automationType}, ${automation.dataType}, ${json(sql, masked(automation.details))}::jsonb, ${entry.url}, ${entry.request},
      ${entry.response}, ${entry.responseHeaders && json(sql, entry.responseHeaders)}::jsonb, ${entry.referenceId},
      ${trace?.traceparent ?? null}, ${trace?.requestId ?? null}, ${entry.dispatchedTime}::timestamptz, ${entry.startedTime}::timestamptz, ${entry.finishedTime}::timestamptz
    from automations where organization_id = ${automation.organizationId} and id = ${automation.id} for key share`
  return id
}
