/** Countries as hubs and organizations show them; phone codes by ITU-T E.164, codes by ISO 3166-1. */
interface Country {
  code: string
  alpha2Code: string
  name: string
  phoneCode: string
  language: string
  languageName: string
}

const table: readonly [string, string, string, string, string, string][] = [
  ["AUS", "AU", "Australia", "+61", "en", "English"],
  ["IDN", "ID", "Indonesia", "+62", "id", "Bahasa Indonesia"],
  ["JPN", "JP", "Japan", "+81", "jp", "日本語"],
  ["MYS", "MY", "Malaysia", "+60", "ms", "Bahasa Melayu"],
  ["NZL", "NZ", "New Zealand", "+64", "en", "English"],
  ["PHL", "PH", "Philippines", "+63", "tl", "Filipino"],
  ["SGP", "SG", "Singapore", "+65", "en", "English"],
  ["THA", "TH", "Thailand", "+66", "th", "ไทย"],
  ["USA", "US", "United States", "+1", "en", "English"],
  ["VNM", "VN", "Vietnam", "+84", "vi", "Tiếng Việt"],
]

const byCode = new Map<string, Country>(
  table.map(([code, alpha2Code, name, phoneCode, language, languageName]) => [
    code,
    { code, alpha2Code, name, phoneCode, language, languageName },
  ]),
)

/** The wire's country object. A country outside the table keeps its code, with what is not known left out. */
export function toWireCountry(code: string | null) {
  if (code === null) return null
  const known = byCode.get(code)
  if (!known) return { code, name: code }
  return { ...known, isActive: true, enableLanguage: known.language !== "en" }
}

export function countryLanguage(code: string | null): string {
  return code === "IDN" ? "id" : "en"
}
