/** Ranges of days that a report can be about, counted from today. */
export const periods = [
  "today",
  "yesterday",
  "thisWeek",
  "lastWeek",
  "thisMonth",
  "lastMonth",
  "last90Days",
  "thisYear",
  "lastYear",
  "next7Days",
] as const
export type Period = (typeof periods)[number]

/** The first and the last day of a period. Weeks begin on Monday. */
export function daysOfPeriod(period: Period, today: string): { from: string; until: string } {
  const day = new Date(`${today}T00:00:00Z`)
  const text = (date: Date) => date.toISOString().slice(0, 10)
  const on = (year: number, month: number, date: number) => text(new Date(Date.UTC(year, month, date)))
  const [y, m, d] = [day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate()]
  const sinceMonday = (day.getUTCDay() + 6) % 7
  const spans: Record<Period, { from: string; until: string }> = {
    today: { from: today, until: today },
    yesterday: { from: on(y, m, d - 1), until: on(y, m, d - 1) },
    thisWeek: { from: on(y, m, d - sinceMonday), until: on(y, m, d - sinceMonday + 6) },
    lastWeek: { from: on(y, m, d - sinceMonday - 7), until: on(y, m, d - sinceMonday - 1) },
    thisMonth: { from: on(y, m, 1), until: on(y, m + 1, 0) },
    lastMonth: { from: on(y, m - 1, 1), until: on(y, m, 0) },
    last90Days: { from: on(y, m, d - 89), until: today },
    thisYear: { from: on(y, 0, 1), until: on(y, 11, 31) },
    lastYear: { from: on(y - 1, 0, 1), until: on(y - 1, 11, 31) },
    next7Days: { from: today, until: on(y, m, d + 6) },
  }
  return spans[period]
}
