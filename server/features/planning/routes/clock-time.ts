/**
 * Times of the planning clock: seconds since midnight of the first day, which go on past 24 hours.
 * On the wire `HH:mm` or `HH:mm:ss`, with hours that may exceed 24.
 */
const pattern = /^(\d{1,3}):(\d{2})(?::(\d{2}))?$/

/** Seconds, or undefined for what is no such time. */
export function parseClock(text: string): number | undefined {
  const match = pattern.exec(text.trim())
  if (!match) return undefined
  const [hours, minutes, seconds] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)]
  return minutes > 59 || seconds > 59 ? undefined : hours * 3600 + minutes * 60 + seconds
}

/** `07:05:00`, rounded to the second. */
export function formatClock(time: number): string {
  const [hours, minutes, seconds] = split(time)
  return `${two(hours)}:${two(minutes)}:${two(seconds)}`
}

/** `7:05:00`, the older form of the same. */
export function formatClockShort(time: number): string {
  const [hours, minutes, seconds] = split(time)
  return `${hours}:${two(minutes)}:${two(seconds)}`
}

/** Whole minutes, rounded up. A hair above a minute is that minute: sums of doubles end a little off. */
export function minutesUp(seconds: number): number {
  return Math.max(0, Math.ceil(seconds / 60 - 1e-6))
}

function split(time: number): [number, number, number] {
  const whole = Math.max(0, Math.round(time))
  return [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
}

function two(value: number): string {
  return String(value).padStart(2, "0")
}
