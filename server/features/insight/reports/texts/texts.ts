import { chooseLanguage, type Language } from "#shared/languages.ts"
import type { ReportDimension, ReportMetricName } from "#shared/report-metrics.ts"
import { arabic } from "./texts-ar.ts"
import { german } from "./texts-de.ts"
import { english } from "./texts-en.ts"
import { spanish } from "./texts-es.ts"
import { french } from "./texts-fr.ts"
import { indonesian } from "./texts-id.ts"
import { portuguese } from "./texts-pt.ts"

/** What files of reports say, in the words of the console. */
export interface ReportTexts {
  title: string
  nobody: string
  none: string
  /** Of a figure of the compared range: `{value}`. */
  before: string
  total: string
  /** `{shown}` and `{count}`. */
  firstRows: string
  /** `{number}` */
  week: string
  /** Each with `{value}`. */
  units: Readonly<Record<"minutes" | "hours" | "kilometers", string>>
  groups: Readonly<Record<ReportDimension, string>>
  metrics: Readonly<Record<ReportMetricName, string>>
}

const byLanguage: Readonly<Record<Language, ReportTexts>> = {
  en: english,
  id: indonesian,
  es: spanish,
  pt: portuguese,
  fr: french,
  de: german,
  ar: arabic,
}

/** The texts of a language; English where there is none. */
export function reportTextsIn(language: string): ReportTexts {
  return byLanguage[chooseLanguage(language)]
}
