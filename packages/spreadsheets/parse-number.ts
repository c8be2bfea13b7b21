export interface NumberSeparators {
  readonly decimal: "." | ","
}

/** By locale; making a number format takes milliseconds. */
const separators = new Map<string, NumberSeparators>()
/** More than there are locales in use: tags with made-up subtags must not fill the memory. */
const maxSeparators = 500

/** The decimal separator of a language tag, for example "," for `de` or `id`. Unknown tags get the point. */
export function numberSeparators(language: string): NumberSeparators {
  const [locale = "en"] = isLanguageTag(language) ? Intl.NumberFormat.supportedLocalesOf(language) : []
  const known = separators.get(locale)
  if (known) return known
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5)
  const decimal = parts.some(({ type, value }) => type === "decimal" && value === ",") ? "," : "."
  if (separators.size >= maxSeparators) separators.clear()
  const made: NumberSeparators = { decimal }
  separators.set(locale, made)
  return made
}

function isLanguageTag(language: string): boolean {
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(language)
}

/** Longer texts are no numbers: a double has at most 309 digits before its point. */
const maxNumberLength = 400

/** Digits with one separator, and well-formed groups of three digits, by the decimal separator. */
const forms = {
  ".": {
    plain: /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)$/,
    grouped: /^[+-]?\d{1,3}(?:([,\u0020\u00a0\u202f'\u2019])\d{3})(?:\1\d{3})*(?:\.\d+)?$/,
  },
  ",": {
    plain: /^[+-]?(?:\d+(?:,\d+)?|,\d+)$/,
    grouped: /^[+-]?\d{1,3}(?:([.\u0020\u00a0\u202f'\u2019])\d{3})(?:\1\d{3})*(?:,\d+)?$/,
  },
} as const

/**
 * Reads a number that was typed as text. `-?digits[.digits]` always counts, whatever the language: it is what
 * programs write. Beyond that the language's decimal separator, and well-formed groups of three digits
 * set apart by the other separator, a space or an apostrophe. `1.234` is therefore 1.234 even where people
 * write it for a thousand: of two readings the machine's wins, because exports use it.
 */
export function parseNumber(text: string, { decimal }: NumberSeparators): number | undefined {
  if (text.length > maxNumberLength) return undefined
  const trimmed = text.trim()
  if (/^-?\d+(\.\d+)?$/.test(trimmed)) return finite(trimmed)
  const { plain, grouped } = forms[decimal]
  if (!plain.test(trimmed) && !grouped.test(trimmed)) return undefined
  const other = decimal === "," ? "." : ","
  const bare = trimmed.replaceAll(other, "").replace(/[\u0020\u00a0\u202f'\u2019]/g, "")
  return finite(bare.replace(",", "."))
}

function finite(text: string): number | undefined {
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}
