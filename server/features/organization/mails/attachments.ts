import type { Sql, Tx } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import type { MailAttachment } from "#core/outbound/mail.ts"

/** Keeps files until the mails that name them are sent; several mails share them. Returns their ids. */
export async function keepAttachments(
  tx: Tx,
  organizationId: string,
  files: readonly MailAttachment[],
): Promise<string[]> {
  const ids: string[] = []
  for (const { filename, contentType = "application/octet-stream", content } of files) {
    const id = newId()
    await tx`
      insert into mail_attachments (organization_id, id, name, type, content)
      values (${organizationId}, ${id}, ${filename}, ${contentType}, ${content})`
    ids.push(id)
  }
  return ids
}

export function attachmentsOf(
  sql: Sql,
  organizationId: string,
  ids: readonly string[],
): Promise<MailAttachment[]> | MailAttachment[] {
  if (ids.length === 0) return []
  return sql<MailAttachment[]>`
    select name as filename, type as content_type, content from mail_attachments
    where organization_id = ${organizationId} and id = any (${[...ids]}) order by array_position(${[...ids]}::text[], id)`
}
