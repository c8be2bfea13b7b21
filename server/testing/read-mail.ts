import type { Pool } from "#core/database/database.ts"
import { openText, type StoredText } from "#features/organization/mails/kept-text.ts"

export interface KeptMail {
  organizationId: string
  kind: string
  text: string | undefined
}

/** The newest mail to somebody, as it lies in the outbox of an installation without SECRETS_KEY. */
export async function newestMail(sql: Pool, email: string): Promise<KeptMail | undefined> {
  const [mail] = await sql<(StoredText & { organizationId: string })[]>`
    select organization_id, id, kind, text, html, sealed from mails
    where recipient = ${email} order by created_time desc, id desc limit 1`
  if (!mail) return undefined
  const config = { secretsKey: undefined, secretsKeyOld: undefined }
  const body = await openText({ sql, config }, mail)
  return { organizationId: mail.organizationId, kind: mail.kind, text: body?.text }
}
