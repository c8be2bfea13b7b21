import { chooseLanguage, type Language } from "#shared/languages.ts"
import type { Trigger } from "../triggers.ts"
import { arabic } from "./texts/texts-ar.ts"
import { german } from "./texts/texts-de.ts"
import { english } from "./texts/texts-en.ts"
import { spanish } from "./texts/texts-es.ts"
import { french } from "./texts/texts-fr.ts"
import { indonesian } from "./texts/texts-id.ts"
import { portuguese } from "./texts/texts-pt.ts"
import type { MessageText, TriggerTexts } from "./texts/trigger-texts.ts"

const byLanguage: Readonly<Record<Language, TriggerTexts>> = {
  en: english,
  id: indonesian,
  es: spanish,
  pt: portuguese,
  fr: french,
  de: german,
  ar: arabic,
}

/** The built-in text of a trigger; English where a language has none. */
export function defaultText(trigger: Trigger, language: string): MessageText {
  return byLanguage[chooseLanguage(language)][trigger]
}
