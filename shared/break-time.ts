interface Span {
  startTime?: string | null
  endTime?: string | null
}

/**
 * Whether a break begins before the working time or after its end, in which case no plan can be made. Read on the axis of
 * the working time: for a shift from 19:00 to 05:00, a break at 00:30 is within it, one at 06:00 or at 18:00 is not.
 */
export function isBreakOutside(working: Span & { multiday?: number }, pause: Span): boolean {
  if (!working.startTime || !working.endTime || !pause.startTime || !pause.endTime) return false
  const [start, clock] = [minutesOf(working.startTime), minutesOf(working.endTime)]
  const until = clock + (working.multiday ?? 0) * day
  const end = until <= start ? until + day : until
  const from = minutesOf(pause.startTime)
  return (from < start ? from + day : from) >= end
}

const day = 1440

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number)
  return hours * 60 + minutes + seconds / 60
}
