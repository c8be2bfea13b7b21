/** Seconds since the midnight of the simulated day, and what they are called. */

export const day = "2031-05-05"

export function clockOf(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const pad = (value: number) => String(value).padStart(2, "0")
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
}

export function secondsOf(clock: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(":").map(Number)
  return hours * 3600 + minutes * 60 + seconds
}

export function wireTime(seconds: number): string {
  const at = instantAt(seconds)
  return at.toString().slice(0, 19).replace("T", " ")
}

export function instantAt(seconds: number): Temporal.Instant {
  return Temporal.Instant.from(`${day}T00:00:00Z`).add({ milliseconds: Math.round(seconds * 1000) })
}
