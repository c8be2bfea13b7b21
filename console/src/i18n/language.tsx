import { useMemo, useSyncExternalStore } from "react"
import { directionOf, type Language, localeOf } from "#shared/languages.ts"
import { currentLanguage, onLanguageChange, translationsOf } from "./chosen-language.ts"
import { fillText, type Messages, type Translate, type Word } from "./messages.ts"
import { words } from "./words.ts"

interface LanguageInUse {
  language: Language
  /** For `Intl`. */
  locale: string
  direction: "ltr" | "rtl"
}

export function useLanguage(): LanguageInUse {
  const language = useSyncExternalStore(onLanguageChange, currentLanguage, currentLanguage)
  return useMemo(
    () => ({
      language,
      // Arabic has twelve hours by default, which neither a column of times nor an axis has room for.
      locale: language === "ar" ? "ar-u-hc-h23" : localeOf(language),
      direction: directionOf(language),
    }),
    [language],
  )
}

/** The texts of a catalogue in a language; in English where the language has none. */
function textsOf<Key extends string>({ name, en }: Messages<Key>, language: Language): Record<Key, string> {
  const [domain = "", catalogue = ""] = name.split(".")
  return { ...en, ...translationsOf(language)?.[domain]?.[catalogue] }
}

/** One of the words that every page knows. */
export function useWord(word: Word): string {
  const { language } = useLanguage()
  return textsOf(words, language)[word]
}

/** The last translation of each catalogue: a list calls `useMessages` several times a row. */
const translates = new WeakMap<Messages, { language: Language; translate: Translate<Messages> }>()

function translateOf<Key extends string>(
  messages: Messages<Key>,
  language: Language,
): Translate<Messages<Key>> {
  const known = translates.get(messages)
  if (known?.language === language) return known.translate as Translate<Messages<Key>>
  const texts: Readonly<Record<Key | Word, string>> = {
    ...textsOf(words, language),
    ...textsOf(messages, language),
  }
  const translate = ((key: Key | Word, parameters = {}) =>
    fillText(texts[key], parameters, language)) as Translate<Messages<Key>>
  translates.set(messages, { language, translate: translate as Translate<Messages> })
  return translate
}

/** `const t = useMessages(hubMessages)`, then `t("title")`; the words that all features share come along. */
export function useMessages<Key extends string>(messages: Messages<Key>): Translate<Messages<Key>> {
  const { language } = useLanguage()
  return translateOf(messages, language)
}
