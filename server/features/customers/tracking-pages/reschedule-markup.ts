import type { Language } from "#shared/languages.ts"
import type { Slot } from "../../planning/slots/index.ts"
import { escapeHtml, timesIn } from "./markup.ts"
import type { PageTexts } from "./texts/texts.ts"

interface TimesParts {
  code: string
  language: Language
  zone: string
  /** Null: nobody asked for them yet. */
  slots: OfferedTimes | null
}

/** Times that are held, or how often they were asked for in vain because there was too much to do. */
export type OfferedTimes = readonly Slot[] | { attempt: number }

/** The page asks again by itself, so often and after so many seconds. */
const maxAttempts = 3
export const retrySeconds = 8

/** The form that asks for other times, and the one that chooses between those that were found. */
export function otherTimes({ code, language, zone, slots }: TimesParts, t: PageTexts): string {
  const formats = timesIn(language, zone)
  const attempt = slots && "attempt" in slots ? slots.attempt : 0
  const held = slots && "length" in slots ? slots : []
  const offered = held.map(({ id }) => id).join(" ")
  const choices = held.map(
    ({ id, startsAt, endsAt }) =>
      `<label class="choice"><input type="radio" name="slot" value="${id}" required><span>${escapeHtml(formats.range(startsAt, endsAt))}</span></label>`,
  )
  const chooser =
    choices.length > 0
      ? `<form method="post" action="/t/${code}/slot?lang=${language}"><p class="quiet">${escapeHtml(t.timesHeld)}</p>${choices.join("")}<button class="button">${escapeHtml(t.chooseTime)}</button></form>`
      : slots
        ? `<p class="note" role="status">${escapeHtml(attempt > 0 ? t.busyTimes : t.noTimes)}</p>`
        : ""
  const again = attempt > 0 && attempt <= maxAttempts ? ` data-again="${retrySeconds}"` : ""
  return `<details${slots ? " open" : ""}><summary>${escapeHtml(t.otherTime)}</summary>${chooser}
<form method="post" action="/t/${code}/times?lang=${language}"${again}><input type="hidden" name="offered" value="${offered}">${attempt > 0 ? `<input type="hidden" name="attempt" value="${attempt}">` : ""}<button class="button plain">${escapeHtml(t.showTimes)}</button></form></details>`
}
