import type { Language } from "#shared/languages.ts"
import { titleOf } from "#shared/task-field-titles/title-of.ts"
import { translationsOf } from "./chosen-language.ts"

/** The title of a field of tasks. Titles come with the texts of the language. */
export function fieldTitle(name: string, language: Language): string {
  return titleOf(name, translationsOf(language)?.taskFields?.titles)
}
