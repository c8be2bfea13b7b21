/** Nothing may frame the page, and it loads nothing. */
export const refusalPolicy = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? "")

/** For a request that names no address where it would be safe to send the person. */
export function refusalPage(message: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Fieldway</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem}</style>
<h1>This application cannot be connected</h1><p>${escapeHtml(message)}</p>
<p>Go back to the application and try again, or ask its maker.</p></html>`
}
