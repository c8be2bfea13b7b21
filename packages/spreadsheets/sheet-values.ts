/**
 * What a cell may be given to write. Instants must have become wall-clock time before: a sheet knows no time zone.
 * In a column of kind `date`, `dateTime` or `time` a number is wall-clock milliseconds since 1970-01-01 00:00
 * (for `time`: since midnight), which is much cheaper to make in bulk than Temporal objects.
 */
export type SheetValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | Temporal.PlainDateTime
  | Temporal.PlainDate
  | Temporal.PlainTime

export interface SheetColumn {
  readonly title: string
  readonly kind?: "date" | "dateTime" | "time"
  /** In characters; derived from the title and the kind when absent. */
  readonly width?: number
}

export type SheetValues = Iterable<readonly SheetValue[]> | AsyncIterable<readonly SheetValue[]>

/** A value with its dates reduced to wall-clock milliseconds, and numbers that a double cannot hold to text. */
export type PlainValue =
  | { readonly text: string }
  | { readonly number: number }
  | { readonly boolean: boolean }
  | { readonly date: "date" | "dateTime" | "time"; readonly ms: number }
  | undefined

const largestExact = 1e15

/** Sorts a value into what a sheet can show; undefined is an empty cell. NaN and infinities are empty as well. */
export function plainValue(value: SheetValue, kind: SheetColumn["kind"]): PlainValue {
  switch (typeof value) {
    case "string":
      return value === "" ? undefined : { text: value }
    case "number":
      if (!Number.isFinite(value)) return undefined
      if (kind !== undefined) return { date: kind, ms: value }
      // Spreadsheets keep 15 digits; a longer code shown as a number would lose its last ones.
      return Math.abs(value) >= largestExact
        ? { text: BigInt(Math.trunc(value)).toString() }
        : { number: value }
    case "bigint":
      return plainValue(
        value > -largestExact && value < largestExact ? Number(value) : value.toString(),
        undefined,
      )
    case "boolean":
      return { boolean: value }
    default:
      return value == null ? undefined : temporalValue(value)
  }
}

function temporalValue(value: Temporal.PlainDateTime | Temporal.PlainDate | Temporal.PlainTime): PlainValue {
  if (value instanceof Temporal.PlainTime) {
    return { date: "time", ms: value.since(new Temporal.PlainTime()).total("milliseconds") }
  }
  const date = value instanceof Temporal.PlainDate ? "date" : "dateTime"
  return { date, ms: value.toZonedDateTime("UTC").epochMilliseconds }
}

/** The text of wall-clock milliseconds: `Y-m-d`, `Y-m-d H:i:s`, `H:i:s`; milliseconds only when there are some. */
export function wallClockText(ms: number, kind: "date" | "dateTime" | "time"): string {
  const text = new Date(Math.round(ms)).toISOString()
  if (kind === "date") return text.slice(0, -14)
  const whole = text.endsWith(".000Z") ? text.slice(0, -5) : text.slice(0, -1)
  return kind === "time" ? whole.slice(whole.indexOf("T") + 1) : whole.replace("T", " ")
}
