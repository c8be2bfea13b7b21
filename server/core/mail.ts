import { createTransport } from "nodemailer"

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
}

export interface MailServer {
  /** Resolves once the server has taken the mail. */
  send(mail: Mail): Promise<void>
  close(): void
}

const secondsToAnswer = 20

/**
 * The mail server of `smtp://user:password@host:port?from=address`. TLS is used as soon as the server offers
 * it. Without `from` the sender is no-reply at the host of the public address.
 */
export function connectMailServer(mailUrl: string, publicUrl: string): MailServer {
  const url = new URL(mailUrl)
  const from = url.searchParams.get("from") ?? `Fieldway <no-reply@${new URL(publicUrl).hostname}>`
  url.searchParams.delete("from")
  const milliseconds = secondsToAnswer * 1000
  const transport = createTransport({
    url: url.toString(),
    connectionTimeout: milliseconds,
    greetingTimeout: milliseconds,
    socketTimeout: milliseconds,
  })
  return {
    async send(mail) {
      await transport.sendMail({ from, ...mail })
    },
    close: () => transport.close(),
  }
}
