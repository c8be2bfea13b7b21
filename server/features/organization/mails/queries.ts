import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
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

export async function listMails(
  sql: Sql,
  caller: Caller,
  filter: { recipient?: string; kind?: string },
  page: PageOptions & { direction: Direction },
): Promise<{ rows: MailRow[]; total: number }> {
  const condition = sql`organization_id = ${caller.organizationId}
    ${filter.recipient === undefined ? sql`` : sql`and recipient = ${filter.recipient.toLowerCase()}`}
    ${filter.kind === undefined ? sql`` : sql`and kind = ${filter.kind}`}`
  const direction = page.direction === "asc" ? sql`asc` : sql`desc`
  const [rows, counted] = await Promise.all([
    sql<MailRow[]>`
      select id, recipient, kind, subject, text, html, sealed, is_private, error, created_time, sent_time from mails
      where ${condition} order by created_time ${direction}, id limit ${page.limit} offset ${page.offset}`,
    sql<{ total: number }[]>`select count(*) as total from mails where ${condition}`,
  ])
  return { rows, total: counted[0]?.total ?? 0 }
}
