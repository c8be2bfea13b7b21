import type { Language } from "#shared/languages.ts"
import { arabic } from "./texts-ar.ts"
import { german } from "./texts-de.ts"
import { english } from "./texts-en.ts"
import { spanish } from "./texts-es.ts"
import { french } from "./texts-fr.ts"
import { indonesian } from "./texts-id.ts"
import { portuguese } from "./texts-pt.ts"

/** Every text of the public pages. A language is one object of this type. */
export interface PageTexts {
  title: string
  /** The heading, by state. */
  state: Readonly<Record<PageState, string>>
  window: string
  expected: string
  between: (from: string, to: string) => string
  stopsBefore: (count: number) => string
  driver: string
  callDriver: string
  mapLabel: string
  yourAddress: string
  lastSeen: (time: string) => string
  items: string
  quantity: string
  total: string
  contact: string
  call: string
  writeMail: string
  changes: string
  instructions: string
  instructionsHint: string
  safePlace: string
  safePlaceHint: string
  contactPerson: string
  contactPhone: string
  save: string
  saved: string
  cancel: string
  cancelHint: string
  cancelReason: string
  cancelled: string
  otherTime: string
  showTimes: string
  timesHeld: string
  noTimes: string
  busyTimes: string
  chooseTime: string
  slotTaken: string
  finishedAt: string
  photos: string
  photo: (number: number) => string
  signature: string
  document: string
  rate: string
  stars: (count: number) => string
  comment: string
  send: string
  thanks: string
  yourRating: string
  gone: string
  goneText: string
  tooMany: string
  tooManyText: string
  language: string
  stopMessages: string
  stopMessagesHint: string
  messagesStopped: string
  startMessages: string
  /** The page of a shared position. */
  shared: Readonly<Record<"title" | "none" | "person" | "place" | "time" | "until", string>>
}

export const pageStates = ["planned", "onTheWay", "next", "arrived", "done", "failed"] as const
export type PageState = (typeof pageStates)[number]

const byLanguage: Readonly<Record<Language, PageTexts>> = {
  en: english,
  id: indonesian,
  es: spanish,
  pt: portuguese,
  fr: french,
  de: german,
  ar: arabic,
}

export function textsIn(language: Language): PageTexts {
  return byLanguage[language]
}
