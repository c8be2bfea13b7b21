import { arabic } from "./texts-ar.ts"
import { english } from "./texts-en.ts"
import { indonesian } from "./texts-id.ts"

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
}

export const pageStates = ["planned", "onTheWay", "next", "arrived", "done", "failed"] as const
export type PageState = (typeof pageStates)[number]

const languages = { en: english, id: indonesian, ar: arabic } as const satisfies Record<string, PageTexts>
export type PageLanguage = keyof typeof languages

export const pageLanguages = Object.keys(languages) as PageLanguage[]

/** The first of the given codes that there are texts for, else English. */
export function chooseLanguage(...codes: readonly (string | null | undefined)[]): PageLanguage {
  const short = codes.map((code) => code?.slice(0, 2).toLowerCase())
  return pageLanguages.find((language) => language === short.find((code) => isPageLanguage(code))) ?? "en"
}

export function isPageLanguage(code: string | undefined): code is PageLanguage {
  return code !== undefined && Object.hasOwn(languages, code)
}

export function textsIn(language: PageLanguage): PageTexts {
  return languages[language]
}

export function directionOf(language: PageLanguage): "ltr" | "rtl" {
  return language === "ar" ? "rtl" : "ltr"
}

export const languageNames: Readonly<Record<PageLanguage, string>> = {
  en: "English",
  id: "Bahasa Indonesia",
  ar: "العربية",
}
