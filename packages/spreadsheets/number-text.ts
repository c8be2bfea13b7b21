/**
 * A number as a spreadsheet shows it in a wide enough cell: plain digits, never an exponent, no `.0`. Sums leave noise
 * in the last of a double's 17 digits (0.1 + 0.2); where 15 digits, as many as spreadsheets keep, give a far
 * shorter number, that is meant. Otherwise every digit stays.
 */
export function plainNumber(value: number): string {
  const exact = exactNumber(value)
  if (exact.length < 16 || Number.isInteger(value)) return exact
  const rounded = exactNumber(Number(value.toPrecision(15)))
  return rounded.length <= exact.length - 5 ? rounded : exact
}

/** The shortest plain digits that read back as the same number. */
export function exactNumber(value: number): string {
  if (value === 0) return "0"
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return BigInt(value).toString()
  const text = String(value)
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
