import { type Language, localeOf } from "#shared/languages.ts"
import type { words } from "./words.ts"

/** The English texts of one feature; other languages have them in `translations/` under the same name. */
export interface Messages<Key extends string = string> {
  /** `domain.catalogue`: the file and the entry in it that hold the translations. Unique. */
  name: string
  en: Readonly<Record<Key, string>>
}

export function defineMessages<const English extends Readonly<Record<string, string>>>(
  name: string,
  en: English,
): Messages<keyof English & string> {
  return { name, en }
}

export type Parameters = Readonly<Record<string, string | number | readonly string[]>>
export type Word = keyof (typeof words)["en"]
export type Translate<M> =
  M extends Messages<infer Key> ? (key: Key | Word, parameters?: Parameters) => string : never

const namedForm = /^(?:zero|one|two|few|many|other)(?:,(?:zero|one|two|few|many|other))*=/

/**
 * The forms of a text by plural category (`Intl.PluralRules`); a text without `|` serves every count.
 * `one={count} stop|few,other={count} stops` names the categories of each form. Without names, as in
 * `{count} stop|{count} stops`, the two forms are `one` and `other`.
 * @public Called by `tools/console-languages.ts`, which imports by a computed path.
 */
export function pluralForms(text: string): ReadonlyMap<string, string> {
  // The default of a placeholder, as in `{{driver|our team}}`, separates nothing.
  const forms = text.split(/\|(?![^{}]*\}\})/)
  if (forms.length === 1) return new Map([["other", text]])
  return new Map(
    forms.flatMap((form, index) => {
      const [names] = namedForm.exec(form) ?? []
      if (names === undefined) return [[index === 0 ? "one" : "other", form] as const]
      return names
        .slice(0, -1)
        .split(",")
        .map((name) => [name, form.slice(names.length)] as const)
    }),
  )
}

const pluralRules = new Map<Language, Intl.PluralRules>()
const numbers = new Map<Language, Intl.NumberFormat>()
const lists = new Map<Language, Intl.ListFormat>()

/** `A, B, C` in English; other languages join the last one by a word. */
export function listFormat(locale: string): Intl.ListFormat {
  return new Intl.ListFormat(locale, { type: "unit", style: "short" })
}

function cached<Value>(
  known: Map<Language, Value>,
  language: Language,
  create: (locale: string) => Value,
): Value {
  const value = known.get(language) ?? create(localeOf(language))
  known.set(language, value)
  return value
}

/**
 * Puts parameters into a text: `{name}`. The parameter `count` chooses the plural form; numbers and lists are written
 * as the language writes them.
 */
export function fillText(text: string, parameters: Parameters, language: Language): string {
  let form = text
  if (text.includes("|")) {
    const forms = pluralForms(text)
    const rules = cached(pluralRules, language, (locale) => new Intl.PluralRules(locale))
    const { count } = parameters
    const category = typeof count === "number" ? rules.select(count) : "other"
    form = forms.get(category) ?? forms.get("other") ?? text
  }
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = parameters[name]
    if (value === undefined) return whole
    if (typeof value === "string") return value
    if (typeof value !== "number") return cached(lists, language, listFormat).format(value)
    return cached(numbers, language, (locale) => new Intl.NumberFormat(locale)).format(value)
  })
}
