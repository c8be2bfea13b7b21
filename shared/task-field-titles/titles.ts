import { type Language, languages } from "../languages.ts"
import { titles as ar } from "./ar.ts"
import { titles as de } from "./de.ts"
import { titles as es } from "./es.ts"
import { titles as fr } from "./fr.ts"
import { titles as id } from "./id.ts"
import { titles as pt } from "./pt.ts"
import { titleOf } from "./title-of.ts"

type Titles = Readonly<Record<string, string>>

const byLanguage: Readonly<Record<Exclude<Language, "en">, Titles>> = { id, es, pt, fr, de, ar }

/** The title of a field of tasks in files. */
export function fieldTitle(name: string, language: string): string {
  return titleOf(name, titlesIn(language))
}

/** Its titles in the other languages, by which an import recognizes a column. */
export function otherTitlesOf(name: string): string[] {
  const titles = languages.map((language) => fieldTitle(name, language))
  return [...new Set(titles)].filter((title) => title !== fieldTitle(name, "en"))
}

/** Malay reads the Indonesian titles, languages without titles the English ones. */
function titlesIn(language: string): Titles | undefined {
  const code = language.toLowerCase().split("-")[0] ?? ""
  const all: Readonly<Record<string, Titles>> = byLanguage
  return code === "ms" ? id : Object.hasOwn(all, code) ? all[code] : undefined
}
