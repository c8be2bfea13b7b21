import { Type } from "typebox"
import { deleteExpired } from "#core/database/delete-expired.ts"
import { defineJob, type Job } from "#core/jobs/define-job.ts"
import { connectMailServer } from "#core/outbound/mail.ts"
import { attachmentsOf } from "./attachments.ts"
import { openText, sealText } from "./kept-text.ts"

interface WaitingMail {
  id: string
  kind: string
  recipient: string
  subject: string
  text: string | null
  html: string | null
  sealed: Buffer | null
  attachmentIds: string[] | null
}

/**
 * Hands a mail to the mail server and then deletes its text. A worker that dies in between sends it twice,
 * which a reader forgives. Without a mail server the mail stays where the owner can read it. What is kept of a mail that
 * opens an account is sealed.
 */
export const sendMail = defineJob({
  name: "mail.send",
  payload: Type.Object({ organizationId: Type.String(), mailId: Type.String() }),
  // The queue waits e, e², … e¹⁰ seconds between tries: twelve span 16 hours, eight only half an hour.
  maxAttempts: 12,
  timeoutSeconds: 90,
  async handle({ sql, config, clock }, { organizationId, mailId }) {
    const rows = await sql<WaitingMail[]>`
      select id, kind, recipient, subject, text, html, sealed, attachment_ids from mails
      where organization_id = ${organizationId} and id = ${mailId} and sent_time is null`
    const mail = rows[0]
    if (!mail) return
    const body = await openText({ sql, config }, mail)
    await sealText({ sql, config }, organizationId, mail)
    if (!config.mailUrl) return
    if (!body) throw new Error("the text of this mail was sealed under a SECRETS_KEY that is not set")
    const server = connectMailServer(config.mailUrl, config.publicUrl)
    try {
      const attachments = await attachmentsOf(sql, organizationId, mail.attachmentIds ?? [])
      await server.send({ id: mailId, to: mail.recipient, subject: mail.subject, ...body, attachments })
    } catch (error) {
      const reason = error instanceof Error ? error.message.slice(0, 500) : "unknown"
      await sql`
        update mails set error = ${reason} where organization_id = ${organizationId} and id = ${mailId}`
      throw error
    } finally {
      server.close()
    }
    await sql`
      update mails set sent_time = ${clock.now()}, text = null, html = null, sealed = null, error = null
      where organization_id = ${organizationId} and id = ${mailId}`
  },
})

/** Mails are kept for 30 days, their files until the last try has failed. */
const removeOldMails = defineJob({
  name: "mail.remove-old",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "23 3 * * *",
  async handle({ sql, signal }) {
    await deleteExpired(sql, signal, { table: "mails", column: "created_time", age: "30 days" })
    await deleteExpired(sql, signal, { table: "mail_attachments", column: "created_time", age: "2 days" })
  },
})

export const mailJobs: readonly Job[] = [sendMail, removeOldMails]
