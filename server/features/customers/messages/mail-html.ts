import { directionOf } from "#shared/languages.ts"

/** A message as HTML: the same words, with its links to follow. */
export function mailHtml(text: string, language: string): string {
  const lines = text.split("\n").map((line) => `<p style="margin:0 0 16px">${withLinks(line)}</p>`)
  return `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${directionOf(language)}"><head><meta charset="utf-8"></head>
<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#212529;background:#ffffff"><div style="max-width:560px">
${lines.join("\n")}
</div></body></html>
`
}

function withLinks(line: string): string {
  return line
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, place) => {
      const shown = escapeHtml(part)
      return place % 2 === 1 ? `<a href="${shown}" style="word-break:break-all">${shown}</a>` : shown
    })
    .join("")
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
}
