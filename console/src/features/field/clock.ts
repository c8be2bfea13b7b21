import { useSyncExternalStore } from "react"

/**
 * Time as the server has it. A phone's clock may be wrong by hours; every response says the time, so the difference is
 * known as soon as there was one, and is kept for the time without a network.
 */
const storageKey = "fieldway.clock"
/** A slower response says too little about when the server wrote its time. */
const maxRoundTripMilliseconds = 60_000
/** The header has whole seconds: smaller differences are not worth a change. */
const resolutionMilliseconds = 1_500
/** Beyond this the page shows it. */
const toleratedMilliseconds = 120_000

interface Known {
  /** Milliseconds that the server is ahead of this phone. */
  offset: number
  /** The server's time of its last response, epoch milliseconds. */
  heardAt: number
}

/** When something happened, such that its time can still be corrected when the difference becomes known. */
export interface Stamp extends Known {
  /** By the phone's clock, epoch milliseconds. */
  device: number
}

/** When the server's time was last heard: by the phone's clock, and by the one that nobody sets. */
let heard: { device: number; steady: number } | undefined
let known = readKnown()
const listeners = new Set<() => void>()

function readKnown(): Known {
  try {
    const { offset, heardAt } = JSON.parse(localStorage.getItem(storageKey) ?? "{}") as Partial<Known>
    return { offset: Number(offset) || 0, heardAt: Number(heardAt) || 0 }
  } catch {
    return { offset: 0, heardAt: 0 }
  }
}

/** Learns from the `Date` header of a response to a call that began at `sentAt` by the phone's clock. */
export function hearServerTime(dateHeader: string | null, sentAt: number): void {
  const said = dateHeader === null ? Number.NaN : Date.parse(dateHeader)
  const now = Date.now()
  if (Number.isNaN(said) || now < sentAt || now - sentAt > maxRoundTripMilliseconds) return
  // The header is cut to the second: on average the response was written half a second later.
  const offset = said + 500 - (sentAt + now) / 2
  const isNews = Math.abs(offset - known.offset) > resolutionMilliseconds + (now - sentAt) / 2
  heard = { device: now, steady: performance.now() }
  known = { offset: isNews ? Math.round(offset) : known.offset, heardAt: said }
  try {
    localStorage.setItem(storageKey, JSON.stringify(known))
  } catch {
    // A full disk: the difference is known until the page is closed.
  }
  if (isNews) for (const listener of listeners) listener()
}

/** Whether the phone's clock has run on since the server's time was heard: nobody has set it, and the phone did not sleep. */
export function isClockSure(): boolean {
  if (!heard) return false
  const [device, steady] = [Date.now() - heard.device, performance.now() - heard.steady]
  return Math.abs(device - steady) < resolutionMilliseconds
}

/**
 * Now by the server's clock, epoch milliseconds. Never before the server was last heard, plus what has passed since by the
 * clock that nobody sets: a clock that was set back must not make stops look as if they had not begun.
 */
export function serverNow(): number {
  const passed = heard ? performance.now() - heard.steady : 0
  return Math.max(Date.now() + known.offset, known.heardAt + passed)
}

/** The stamp of something that happened now, or at another time of the phone's clock. */
export function stampOf(device = Date.now()): Stamp {
  return { device, ...known }
}

/**
 * When it happened by the server's clock. If somebody set the phone's clock meanwhile, two corrections are possible: the
 * one that was known at the time, and the one that is known now. It happened after the server was last heard and before
 * now; the correction that says so is right.
 */
export function timeOf(stamp: Stamp): Date {
  const now = serverNow()
  const isPossible = (time: number) => time >= stamp.heardAt - resolutionMilliseconds && time <= now + 1_000
  const [then, later] = [stamp.device + stamp.offset, stamp.device + known.offset]
  if (isPossible(then)) return new Date(Math.min(then, now))
  if (isPossible(later)) return new Date(Math.min(later, now))
  return new Date(Math.min(Math.max(then, stamp.heardAt), now))
}

/** By how much the phone's clock is wrong (milliseconds ahead); undefined while nobody needs to know. */
export function useWrongClock(): number | undefined {
  const offset = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => known.offset,
  )
  return Math.abs(offset) > toleratedMilliseconds ? -offset : undefined
}
