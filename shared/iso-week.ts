/** The Monday and the Sunday of a week of ISO 8601, such as `2031-W19`, as dates. */
export function daysOfWeek(week: string): { monday: string; sunday: string } {
  const [year = 0, number = 1] = week.split("-W").map(Number)
  // The fourth of January is always in the first week.
  const fourth = new Date(Date.UTC(year, 0, 4))
  const day = (offset: number) =>
    new Date(Date.UTC(year, 0, 4 - ((fourth.getUTCDay() + 6) % 7) + (number - 1) * 7 + offset))
      .toISOString()
      .slice(0, 10)
  return { monday: day(0), sunday: day(6) }
}

/** The number of the week in its year, such as 19. */
export function numberOfWeek(week: string): number {
  return Number(week.split("-W")[1])
}
