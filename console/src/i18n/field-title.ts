import type { Language } from "#shared/languages.ts"
import { titleOf } from "#shared/task-field-titles/title-of.ts"
import { translationsOf } from "./chosen-language.ts"

/** The title of a field of tasks. Titles come with the texts of the language. */
export function fieldTitle(name: string, language: Language): string {
  return titleOf(name, translationsOf(language)?.taskFields?.titles)
}

/** The same where only the first word of a title is capitalised: in files it is `Done By`, on pages `Done by`. */
export function fieldLabel(name: string, language: Language): string {
  const title = fieldTitle(name, language)
  return language === "en" ? title.replace(/ [A-Z](?=[a-z])/g, (initial) => initial.toLowerCase()) : title
}
