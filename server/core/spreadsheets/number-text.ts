/**
 * A number as a spreadsheet shows it in a wide enough cell: plain digits, never an exponent, no `.0`.
 * Whole numbers keep every digit; fractions are cut to 15 significant digits, as spreadsheets do,
 * so that 0.1 + 0.2 reads 0.3 and not 0.30000000000000004.
 */
export function plainNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  if (Number.isSafeInteger(value)) return value === 0 ? "0" : String(value)
  if (Number.isInteger(value)) return BigInt(value).toString()
  const rounded = Number(value.toPrecision(15))
  const text = String(rounded)
  return text.includes("e") ? withoutExponent(text) : text
}

/**
 * The text of a number that a file wrote as `raw`. Long whole numbers keep the digits of the file,
 * which a double would round (some writers put 20-digit codes into number cells).
 */
export function numberText(raw: string, value: number): string {
  return raw.length > 15 && /^-?[1-9]\d*$/.test(raw) ? raw : plainNumber(value)
}

function withoutExponent(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (!match) return text
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`
  if (point >= digits.length) return sign + digits.padEnd(point, "0")
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}
