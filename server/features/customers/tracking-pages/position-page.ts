import type { App } from "#core/http/types.ts"
import type { Language } from "#shared/languages.ts"
import { findAddressAt } from "../../location/places/index.ts"
import type { SharedPosition } from "../../location/positions/index.ts"
import { escapeHtml, timesIn } from "./markup.ts"
import { mapOf, type PageOptions, renderDocument, row, tagOf } from "./page.ts"
import type { Sender } from "./sender.ts"
import { textsIn } from "./texts/texts.ts"

/** Nearest address: of a house. */
const addressZoom = 18
const refreshSeconds = 15

/** The address of a place in the installed maps; undefined where none covers it. */
export async function addressOf(
  { sql }: Pick<App, "sql">,
  { position }: SharedPosition,
  language: Language,
): Promise<string | undefined> {
  if (!position) return undefined
  const wire = {
    languages: [language],
    withAddress: false,
    withNames: false,
    keyOfCategory: "category" as const,
  }
  const found = await findAddressAt(sql, [position.lng, position.lat], addressZoom, wire)
  return found?.display_name
}

/** The page of a shared position: whose, where, when, and until when it is shown. Its facts need no script. */
export function renderPosition(
  shared: SharedPosition,
  address: string | undefined,
  sender: Sender,
  options: Pick<PageOptions, "code" | "language" | "nonce">,
): { html: () => string; tag: string } {
  const { language } = options
  const t = textsIn(language)
  const times = timesIn(language, shared.zone)
  const { position } = shared
  const degrees = position && `${position.lat.toFixed(5)}, ${position.lng.toFixed(5)}`
  const place =
    position &&
    `${address === undefined ? "" : `<bdi>${escapeHtml(address)}</bdi><br>`}<a href="geo:${position.lat},${position.lng}"><bdi dir="ltr">${degrees}</bdi></a>`
  const facts = `<h1>${escapeHtml(t.shared.title)}</h1>
<dl>${row(t.shared.person, `<bdi>${escapeHtml(shared.name)}</bdi>`)}
${place && position ? row(t.shared.place, place) + row(t.shared.time, times.dayAndTime(position.at)) : ""}
${row(t.shared.until, times.dayAndTime(shared.expiresAt))}</dl>
${position ? mapOf(position, null, t.shared.title) : `<p class="note">${escapeHtml(t.shared.none)}</p>`}`
  const tag = tagOf(facts)
  const seconds = shared.isOpen ? refreshSeconds : 0
  const html = () =>
    renderDocument(sender, options, {
      title: t.shared.title,
      body: `data-refresh="${seconds}" data-etag="${tag}" data-state="position"`,
      main: `<div id="facts">${facts}</div>`,
      foot: "",
      refreshes: seconds > 0,
    })
  return { html, tag }
}
