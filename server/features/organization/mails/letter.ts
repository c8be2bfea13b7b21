/** What a mail says, before it becomes text and HTML. */
export interface Letter {
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
export function toText(letter: Letter): string {
  const parts = [...letter.lines]
  if (letter.code) parts.push(letter.code)
  if (letter.action) parts.push(`${letter.action.label}:\n${letter.action.url}`)
  return `${[...parts, `-- \n${letter.footnote}`].join("\n\n")}\n`
}

/** The HTML part: inline styles and one table-free column, as mail readers understand little else. */
export function toHtml(letter: Letter, language: string): string {
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`
  const code = letter.code
    ? `<p style="margin:0 0 16px;font-size:28px;letter-spacing:6px;font-weight:bold">${escapeHtml(letter.code)}</p>`
    : ""
  const action = letter.action
    ? `<p style="margin:0 0 16px"><a href="${escapeHtml(letter.action.url)}" style="display:inline-block;padding:10px 18px;background:#1864ab;color:#ffffff;text-decoration:none;border-radius:4px">${escapeHtml(letter.action.label)}</a></p>` +
      `<p style="margin:0 0 16px;font-size:13px;word-break:break-all">${escapeHtml(letter.action.url)}</p>`
    : ""
  return `<!doctype html>
<html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><title>${escapeHtml(letter.subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#212529;background:#ffffff"><div style="max-width:560px">
${letter.lines.map(paragraph).join("\n")}
${code}${action}<p style="margin:24px 0 0;font-size:13px;color:#495057">${escapeHtml(letter.footnote)}</p>
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
