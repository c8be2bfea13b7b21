import { type Context, createContext, useContext } from "react"
import type { Shift } from "./attendance/shift.ts"
import type { Person, PersonStore } from "./kept/field-store.ts"
import type { Notice, Waiting, WaitingCounts } from "./kept/field-sync.ts"

/** What another person left on this phone. */
export interface OthersWork extends WaitingCounts {
  person: Person
  drafts: number
  positions: number
}

/** What the phone holds for the person who uses it. */
export interface Held {
  waiting: readonly Waiting[]
  /** Titles of the tasks for which something was entered, by id. */
  drafted: ReadonlyMap<string, string | undefined>
  notices: readonly Notice[]
  /** How many positions the server refused, and why the first. */
  refusedPositions: { count: number; reason: string } | undefined
  unsentPositions: number
  others: readonly OthersWork[]
  /** The working day; undefined outside of it. */
  shift: Shift | undefined
}

/** The person's store and what can be done with it. It never changes: a page that needs no more is not drawn again. */
export interface Field {
  store: PersonStore
  /** Tries to send what waits, and reads the tasks again. */
  send(): Promise<void>
  /** Reads what the phone holds. */
  refresh(): Promise<void>
  /** Shows at once what was kept a moment ago. */
  addWaiting(entry: Waiting): void
  setShift(shift: Shift | undefined): void
  /** Says that the phone could not keep something, or that it can again. */
  setNotKept(isNotKept: boolean): void
}

export const FieldContext = createContext<Field | undefined>(undefined)
export const HeldContext = createContext<Held | undefined>(undefined)

function useProvided<T>(context: Context<T | undefined>): T {
  const provided = useContext(context)
  if (!provided) throw new Error("the phone page's layout is missing")
  return provided
}

export const useField = () => useProvided(FieldContext)
export const useHeld = () => useProvided(HeldContext)
