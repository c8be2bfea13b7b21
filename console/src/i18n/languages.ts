import type { Language } from "#shared/languages.ts"

/** The texts of one language: domain, catalogue, key. */
export type Translations = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>
>

/** Each language's bundle, one chunk of the build. English is in the catalogues themselves. */
export const bundles: Readonly<Record<Exclude<Language, "en">, () => Promise<{ default: Translations }>>> = {
  id: () => import("./translations/id/bundle.ts"),
  es: () => import("./translations/es/bundle.ts"),
  pt: () => import("./translations/pt/bundle.ts"),
  fr: () => import("./translations/fr/bundle.ts"),
  de: () => import("./translations/de/bundle.ts"),
  ar: () => import("./translations/ar/bundle.ts"),
}
