import { dirname, relative } from "node:path"
import { Marked } from "marked"

export interface Entry {
  path: string
  title: string
}

/** The groups of the menu, by path; what is in none comes last. */
const groups: [string, RegExp][] = [
  ["Begin", /^(README|ARCHITECTURE|CHANGELOG)\.md$|glossary/],
  ["Operate", /operations|scaling|runbook|security|SECURITY/],
  ["Use", /schedules|data-records|recipes|import|devices|routes|console/],
  ["Integrate", /webhooks|plugins|client|api|sso|single-sign-on|automation/],
  ["Decisions", /^docs\/decisions\//],
]

export function titleOf(path: string, text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? path
}

const htmlOf = (path: string) => path.replace(/README\.md/, "index.md").replace(/\.md(?=#|$)/, ".html")

export function menu(current: string, entries: readonly Entry[]): string {
  const from = dirname(current)
  const left = new Set(entries)
  const lists = [...groups, ["More", /./] as [string, RegExp]].map(([name, pattern]) => {
    const own = [...left].filter(({ path }) => pattern.test(path))
    for (const entry of own) left.delete(entry)
    const lines = own.map(({ path, title }) => {
      const mark = path === current ? ' aria-current="page"' : ""
      return `<li><a href="${relative(from, htmlOf(path)) || "."}"${mark}>${escapeHtml(title)}</a></li>`
    })
    return own.length > 0 ? `<h2>${name}</h2><ul>${lines.join("")}</ul>` : ""
  })
  return lists.join("")
}

/** One document as a page that needs nothing else: no script, no font, no address of a stranger. */
export function page(path: string, text: string, menuHtml: string): string {
  const marked = new Marked({
    gfm: true,
    walkTokens(token) {
      if (token.type === "link" && !/^[a-z]+:/.test(token.href)) token.href = htmlOf(token.href)
    },
    renderer: {
      heading({ tokens, depth, text: words }) {
        return `<h${depth} id="${anchorOf(words)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
    },
  })
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(titleOf(path, text))} · Fieldway</title><style>${style}</style></head>
<body><nav><p><b>Fieldway</b></p>${menuHtml}</nav><main>
${marked.parse(text, { async: false })}</main></body></html>
`
}

/** The anchor of a heading, as readers of Markdown on the web make it. */
export function anchorOf(heading: string): string {
  return heading
    .replace(/[`*_]|\[|\]\([^)]*\)/g, "")
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- ]/gu, "")
    .replaceAll(" ", "-")
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}

const style = `:root{color-scheme:light dark;--line:#8884;--link:light-dark(#0b5cad,#7ab8ff)}
body{margin:0;font:16px/1.55 system-ui,sans-serif;display:grid;grid-template-columns:16rem minmax(0,1fr)}
nav{padding:1rem;border-right:1px solid var(--line);font-size:.9rem}nav h2{font-size:.8rem;margin:1rem 0 .2rem}
nav ul{list-style:none;margin:0;padding:0}main{padding:1rem 2rem 4rem;max-width:60rem}a{color:var(--link)}
[aria-current]{font-weight:600}pre{overflow:auto;padding:.8rem;border:1px solid var(--line);border-radius:6px}
code{font:.9em ui-monospace,monospace}table{border-collapse:collapse;display:block;overflow:auto}
td,th{border:1px solid var(--line);padding:.3rem .6rem;text-align:left;vertical-align:top}img{max-width:100%}
@media(max-width:50rem){body{display:block}nav{border-right:0;border-bottom:1px solid var(--line)}}`
