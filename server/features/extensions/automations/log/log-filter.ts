import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { listFilterCondition } from "#core/row-filter.ts"
import { automationErrors } from "../errors.ts"

/** The filter that people build, as a condition on `automation_log`. */
export function builtCondition(sql: Sql, caller: Caller, text: string, now: Temporal.Instant): Fragment {
  return listFilterCondition(text, {
    sql,
    now,
    timeZone: caller.timeZone,
    refuse: (message) => automationErrors.badFilter({ message, fields: { filter: [message] } }),
    fields: {
      automationId: { kind: "text", value: sql`automation_id` },
      automationName: { kind: "text", value: sql`name` },
      automationEvent: { kind: "text", value: sql`event` },
      automationUrl: { kind: "text", value: sql`url` },
      isSuccess: { kind: "text", value: sql`is_success` },
      statusCode: { kind: "number", value: sql`status_code` },
      attempts: { kind: "number", value: sql`attempt + 1` },
      referenceId: { kind: "text", value: sql`reference_id` },
      request: { kind: "text", value: sql`request` },
      response: { kind: "text", value: sql`response` },
      startRequestTime: { kind: "time", value: sql`started_time` },
      responseTime: { kind: "number", value: sql`extract(epoch from finished_time - started_time)` },
    },
  })
}
