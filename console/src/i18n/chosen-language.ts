import { directionOf, isLanguage, type Language } from "#shared/languages.ts"
import { bundles, type Translations } from "./languages.ts"

/**
 * The language in use. It is chosen by the account of who signed in, else by what was chosen in this browser, else by
 * the browser's languages. It changes once its texts are there: no text is ever shown in a mixture.
 */
const storageKey = "fieldway.language"
/** Whose language was used last: the person and the language. */
const accountKey = "fieldway.language.account"
const translations = new Map<Language, Translations>()
const listeners = new Set<() => void>()
let current: Language = "en"

export function currentLanguage(): Language {
  return current
}

/** The texts of a language that has been loaded; nothing for English, which the catalogues contain. */
export function translationsOf(language: Language): Translations | undefined {
  return translations.get(language)
}

export function onLanguageChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

let latest: Language | undefined

async function changeTo(language: Language): Promise<void> {
  latest = language
  if (language !== "en" && !translations.has(language))
    translations.set(language, (await bundles[language]()).default)
  // Another was chosen while this one was on its way.
  if (latest !== language) return
  current = language
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
  for (const listener of listeners) listener()
}

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(storageKey, language)
  await changeTo(language)
}

/** Before anything is shown. Without a network and without the texts kept, the console starts in English. */
export async function startLanguage(): Promise<void> {
  const chosen = localStorage.getItem(storageKey)
  const ofBrowser = () => navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage)
  const language = isLanguage(chosen) ? chosen : ofBrowser()
  if (language && language !== "en") await changeTo(language).catch(() => undefined)
}

/**
 * Uses the language of the account that is signed in, once for each value: what is chosen in this browser afterwards
 * stays until the account gets another one.
 */
export async function adoptLanguage(user: { _id: string; language: string }): Promise<void> {
  const account = `${user._id} ${user.language}`
  if (localStorage.getItem(accountKey) === account) return
  localStorage.setItem(accountKey, account)
  if (isLanguage(user.language) && user.language !== current)
    await chooseLanguage(user.language).catch(() => undefined)
}
