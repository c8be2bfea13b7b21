/**
 * The languages that every text of the product exists in: console, field app, public pages, messages, e-mails and reports.
 * A catalogue is declared as `Record<Language, …>`, so that a missing text does not compile.
 */
export const languages = ["en", "id", "es", "pt", "fr", "de", "ar"] as const
export type Language = (typeof languages)[number]

/** Each in its own words. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: "English",
  id: "Bahasa Indonesia",
  es: "Español",
  pt: "Português",
  fr: "Français",
  de: "Deutsch",
  ar: "العربية",
}

export function isLanguage(code: string | null | undefined): code is Language {
  return languages.some((language) => language === code)
}

/** The first of the given codes or tags (`pt-BR`) that there are texts for, else English. */
export function chooseLanguage(...tags: readonly (string | null | undefined)[]): Language {
  for (const tag of tags) {
    // A query that repeats its parameter has a list instead of a text.
    if (typeof tag !== "string") continue
    const code = tag
      .split(/[-_,;]/, 1)[0]
      ?.trim()
      .toLowerCase()
    if (isLanguage(code)) return code
  }
  return "en"
}

/** The tags of an `Accept-Language` header, in the order of the header, as browsers sort it. */
export function acceptedTags(header: string | undefined): string[] {
  return header?.slice(0, 200).split(",") ?? []
}

export function directionOf(language: string): "ltr" | "rtl" {
  return language.split("-", 1)[0] === "ar" ? "rtl" : "ltr"
}

/** What `Intl` is asked for: English as most of the world writes dates and times, Portuguese as in Brazil. */
export function localeOf(language: Language): string {
  return { en: "en-GB", pt: "pt-BR" }[language as string] ?? language
}

export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

/** Chooses the form of a count by the language's rules, and puts the number where the form has `#`. */
export function pluralIn(language: Language): (count: number, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replaceAll("#", numbers.format(count))
}
