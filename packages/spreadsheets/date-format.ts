import type { DateShape } from "./cell.ts"

/**
 * What a cell's number format says about its number: a date of some shape, a number padded with zeros to a fixed
 * width (postal codes formatted `00000`), a boolean (LibreOffice writes one to .xls as a number that shows
 * `"TRUE";"TRUE";"FALSE"`), or undefined for an ordinary number.
 */
export type FormatMeaning =
  | { readonly kind: "date"; readonly shape: DateShape }
  | { readonly kind: "zeros"; readonly width: number }
  | { readonly kind: "boolean" }

// ECMA-376 part 1, 18.8.30; 27 to 36 and 50 to 58 are the East Asian dates of the same table.
const builtInDates: readonly (readonly [from: number, to: number, shape: DateShape])[] = [
  [14, 17, "date"],
  [18, 21, "time"],
  [22, 22, "dateTime"],
  [27, 31, "date"],
  [32, 35, "time"],
  [36, 36, "date"],
  [45, 45, "time"],
  [46, 46, "duration"],
  [47, 47, "time"],
  [50, 54, "date"],
  [55, 56, "time"],
  [57, 58, "date"],
]

/** The meaning of number format `id`, whose text is `code` when the workbook defines it itself. */
export function formatMeaning(id: number, code: string | undefined): FormatMeaning | undefined {
  if (code !== undefined) return codeMeaning(code)
  const known = builtInDates.find(([from, to]) => id >= from && id <= to)
  return known ? { kind: "date", shape: known[2] } : undefined
}

function codeMeaning(code: string): FormatMeaning | undefined {
  if (/^0{2,}$/.test(code)) return { kind: "zeros", width: code.length }
  if (/^"([^"]+)";"\1";"[^"]+"$/.test(code)) return { kind: "boolean" }
  // Literals, colours and conditions may contain any letter; only what is left says date or time.
  const bare = code
    .replace(/"[^"]*"?|\\.|_.|\*./g, "")
    .split(";", 1)
    .join("")
  if (/\[(h+|m+|s+)\]/i.test(bare)) return { kind: "date", shape: "duration" }
  const letters = bare.replace(/\[[^[\]]*\]/g, "").toLowerCase()
  if (/general|#|\?|e[+-]/.test(letters)) return undefined
  const hasTime = /[hs]|am\/pm|a\/p/.test(letters)
  // A lone m is a month, or minutes beside hours or seconds.
  const hasDate = /[ydg]/.test(letters) || (letters.includes("m") && !hasTime)
  if (hasDate) return { kind: "date", shape: hasTime ? "dateTime" : "date" }
  return hasTime ? { kind: "date", shape: "time" } : undefined
}
