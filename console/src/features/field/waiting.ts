import { createContext, useContext } from "react"
import type { Waiting } from "./field-sync.ts"

interface WaitingTasks {
  waiting: readonly Waiting[]
  /** Tries to send what waits, and reads the tasks anew. */
  send(): Promise<void>
}

export const WaitingContext = createContext<WaitingTasks>({ waiting: [], send: async () => undefined })

export function useWaiting(): WaitingTasks {
  return useContext(WaitingContext)
}
