import type { Language } from "#shared/languages.ts"

/** The texts of one language: domain, catalogue, key. */
export type Translations = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>
>

/**
 * The languages that the console can be read in, each with its bundle: one chunk of the build. The build requires
 * every text in each of them: a language is added here when its files in `translations/` are complete. English is in
 * the catalogues themselves.
 */
export const bundles: Readonly<Partial<Record<Language, () => Promise<{ default: Translations }>>>> = {
  id: () => import("./translations/id/bundle.ts"),
  es: () => import("./translations/es/bundle.ts"),
  pt: () => import("./translations/pt/bundle.ts"),
  fr: () => import("./translations/fr/bundle.ts"),
  de: () => import("./translations/de/bundle.ts"),
  ar: () => import("./translations/ar/bundle.ts"),
}

export const offeredLanguages: readonly Language[] = ["en", ...(Object.keys(bundles) as Language[])]

export function isOffered(word: string | null | undefined): word is Language {
  return offeredLanguages.some((language) => language === word)
}
