import type { Language } from "#shared/languages.ts"
import { arabic } from "./texts-ar.ts"
import { german } from "./texts-de.ts"
import { english } from "./texts-en.ts"
import { spanish } from "./texts-es.ts"
import { french } from "./texts-fr.ts"
import { indonesian } from "./texts-id.ts"
import { portuguese } from "./texts-pt.ts"

/** Every text of the request form. */
export interface RequestTexts {
  required: string
  optional: string
  requiredField: string
  invalidField: string
  address: string
  addressHint: string
  findAddress: string
  chooseAddress: string
  noAddress: string
  tooFar: string
  needsAddress: string
  times: string
  showTimes: string
  timesHint: string
  noTimes: string
  busyTimes: string
  needsTime: string
  slotTaken: string
  photos: string
  photosHint: (count: number) => string
  badPhoto: string
  choose: string
  send: string
  tooQuick: string
  expired: string
  spam: string
  check: string
  refused: string
  full: string
  closed: string
  closedText: string
  empty: string
  pending: string
  approved: string
  rejected: string
  pendingText: string
  reference: string
  window: string
  message: string
  follow: string
}

const byLanguage: Readonly<Record<Language, RequestTexts>> = {
  en: english,
  id: indonesian,
  es: spanish,
  pt: portuguese,
  fr: french,
  de: german,
  ar: arabic,
}

export const requestTextsIn = (language: Language): RequestTexts => byLanguage[language]
