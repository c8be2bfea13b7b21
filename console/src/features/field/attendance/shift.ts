/** The working day on this phone: when it began, its breaks, and how far the phone has moved. */
export interface Shift {
  /** ISO 8601 by the server's clock. */
  startedAt: string
  /** Breaks; the last one has no end while it lasts. */
  breaks: readonly { from: string; to?: string }[]
  meters: number
  /** Whether positions are sent: where people are asked, they may work without. */
  isTracked: boolean
}

const keyOf = (email: string) => `fieldway.shift.${email}`
/** What was kept before there were breaks: only the beginning. */
const earlierKeyOf = (email: string) => `fieldway.session-since.${email}`

export function readShift(email: string): Shift | undefined {
  try {
    const kept = localStorage.getItem(keyOf(email))
    if (kept !== null) return JSON.parse(kept) as Shift
  } catch {
    return undefined
  }
  const since = localStorage.getItem(earlierKeyOf(email))
  return since === null ? undefined : { startedAt: since, breaks: [], meters: 0, isTracked: true }
}

export function writeShift(email: string, shift: Shift | undefined): void {
  localStorage.removeItem(earlierKeyOf(email))
  if (shift === undefined) localStorage.removeItem(keyOf(email))
  else localStorage.setItem(keyOf(email), JSON.stringify(shift))
}

/** Since when there is a break; undefined while the person works. */
export function breakSince({ breaks }: Shift): string | undefined {
  const last = breaks.at(-1)
  return last && last.to === undefined ? last.from : undefined
}

/** Milliseconds of work without breaks. */
export function workedMilliseconds({ startedAt, breaks }: Shift, now: number): number {
  const away = breaks.reduce(
    (sum, { from, to }) => sum + ((to === undefined ? now : Date.parse(to)) - Date.parse(from)),
    0,
  )
  return Math.max(0, now - Date.parse(startedAt) - away)
}
