import { TrackerFormatError } from "./tracker.ts"

const kilometersPerNauticalMile = 1.852

export function knotsToKilometersPerHour(knots: number): number {
  return round(knots * kilometersPerNauticalMile, 2)
}

export function round(value: number, decimals: number): number {
  const factor = 10 ** decimals
  return Math.round(value * factor) / factor
}

/** The instant of a UTC date and time; years of two digits are of this century. */
export function utcTime(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number {
  const fullYear = year < 100 ? 2000 + year : year
  const isInRange =
    month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour < 24 && minute < 60 && second < 60
  const time = Date.UTC(fullYear, month - 1, day, hour, minute, second)
  if (!isInRange || new Date(time).getUTCDate() !== day)
    throw new TrackerFormatError("The frame contains an invalid date or time")
  return time
}

/** Six digits as three numbers. */
export function pairsOf(sixDigits: string): [number, number, number] {
  if (!/^\d{6}$/.test(sixDigits)) throw new TrackerFormatError("The frame contains an invalid date or time")
  return [Number(sixDigits.slice(0, 2)), Number(sixDigits.slice(2, 4)), Number(sixDigits.slice(4))]
}

/** `20190610100446`, UTC. */
export function timeOfDigits(digits: string): number {
  if (!/^\d{14}$/.test(digits)) throw new TrackerFormatError("The frame contains an invalid date or time")
  return utcTime(
    Number(digits.slice(0, 4)),
    ...pairsOf(digits.slice(4, 10)),
    ...(pairsOf(`${digits.slice(10)}00`).slice(0, 2) as [number, number]),
  )
}

/** `20190610100446` from an instant, in UTC. */
export function digitsOfTime(time: number): string {
  return new Date(time).toISOString().replace(/\D/g, "").slice(0, 14)
}

/** A plain decimal number within bounds, undefined when the text is not one. */
export function decimal(text: string | undefined, low = -1e9, high = 1e9): number | undefined {
  if (text === undefined || !/^-?\d{1,12}(?:\.\d{1,9})?$/.test(text)) return undefined
  const value = Number(text)
  return value >= low && value <= high ? value : undefined
}

/** Degrees and minutes (`ddmm.mmmm`, also `dd-mm.mmmm` or without the point) as decimal degrees. */
export function degreesOf(text: string, hemisphere: string): number {
  const [, degrees = "", minutes = "", fraction = ""] =
    /^-?(\d{1,3})-(\d{1,2})\.(\d{1,8})$/.exec(text) ??
    /^(\d{0,3}?)(\d{1,2})\.(\d{1,8})$/.exec(text) ??
    /^(\d{1,3})(\d{2})(\d{4})$/.exec(text) ??
    []
  const value = Number(degrees) + Number(`${minutes}.${fraction}`) / 60
  const isNorthSouth = hemisphere === "N" || hemisphere === "S"
  if (minutes === "" || Number(minutes) >= 60 || value > (isNorthSouth ? 90 : 180))
    throw new TrackerFormatError("The frame contains invalid coordinates")
  return round(hemisphere === "S" || hemisphere === "W" ? -value : value, 7)
}
