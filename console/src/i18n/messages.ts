import type { words } from "./words.ts"

export const languages = ["en", "id"] as const
export type Language = (typeof languages)[number]

/** The texts of one feature in every language. A key that is missing or superfluous in one of them does not compile. */
export interface Messages<Key extends string = string> {
  en: Readonly<Record<Key, string>>
  id: Readonly<Record<Key, string>>
}

export function defineMessages<const English extends Record<string, string>>(messages: {
  en: English
  id: Record<keyof English, string>
}): Messages<keyof English & string> {
  return messages
}

export type Parameters = Readonly<Record<string, string | number>>
export type Word = keyof (typeof words)["en"]
export type Translate<M> =
  M extends Messages<infer Key> ? (key: Key | Word, parameters?: Parameters) => string : never

/**
 * Puts parameters into a text: `{name}`. `one|many` chooses by the parameter `count`; a text without `|`
 * serves every count, as in Indonesian. Numbers are written as the language writes them.
 */
export function fillText(text: string, parameters: Parameters, language: Language): string {
  const forms = text.split("|")
  const count = parameters.count
  const isOne = typeof count === "number" && new Intl.PluralRules(language).select(count) === "one"
  const form = (forms.length > 1 && !isOne ? forms[1] : forms[0]) ?? text
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = parameters[name]
    if (value === undefined) return whole
    return typeof value === "number" ? new Intl.NumberFormat(language).format(value) : value
  })
}
