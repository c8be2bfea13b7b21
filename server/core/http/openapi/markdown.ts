/**
 * The little Markdown that descriptions and the error catalogue use, as HTML: headings, tables and paragraphs, and in
 * them code and links. Everything else is shown as text.
 */
export function markdownHtml(markdown: string): string {
  return markdown
    .split("\n\n")
    .map((block) => block.trim())
    .filter((block) => block !== "")
    .map(blockHtml)
    .join("\n")
}

function blockHtml(block: string): string {
  if (block.startsWith("## ")) return `<h2>${inlineHtml(block.slice(3))}</h2>`
  if (block.startsWith("# ")) return `<h1>${inlineHtml(block.slice(2))}</h1>`
  if (block.startsWith("| ")) return tableHtml(block.split("\n"))
  return `<p>${inlineHtml(block)}</p>`
}

/** The second line is the rule below the head. */
function tableHtml([head = "", , ...rows]: readonly string[]): string {
  const row = (line: string, cell: "th" | "td") => {
    const cells = line
      .slice(1, -1)
      .replaceAll("\\|", "\u0000")
      .split("|")
      .map((text) => `<${cell}>${inlineHtml(text.trim().replaceAll("\u0000", "|"))}</${cell}>`)
    return `<tr>${cells.join("")}</tr>`
  }
  const body = rows.map((line) => row(line, "td")).join("\n")
  return `<table><thead>${row(head, "th")}</thead><tbody>${body}</tbody></table>`
}

/** Text with code and links; links lead to this server only. */
export function inlineHtml(text: string): string {
  return escapeHtml(text)
    .replace(/`([^`]*)`/g, "<code>$1</code>")
    .replace(/\[([^[\]]*)\]\((\/[^()\s]*)\)/g, '<a href="$2">$1</a>')
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
}
