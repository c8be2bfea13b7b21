export interface DispatchSearch {
  /** The day, `2031-05-04`; today without it. */
  date?: string
}

export function readDispatchSearch({ date }: Readonly<Record<string, unknown>>): DispatchSearch {
  return typeof date === "string" && /^\d{4}-\d{2}-\d{2}$/.test(date) ? { date } : {}
}
