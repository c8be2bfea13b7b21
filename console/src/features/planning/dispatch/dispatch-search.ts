export interface DispatchSearch {
  /** The day, `2031-05-04`; today without it. */
  date?: string
  /** A past moment instead of the present, ISO 8601. */
  at?: string
}

export function readDispatchSearch({ date, at }: Readonly<Record<string, unknown>>): DispatchSearch {
  return {
    ...(typeof date === "string" && /^\d{4}-\d{2}-\d{2}$/.test(date) ? { date } : {}),
    ...(typeof at === "string" && !Number.isNaN(Date.parse(at)) ? { at } : {}),
  }
}
