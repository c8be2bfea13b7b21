import type { Sql } from "#core/database/database.ts"
import { timeZoneOf } from "../../../organization/organizations/index.ts"

/** The date of a moment in the time zone of the organization. */
export async function dayIn(sql: Sql, organizationId: string, at: Temporal.Instant): Promise<string> {
  return at
    .toZonedDateTimeISO(await timeZoneOf(sql, organizationId))
    .toPlainDate()
    .toString()
}
