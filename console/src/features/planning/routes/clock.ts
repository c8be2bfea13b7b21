/** Seconds of the planning clock, whose hours go on past 24; undefined for what is no time. */
export function clockSeconds(text: string | null | undefined): number | undefined {
  const match = /^(\d{1,3}):(\d{2})(?::(\d{2}))?/.exec(text ?? "")
  return match ? Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3] ?? 0) : undefined
}

/** `07:05`; a day later with `+1`. */
export function clockText(text: string | null | undefined): string {
  const seconds = clockSeconds(text)
  if (seconds === undefined) return "–"
  const days = Math.floor(seconds / 86_400)
  const hours = String(Math.floor(seconds / 3600) % 24).padStart(2, "0")
  const minutes = String(Math.floor(seconds / 60) % 60).padStart(2, "0")
  return `${hours}:${minutes}${days > 0 ? ` +${days}` : ""}`
}

/** "lat,lng" as longitude and latitude. */
export function placeOf(coordinate: string | null | undefined): [number, number] | undefined {
  const [lat, lng] = (coordinate ?? "").split(",").map(Number)
  return Number.isFinite(lat) && Number.isFinite(lng) ? [lng as number, lat as number] : undefined
}

/** The day so many days later; both as 2031-05-04. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}
