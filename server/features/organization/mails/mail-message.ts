import { directionOf } from "#shared/languages.ts"

/** The content of a mail, before it is rendered as text and HTML. */
export interface MailMessage {
  subject: string
  /** Paragraphs, plain text. */
  lines: readonly string[]
  action?: { label: string; url: string }
  /** Shown large, to be typed in. */
  code?: string
  /** The last, small paragraph: why this mail came and what to do when it was not expected. */
  footnote: string
}

/** The plain-text part. */
export function toText(message: MailMessage): string {
  const parts = [...message.lines]
  if (message.code) parts.push(message.code)
  if (message.action) parts.push(`${message.action.label}:\n${message.action.url}`)
  return `${[...parts, `-- \n${message.footnote}`].join("\n\n")}\n`
}

/** The HTML part: inline styles and one table-free column, as mail readers understand little else. */
export function toHtml(message: MailMessage, language: string): string {
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`
  const code = message.code
    ? `<p style="margin:0 0 16px;font-size:28px;letter-spacing:6px;font-weight:bold"><span dir="ltr">${escapeHtml(message.code)}</span></p>`
    : ""
  const action = message.action
    ? `<p style="margin:0 0 16px"><a href="${escapeHtml(message.action.url)}" style="display:inline-block;padding:10px 18px;background:#1864ab;color:#ffffff;text-decoration:none;border-radius:4px">${escapeHtml(message.action.label)}</a></p>` +
      `<p style="margin:0 0 16px;font-size:13px;word-break:break-all" dir="ltr">${escapeHtml(message.action.url)}</p>`
    : ""
  return `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${directionOf(language)}"><head><meta charset="utf-8"><title>${escapeHtml(message.subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#212529;background:#ffffff"><div style="max-width:560px">
${message.lines.map(paragraph).join("\n")}
${code}${action}<p style="margin:24px 0 0;font-size:13px;color:#495057">${escapeHtml(message.footnote)}</p>
</div></body></html>
`
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
}

/**
 * A name of somebody's choosing inside a line: one line, no control or direction characters, not endless, and nothing
 * that a mail program makes a link of.
 */
export function plainName(name: string): string {
  const cleaned = name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\p{Cf}/gu, "")
    .replace(/:?\/{2,}/g, " ")
    .replace(/([.。．｡])(?=\S)/gu, "$1 ")
    .trim()
  return cleaned.length > 80 ? `${cleaned.slice(0, 79)}…` : cleaned
}

/** A host or an e-mail address as it is, which no mail program makes a link to a page of. */
export function plainAddress(address: string): string {
  return address.includes("@") ? address : address.replaceAll(".", "[.]").replace(/:?\/{2,}/g, " ")
}
