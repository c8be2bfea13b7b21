import { reseal, type Sealing, seal, unseal } from "#core/security/sealing.ts"
import { openingKinds } from "./texts/texts.ts"

export interface StoredText {
  id: string
  kind: string
  text: string | null
  html: string | null
  sealed: Buffer | null
}

export interface MailText {
  text: string
  html: string
}

const purposeOf = (mailId: string) => `mail:${mailId}`

/** What a mail says, while it is kept. Undefined once it was sent, and when it was sealed under a key that is not known. */
export async function openText(sealing: Sealing, mail: StoredText): Promise<MailText | undefined> {
  if (mail.text !== null && mail.html !== null) return { text: mail.text, html: mail.html }
  if (!mail.sealed) return undefined
  const opened = await unseal(sealing, purposeOf(mail.id), mail.sealed).catch(() => undefined)
  return opened === undefined ? undefined : (JSON.parse(opened) as MailText)
}

/** Seals what is kept of a mail that opens an account; others stay as they are. */
export async function sealText(sealing: Sealing, organizationId: string, mail: StoredText): Promise<number> {
  const { text, html } = mail
  if (text === null || html === null || !openingKinds.has(mail.kind)) return 0
  const sealed = await seal(sealing, purposeOf(mail.id), JSON.stringify({ text, html } satisfies MailText))
  const changed = await sealing.sql`
    update mails set text = null, html = null, sealed = ${sealed}
    where organization_id = ${organizationId} and id = ${mail.id} and text is not null returning 1`
  return changed.length
}

/**
 * Seals mails that an earlier version stored readable, and reseals those under an older key. Runs at every start, on several
 * nodes at once too; returns how many it changed.
 */
export async function sealStoredMails(sealing: Sealing): Promise<number> {
  const { sql } = sealing
  const rows = await sql<(StoredText & { organizationId: string })[]>`
    select organization_id, id, kind, text, html, sealed from mails
    where kind = any (${[...openingKinds]}) and (text is not null or sealed is not null)`
  let count = 0
  for (const mail of rows) {
    count += await sealText(sealing, mail.organizationId, mail)
    const resealed = mail.sealed && (await reseal(sealing, purposeOf(mail.id), mail.sealed))
    if (!resealed) continue
    const changed = await sql`
      update mails set sealed = ${resealed}
      where organization_id = ${mail.organizationId} and id = ${mail.id} and sealed = ${mail.sealed} returning 1`
    count += changed.length
  }
  return count
}
