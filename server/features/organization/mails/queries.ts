import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { type Listed, listRows } from "#core/list-rows.ts"
import type { Direction, PageOptions } from "#core/paging.ts"

export interface MailRow {
  id: Id<"mail">
  recipient: string
  kind: string
  subject: string
  text: string | null
  html: string | null
  sealed: Buffer | null
  isPrivate: boolean
  error: string | null
  createdTime: Temporal.Instant
  sentTime: Temporal.Instant | null
}

export function listMails(
  sql: Sql,
  caller: Caller,
  filter: { recipient?: string; kind?: string },
  page: PageOptions & { direction: Direction },
): Promise<Listed<MailRow>> {
  const condition = sql`organization_id = ${caller.organizationId}
    ${filter.recipient === undefined ? sql`` : sql`and recipient = ${filter.recipient.toLowerCase()}`}
    ${filter.kind === undefined ? sql`` : sql`and kind = ${filter.kind}`}`
  const direction = page.direction === "asc" ? sql`asc` : sql`desc`
  return listRows<MailRow>(sql, page, {
    columns: sql`id, recipient, kind, subject, text, html, sealed, is_private, error, created_time, sent_time`,
    from: sql`from mails where ${condition}`,
    order: sql`created_time ${direction}, id ${direction}`,
  })
}
