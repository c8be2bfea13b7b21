const monday = Date.UTC(2024, 0, 1)
const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

/**
 * The wire's `timeSchedules` in few words: `["monday 08:00", "thursday 08:00", "thursday 15:00"]` becomes
 * `Mon 08:00 · Thu 08:00, 15:00`. Entries without a day are `everyDay`; days of the month stay numbers.
 */
export function rhythmText(entries: readonly string[], everyDay: string, locale: string): string {
  const weekday = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" })
  const timesOfDay = new Map<string, string[]>()
  for (const entry of entries) {
    const parts = entry.split(" ")
    const time = parts.at(-1) ?? ""
    const day = parts.length > 1 ? (parts[0] ?? "") : ""
    timesOfDay.set(day, [...(timesOfDay.get(day) ?? []), time])
  }
  const nameOf = (day: string) => {
    const index = weekdays.indexOf(day.toLowerCase())
    if (day === "") return everyDay
    return index < 0 ? day : weekday.format(monday + index * 86_400_000)
  }
  return [...timesOfDay].map(([day, times]) => `${nameOf(day)} ${times.join(", ")}`).join(" · ")
}
