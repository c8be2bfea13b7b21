import { createTransport } from "nodemailer"

export interface Mail {
  /** The same at each try: a mail that arrives twice, because its receipt was lost, is known by it. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  attachments?: readonly MailAttachment[]
}

export interface MailAttachment {
  filename: string
  content: Buffer
  contentType?: string
}

export interface MailServer {
  /** Resolves once the server has taken the mail. */
  send(mail: Mail): Promise<void>
  close(): void
}

/** How long a mail server may stay silent. */
export const mailLimits = { timeoutMilliseconds: 20_000 }

/**
 * The mail server of `smtp://user:password@host:port?from=address`. TLS is used as soon as the server offers
 * it. Without `from` the sender is no-reply at the host of the public address.
 */
export function connectMailServer(mailUrl: string, publicUrl: string): MailServer {
  const url = new URL(mailUrl)
  const host = new URL(publicUrl).hostname
  const from = url.searchParams.get("from") ?? `Fieldway <no-reply@${host}>`
  url.searchParams.delete("from")
  const milliseconds = mailLimits.timeoutMilliseconds
  const transport = createTransport({
    url: url.toString(),
    connectionTimeout: milliseconds,
    greetingTimeout: milliseconds,
    socketTimeout: milliseconds,
  })
  return {
    async send({ id, attachments = [], ...mail }) {
      await transport.sendMail({
        from,
        messageId: `<${id}@${host}>`,
        ...mail,
        attachments: [...attachments],
      })
    },
    close: () => transport.close(),
  }
}
