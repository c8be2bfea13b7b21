import { createHash } from "node:crypto"
import { directionOf, type Language } from "#shared/languages.ts"
import { escapeHtml, languageLinks, moneyIn, phoneHref, type Times, timesIn } from "./markup.ts"
import { pageScript } from "./page-script.ts"
import { pageStyle } from "./page-style.ts"
import { type OfferedTimes, otherTimes } from "./reschedule-markup.ts"
import type { Sender } from "./sender.ts"
import { type PageTexts, textsIn } from "./texts/texts.ts"
import type { TrackingView } from "./view.ts"

export interface PageOptions {
  code: string
  language: Language
  /** For the inline style and script of this response. */
  nonce: string
  /** What the page says about the form that was just sent. */
  notice: "saved" | "thanks" | "slotTaken" | null
  /** Other times that the customer may choose; null where nobody asked for them, undefined where there are none to ask for. */
  slots?: OfferedTimes | null | undefined
  /** Whether the customer has stopped messages; null where there is nothing to stop. */
  hasOptedOut: boolean | null
  refreshSeconds: number
}

/** The whole page. Its facts need no script. */
export function renderPage(view: TrackingView, sender: Sender, options: PageOptions): string {
  const t = textsIn(options.language)
  const facts = renderFacts(view, sender, options)
  const tag = tagOf(facts)
  return renderDocument(sender, options, {
    title: t.state[view.state],
    body: `data-refresh="${options.refreshSeconds}" data-etag="${tag}" data-state="${view.state}"`,
    main: `${notice(t, options.notice)}<div id="facts">${facts}</div>
${afterwards(view, sender, options, t)}${changes(view, sender, options, t)}`,
    foot: foot(options, t),
    refreshes: options.refreshSeconds > 0,
  })
}

/** What changes with time, and its entity tag: the page's script asks for it again and again. */
export function renderFacts(view: TrackingView, sender: Sender, { language, code }: PageOptions): string {
  const t = textsIn(language)
  const times = timesIn(language, view.zone)
  const isOver = view.state === "done" || view.state === "failed"
  const rows = [
    view.finishedAt ? row(t.finishedAt, times.dayAndTime(view.finishedAt)) : "",
    isOver ? "" : row(t.window, times.range(view.start, view.end)),
    isOver ? "" : arrivalRow(view, t, times),
    view.driver?.name ? row(t.driver, escapeHtml(view.driver.name)) : "",
  ]
  return `<h1>${escapeHtml(t.state[view.state])}</h1>
${view.title ? `<p class="title"><bdi>${escapeHtml(view.title)}</bdi></p>` : ""}
${view.requests.customerCancellation ? `<p class="note">${escapeHtml(t.cancelled)}</p>` : ""}
<dl>${rows.join("")}</dl>
${view.driver?.phone ? link("button", `tel:${phoneHref(view.driver.phone)}`, t.callDriver, view.driver.phone) : ""}
${map(view, t, times)}
${itemsList(view, sender, t, language)}
${proof(view, t, code)}`
}

export function tagOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16)
}

function arrivalRow(view: TrackingView, t: PageTexts, times: Times): string {
  const { arrival } = view
  if (!arrival) return ""
  const { earliest, latest } = arrival
  const range = earliest && latest ? t.between(times.time(earliest), times.time(latest)) : ""
  const stops = arrival.stopsBefore === null ? "" : `<br>${escapeHtml(t.stopsBefore(arrival.stopsBefore))}`
  const at = view.state === "arrived" ? "" : `<strong class="eta">${times.dayAndTime(arrival.at)}</strong>`
  return at === "" ? "" : row(t.expected, `${at}${range ? `<br>${escapeHtml(range)}` : ""}${stops}`)
}

/** A map is drawn by a script, from these data; without it there is nothing to see. */
function map({ position, destination }: TrackingView, t: PageTexts, times: Times): string {
  if (!position) return ""
  const seen = t.lastSeen(times.time(Temporal.Instant.from(position.at)))
  return `${mapOf(position, destination, t.mapLabel)}
<p class="quiet"><span class="legend"></span>${escapeHtml(seen)}${destination ? `<span class="legend place">${escapeHtml(t.yourAddress)}</span>` : ""}</p>`
}

interface Place {
  lat: number
  lng: number
}

export function mapOf(driver: Place, destination: Place | null, label: string): string {
  const places = JSON.stringify({
    driver: [driver.lng, driver.lat],
    destination: destination && [destination.lng, destination.lat],
  })
  return `<div id="map" role="region" aria-label="${escapeHtml(label)}" data-places="${escapeHtml(places)}" hidden></div>`
}

function itemsList(
  { items, total }: TrackingView,
  { currency }: Sender,
  t: PageTexts,
  language: Language,
): string {
  if (items.length === 0) return ""
  const format = moneyIn(language, currency)
  const money = (amount: number) => `<bdi>${escapeHtml(format(amount))}</bdi>`
  const number = new Intl.NumberFormat(language)
  const rows = items.map(
    ({ title, quantity, amount }) =>
      `<li><bdi>${escapeHtml(title)}</bdi><span>${[quantity === null ? "" : `× ${number.format(quantity)}`, amount === null ? "" : money(amount)].filter(Boolean).join(" · ")}</span></li>`,
  )
  const sum =
    total === null
      ? ""
      : `<li class="sum"><span>${escapeHtml(t.total)}</span><span>${money(total)}</span></li>`
  return `<section><h2>${escapeHtml(t.items)}</h2><ul class="items">${rows.join("")}${sum}</ul></section>`
}

function proof({ photos, signature, hasDocument }: TrackingView, t: PageTexts, code: string): string {
  const pictures = photos.map(
    (_key, place) =>
      `<a href="/t/${code}/files/${place}"><img src="/t/${code}/files/${place}" alt="${escapeHtml(t.photo(place + 1))}" loading="lazy"></a>`,
  )
  return [
    pictures.length > 0
      ? `<section><h2>${escapeHtml(t.photos)}</h2><div class="photos">${pictures.join("")}</div></section>`
      : "",
    signature
      ? `<section><h2>${escapeHtml(t.signature)}</h2><img class="signature" src="/t/${code}/files/signature" alt="${escapeHtml(t.signature)}"></section>`
      : "",
    hasDocument ? link("button plain", `/t/${code}/report.pdf`, t.document) : "",
  ].join("")
}

/** The rating, once the task is done. */
function afterwards(
  view: TrackingView,
  { settings }: Sender,
  { code, language }: PageOptions,
  t: PageTexts,
): string {
  if ((view.state !== "done" && view.state !== "failed") || !settings.askRating) return ""
  if (view.rating) {
    const { stars, comment } = view.rating
    return `<section><h2>${escapeHtml(t.yourRating)}</h2><p class="stars" role="img" aria-label="${escapeHtml(t.stars(stars))}">${"★".repeat(stars)}${"☆".repeat(5 - stars)}</p>${comment ? `<p><bdi>${escapeHtml(comment)}</bdi></p>` : ""}</section>`
  }
  const choices = [1, 2, 3, 4, 5].map(
    (count) =>
      `<input type="radio" name="stars" id="s${count}" value="${count}" required><label for="s${count}"><span>${escapeHtml(t.stars(count))}</span>★</label>`,
  )
  return form(
    code,
    language,
    "rating",
    t.rate,
    `<fieldset class="rating" aria-label="${escapeHtml(t.rate)}">${choices.join("")}</fieldset>
${area("comment", t.comment, "", "", 2000)}<button class="button">${escapeHtml(t.send)}</button>`,
  )
}

function changes(
  view: TrackingView,
  { settings }: Sender,
  { code, language, slots }: PageOptions,
  t: PageTexts,
): string {
  if (view.state === "done" || view.state === "failed") return ""
  const { requests } = view
  const fields = [
    settings.allowInstructions
      ? area("instructions", t.instructions, t.instructionsHint, requests.customerInstructions ?? "", 500)
      : "",
    settings.allowSafePlace
      ? input("safePlace", t.safePlace, t.safePlaceHint, requests.customerSafePlace ?? "")
      : "",
    settings.allowContact
      ? input("contact", t.contactPerson, t.contactPhone, requests.customerContact ?? "")
      : "",
  ].join("")
  const details =
    fields === ""
      ? ""
      : form(
          code,
          language,
          "details",
          t.changes,
          `${fields}<button class="button">${escapeHtml(t.save)}</button>`,
        )
  const isCancellable =
    settings.allowCancellation && !requests.customerCancellation && view.state !== "arrived"
  const cancel = isCancellable
    ? `<details><summary>${escapeHtml(t.cancel)}</summary>${form(code, language, "cancellation", "", `<p class="quiet">${escapeHtml(t.cancelHint)}</p>${input("reason", t.cancelReason, "", "")}<button class="button danger">${escapeHtml(t.cancel)}</button>`)}</details>`
    : ""
  const times = slots === undefined ? "" : otherTimes({ code, language, zone: view.zone, slots }, t)
  return details + times + cancel
}

function form(code: string, language: string, action: string, title: string, content: string): string {
  const heading = title === "" ? "" : `<h2>${escapeHtml(title)}</h2>`
  return `<form method="post" action="/t/${code}/${action}?lang=${language}">${heading}${content}</form>`
}

function area(name: string, label: string, hint: string, value: string, maxLength: number): string {
  return `<label>${escapeHtml(label)}<textarea name="${name}" rows="3" maxlength="${maxLength}" dir="auto" placeholder="${escapeHtml(hint)}">${escapeHtml(value)}</textarea></label>`
}

function input(name: string, label: string, hint: string, value: string): string {
  return `<label>${escapeHtml(label)}<input name="${name}" maxlength="200" dir="auto" placeholder="${escapeHtml(hint)}" value="${escapeHtml(value)}"></label>`
}

function foot({ code, language, hasOptedOut }: PageOptions, t: PageTexts): string {
  if (hasOptedOut === null) return ""
  const [action, label, hint] = hasOptedOut
    ? ["opt-in", t.startMessages, t.messagesStopped]
    : ["opt-out", t.stopMessages, t.stopMessagesHint]
  return form(
    code,
    language,
    action,
    "",
    `<p class="quiet">${escapeHtml(hint)}</p><button class="link">${escapeHtml(label)}</button>`,
  )
}

function notice(t: PageTexts, kind: PageOptions["notice"]): string {
  if (kind === null) return ""
  return `<p class="note" role="status">${escapeHtml(t[kind])}</p>`
}

interface DocumentParts {
  title: string
  body: string
  main: string
  foot: string
  refreshes: boolean
}

export function renderDocument(
  sender: Sender,
  { language, nonce, code }: Pick<PageOptions, "code" | "language" | "nonce">,
  parts: DocumentParts,
): string {
  const t = textsIn(language)
  const { settings } = sender
  const contacts = [
    settings.phone ? link("", `tel:${phoneHref(settings.phone)}`, t.call, settings.phone) : "",
    settings.email ? link("", `mailto:${encodeURI(settings.email)}`, t.writeMail, settings.email) : "",
  ].filter(Boolean)
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(`${parts.title} · ${sender.name}`)}</title>
${parts.refreshes ? '<noscript><meta http-equiv="refresh" content="60"></noscript>' : ""}
<style nonce="${nonce}">${pageStyle(settings.color)}</style></head>
<body ${parts.body}><header>${sender.logo ? `<img src="/t/${code}/logo" alt="">` : ""}<span><bdi>${escapeHtml(sender.name)}</bdi></span></header>
<main>${parts.main}${contacts.length > 0 ? `<section><h2>${escapeHtml(t.contact)}</h2><p class="contacts">${contacts.join("")}</p></section>` : ""}</main>
<footer>${parts.foot}<nav aria-label="${escapeHtml(t.language)}">${languageLinks(`/t/${code}`, language)}</nav></footer>
${parts.refreshes ? `<script nonce="${nonce}">${pageScript}</script>` : ""}</body></html>
`
}

/** A page that says why there is none: nothing on it comes from the request. */
export function renderRefusal(reason: "gone" | "tooMany", language: Language, nonce: string): string {
  const t = textsIn(language)
  const [title, text] = reason === "gone" ? [t.gone, t.goneText] : [t.tooMany, t.tooManyText]
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title><style nonce="${nonce}">${pageStyle("#495057")}</style></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main></body></html>
`
}

export const row = (name: string, html: string) => `<dt>${escapeHtml(name)}</dt><dd>${html}</dd>`

function link(className: string, href: string, label: string, detail = ""): string {
  const text =
    detail === "" ? escapeHtml(label) : `${escapeHtml(label)} <bdi dir="ltr">${escapeHtml(detail)}</bdi>`
  return `<a${className === "" ? "" : ` class="${className}"`} href="${escapeHtml(href)}">${text}</a>`
}
