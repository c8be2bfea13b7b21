import { directionOf, type Language } from "#shared/languages.ts"
import type { Slot } from "../../planning/slots/index.ts"
import {
  escapeHtml,
  languageLinks,
  pageStyle,
  phoneHref,
  retrySeconds,
  type Sender,
  textsIn,
  timesIn,
} from "../tracking-pages/index.ts"
import { fieldMarkup } from "./form-fields.ts"
import { formScript } from "./form-script.ts"
import type { FormRow } from "./forms.ts"
import type { FoundAddress } from "./places.ts"
import { placeOf } from "./read-fields.ts"
import { type Posted, textIn } from "./read-post.ts"
import type { RequestRow } from "./requests.ts"
import type { FormField, FormTexts } from "./settings.ts"
import { type RequestTexts, requestTextsIn } from "./texts/texts.ts"

export interface PageParts {
  code: string
  language: Language
  nonce: string
  sender: Sender
  zone: string
  form: FormRow
}

export interface FormState {
  fields: readonly FormField[]
  token: string
  posted: Posted
  problems: ReadonlyMap<string, "required" | "invalid">
  /** Above the form. */
  notice: string | null
  addresses: readonly FoundAddress[] | null
  slots: readonly Slot[] | null
  /** At the address or the times. */
  placeNotice: string | null
  /** No times were looked up; the script asks again. */
  isBusy?: boolean
}

export const emptyPost: Posted = { values: new Map(), files: [], isTooLarge: false }

/** The texts of a form in a language; what it lacks is taken from the form's own language. */
export function textsOfForm({ settings, name }: FormRow, language: Language, fallback: Language): FormTexts {
  const { texts } = settings
  const [own, other] = [texts[language], texts[fallback]]
  return {
    title: own?.title || other?.title || name,
    introduction: own?.introduction || other?.introduction || "",
    thanks: own?.thanks || other?.thanks || "",
    labels: { ...other?.labels, ...own?.labels },
  }
}

/** The form. Every step works without a script: its buttons post the form, and the page comes back with what was found. */
export function renderForm(parts: PageParts, texts: FormTexts, state: FormState): string {
  const { code, language, form } = parts
  const t = requestTextsIn(language)
  const wherePlaces = state.fields.filter(({ kind }) => kind === "address" || kind === "position")
  const fields = state.fields.map((field) => {
    if (field === wherePlaces[0]) return where(parts, texts, state, t)
    return wherePlaces.includes(field) ? "" : fieldMarkup(field, texts, state, t)
  })
  const main = `<h1>${escapeHtml(texts.title)}</h1>
${texts.introduction ? `<p class="lines" dir="auto">${escapeHtml(texts.introduction)}</p>` : ""}
${state.notice ? `<p class="note" role="alert">${escapeHtml(state.notice)}</p>` : ""}
<form method="post" action="/r/${code}?lang=${language}" enctype="multipart/form-data" id="request">
<button class="away" name="step" value="send" tabindex="-1" aria-hidden="true">${escapeHtml(t.send)}</button>
<input type="hidden" name="token" value="${escapeHtml(state.token)}">
${fields.join("\n")}
<div class="away" aria-hidden="true"><label>${escapeHtml(t.empty)}<input name="website" tabindex="-1" autocomplete="off"></label></div>
<button class="button" name="step" value="send">${escapeHtml(t.send)}</button></form>`
  return page(
    parts,
    `${texts.title}`,
    main,
    `<script nonce="${parts.nonce}">${formScript}</script>`,
    `/r/${code}`,
    form,
  )
}

/** The address, what was found for it, and the times that fit there. */
function where(parts: PageParts, texts: FormTexts, state: FormState, t: RequestTexts): string {
  const { posted, addresses } = state
  const field = state.fields.find(({ kind }) => kind === "address" || kind === "position")
  const chosen = placeOf(posted)
  const label = (field && texts.labels[field.component.id]) || field?.component.title || t.address
  const isRequired = parts.form.settings.offersSlots || field?.isRequired === true
  const found = addresses ?? (chosen ? [{ label: chosen.label, coordinate: coordinateOf(posted) }] : [])
  const choices = found.map(({ label: text, coordinate }) => {
    const isChecked = coordinate === coordinateOf(posted) || found.length === 1
    return radio("place", `${coordinate};${text}`, escapeHtml(text), isChecked)
  })
  const problem =
    state.placeNotice ?? (field && state.problems.has(field.component.id) ? t.requiredField : null)
  return `<fieldset id="where"><legend>${escapeHtml(label)}${mark(isRequired, t)}</legend>
<input name="address" maxlength="300" dir="auto" autocomplete="street-address" aria-label="${escapeHtml(label)}" placeholder="${escapeHtml(t.addressHint)}" value="${escapeHtml(textIn(posted, "address"))}">
<button class="button plain" name="step" value="place" formnovalidate>${escapeHtml(t.findAddress)}</button>
${choices.length > 0 ? `<p>${escapeHtml(t.chooseAddress)}</p>${choices.join("")}` : ""}
${problem ? `<p class="problem" role="alert"${state.isBusy ? ` data-again="${retrySeconds}"` : ""}>${escapeHtml(problem)}</p>` : ""}
${parts.form.settings.offersSlots && choices.length > 0 ? times(parts, state, t) : ""}</fieldset>`
}

function times(parts: PageParts, { slots, posted }: FormState, t: RequestTexts): string {
  const formats = timesIn(parts.language, parts.zone)
  const chosen = textIn(posted, "slot")
  const choices = (slots ?? []).map((slot) =>
    radio("slot", slot.id, escapeHtml(formats.range(slot.startsAt, slot.endsAt)), slot.id === chosen),
  )
  const offered = (slots ?? []).map(({ id }) => id).join(" ")
  return `<h2>${escapeHtml(t.times)}</h2>
${choices.length > 0 ? `<p class="quiet">${escapeHtml(t.timesHint)}</p>${choices.join("")}<input type="hidden" name="offered" value="${offered}">` : ""}
<button class="button plain" name="step" value="times" formnovalidate>${escapeHtml(t.showTimes)}</button>`
}

function coordinateOf(posted: Posted): string {
  return textIn(posted, "place").split(";", 1)[0] ?? ""
}

function radio(name: string, value: string, html: string, isChecked: boolean): string {
  return `<label class="choice"><input type="radio" name="${name}" value="${escapeHtml(value)}"${isChecked ? " checked" : ""}><span dir="auto">${html}</span></label>`
}

const mark = (isRequired: boolean, t: RequestTexts) =>
  ` <span class="quiet">(${escapeHtml(isRequired ? t.required : t.optional)})</span>`

/** What became of a request. */
export function renderState(
  parts: PageParts,
  texts: FormTexts,
  {
    code: requestCode,
    reference,
    trackingPath,
    request,
  }: {
    code: string
    reference: string
    trackingPath: string | null
    request: RequestRow
  },
): string {
  const t = requestTextsIn(parts.language)
  const formats = timesIn(parts.language, parts.zone)
  const { status, startsAt, endsAt, reason } = request
  const rows = [
    row(t.reference, `<bdi dir="ltr">${escapeHtml(reference)}</bdi>`),
    startsAt && endsAt && status !== "rejected" ? row(t.window, formats.range(startsAt, endsAt)) : "",
    reason ? row(t.message, `<span class="lines" dir="auto">${escapeHtml(reason)}</span>`) : "",
  ]
  const main = `<h1>${escapeHtml(t[status])}</h1>
${status === "pending" ? `<p>${escapeHtml(t.pendingText)}</p>` : ""}
${texts.thanks && status !== "rejected" ? `<p class="lines" dir="auto">${escapeHtml(texts.thanks)}</p>` : ""}
<dl>${rows.join("")}</dl>
${trackingPath ? `<a class="button" href="${escapeHtml(trackingPath)}">${escapeHtml(t.follow)}</a>` : ""}`
  return page(parts, t[status], main, "", `/r/${parts.code}/${requestCode}`, parts.form)
}

const row = (name: string, html: string) => `<dt>${escapeHtml(name)}</dt><dd>${html}</dd>`

const formStyle = `.lines{white-space:pre-line}.away{position:absolute;inset-inline-start:-9999px;width:1px;height:1px;overflow:hidden}
fieldset{border:1px solid var(--line);border-radius:8px;padding:8px 12px;margin:16px 0;min-width:0}legend{font-weight:500;padding:0 4px}
select{display:block;width:100%;margin-top:4px;padding:10px;font:inherit;color:inherit;background:var(--field);border:1px solid var(--quiet);border-radius:6px;min-height:44px}
select{appearance:none;padding-inline-end:32px;background-image:linear-gradient(45deg,transparent 50%,var(--quiet) 50%),linear-gradient(135deg,var(--quiet) 50%,transparent 50%);background-size:6px 6px;background-repeat:no-repeat;background-position:right 18px center,right 12px center}
[dir=rtl] select{background-position:left 12px center,left 18px center}
[dir=rtl] input{position:relative}[dir=rtl] ::-webkit-calendar-picker-indicator{position:absolute;inset-inline-start:10px;margin:0}[dir=rtl] ::-webkit-datetime-edit{text-align:end}
input[type=checkbox]{display:inline-block;width:20px}.problem{color:#b3261e;font-weight:500}
@media(prefers-color-scheme:dark){.problem{color:#ff8a80}}`

function page(
  { language, nonce, sender, code }: PageParts,
  title: string,
  main: string,
  script: string,
  path: string,
  form: FormRow,
): string {
  const t = textsIn(language)
  const { settings } = sender
  const contact = [
    settings.phone
      ? `<a href="tel:${phoneHref(settings.phone)}">${escapeHtml(t.call)} <bdi dir="ltr">${escapeHtml(settings.phone)}</bdi></a>`
      : "",
    settings.email
      ? `<a href="${escapeHtml(`mailto:${encodeURI(settings.email)}`)}">${escapeHtml(t.writeMail)} <bdi dir="ltr">${escapeHtml(settings.email)}</bdi></a>`
      : "",
  ].filter(Boolean)
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(`${title} · ${sender.name}`)}</title>
<style nonce="${nonce}">${pageStyle(settings.color)}
${formStyle}</style></head>
<body data-form="${form.id}"><header>${sender.logo ? `<img src="/r/${code}/logo" alt="">` : ""}<span><bdi>${escapeHtml(sender.name)}</bdi></span></header>
<main>${main}${contact.length > 0 ? `<section><h2>${escapeHtml(t.contact)}</h2><p class="contacts">${contact.join("")}</p></section>` : ""}</main>
<footer><nav aria-label="${escapeHtml(t.language)}">${languageLinks(path, language)}</nav></footer>${script}</body></html>
`
}

/** A page that says why there is no form: nothing on it comes from the request. */
export function renderNoForm(reason: "closed" | "tooMany", language: Language, nonce: string): string {
  const [t, other] = [requestTextsIn(language), textsIn(language)]
  const [title, text] = reason === "closed" ? [t.closed, t.closedText] : [other.tooMany, other.tooManyText]
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title><style nonce="${nonce}">${pageStyle("#495057")}</style></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main></body></html>
`
}
