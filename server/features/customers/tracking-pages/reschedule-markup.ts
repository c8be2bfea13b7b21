import type { Language } from "#shared/languages.ts"
import type { Slot } from "../../planning/slots/index.ts"
import { escapeHtml, timesIn } from "./markup.ts"
import type { PageTexts } from "./texts/texts.ts"

interface TimesParts {
  code: string
  language: Language
  zone: string
  /** Null: nobody asked for them yet. */
  slots: readonly Slot[] | null
}

/** The form that asks for other times, and the one that chooses between those that were found. */
export function otherTimes({ code, language, zone, slots }: TimesParts, t: PageTexts): string {
  const formats = timesIn(language, zone)
  const offered = (slots ?? []).map(({ id }) => id).join(" ")
  const choices = (slots ?? []).map(
    ({ id, startsAt, endsAt }) =>
      `<label class="choice"><input type="radio" name="slot" value="${id}" required><span>${escapeHtml(formats.range(startsAt, endsAt))}</span></label>`,
  )
  const chooser =
    choices.length > 0
      ? `<form method="post" action="/t/${code}/slot?lang=${language}"><p class="quiet">${escapeHtml(t.timesHeld)}</p>${choices.join("")}<button class="button">${escapeHtml(t.chooseTime)}</button></form>`
      : slots
        ? `<p class="note" role="status">${escapeHtml(t.noTimes)}</p>`
        : ""
  return `<details${slots ? " open" : ""}><summary>${escapeHtml(t.otherTime)}</summary>${chooser}
<form method="post" action="/t/${code}/times?lang=${language}"><input type="hidden" name="offered" value="${offered}"><button class="button plain">${escapeHtml(t.showTimes)}</button></form></details>`
}
