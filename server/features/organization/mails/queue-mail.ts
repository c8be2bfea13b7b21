import type { Tx } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import { send } from "#core/jobs/define-job.ts"
import { sendMail } from "./jobs.ts"
import { type MailMessage, plainAddress, plainName, toHtml, toText } from "./mail-message.ts"
import { type MailFacts, type MailKind, openingKinds, textsIn } from "./texts/texts.ts"

export interface Addressee {
  /** Whose outbox it is; null for the installation's first organization. */
  organizationId: string | null
  email: string
  language: string
  isPrivate?: boolean
  /** Files of `keepAttachments`. */
  attachmentIds?: readonly string[]
}

/**
 * Writes a mail in the transaction of its cause; a job hands it to the mail server. Without one it stays in
 * the organization's outbox.
 */
export async function queueMail<Kind extends MailKind>(
  tx: Tx,
  to: Addressee,
  kind: Kind,
  facts: MailFacts<Kind>,
): Promise<void> {
  const organizationId = to.organizationId ?? (await firstOrganization(tx))
  if (!organizationId) return
  const write = textsIn(to.language)[kind] as (known: MailFacts<Kind>) => MailMessage
  const message = write(tidy(facts))
  const id = newId<"mail">()
  await tx`
    insert into mails (organization_id, id, recipient, kind, subject, text, html, is_private, attachment_ids)
    values (${organizationId}, ${id}, ${to.email}, ${kind}, ${message.subject}, ${toText(message)},
      ${toHtml(message, to.language)}, ${to.isPrivate ?? false}, ${to.attachmentIds ? [...to.attachmentIds] : null})`
  await send(tx, sendMail, { organizationId, mailId: id }, { queue: queueOf(organizationId, kind) })
}

/**
 * One mail of an organization at a time, and beside it one of those that somebody waits for to sign in: thousands of
 * notices leave slots for the jobs of others (`worker.ts`), and password resets pass them.
 */
function queueOf(organizationId: string, kind: MailKind): string {
  return `${openingKinds.has(kind) ? "mail.account" : "mail"}:${organizationId}`
}

/** Texts that people chose are made fit for one line of a mail; links stay as they are. */
export function tidy<Facts extends object>(facts: Facts): Facts {
  const entries = Object.entries(facts).map(([key, value]) => {
    if (typeof value !== "string" || key === "link") return [key, value]
    return [key, key === "email" || key === "endpoint" ? plainAddress(value) : plainName(value)]
  })
  return Object.fromEntries(entries) as Facts
}

async function firstOrganization(tx: Tx): Promise<string | undefined> {
  const rows = await tx<{ id: string }[]>`select id from organizations order by number limit 1`
  return rows[0]?.id
}
