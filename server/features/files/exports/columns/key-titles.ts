import { chooseLanguage, type Language } from "#shared/languages.ts"
import { fieldTitle } from "#shared/task-field-titles/titles.ts"

/** Keys of data records that tasks do not have. */
const recordKeys: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  limitUser: {
    en: "Limit User",
    id: "Batas Pengguna",
    es: "Limitar a usuarios",
    pt: "Limitar a usuários",
    fr: "Limité aux utilisateurs",
    de: "Nur für Benutzer",
    ar: "قصر على المستخدمين",
  },
  dataTypeName: {
    en: "Data Type",
    id: "Jenis Data",
    es: "Tipo de datos",
    pt: "Tipo de dados",
    fr: "Type de données",
    de: "Datentyp",
    ar: "نوع البيانات",
  },
}

/** The title of a key in the organization's language. */
export function keyTitle(key: string, language: string): string {
  const own = Object.hasOwn(recordKeys, key) ? recordKeys[key] : undefined
  return own ? own[chooseLanguage(language === "ms" ? "id" : language)] : fieldTitle(key, language)
}
