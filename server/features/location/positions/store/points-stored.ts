import type { Pool } from "#core/database/database.ts"

type Listener = (sql: Pool) => void
const listeners: Listener[] = []

/** Registers who draws consequences from new points soon after their commit. app.ts lists them. */
export function onPointsStored(listener: Listener): void {
  if (!listeners.includes(listener)) listeners.push(listener)
}

/** Must not wait: it is called on the way to the answer. */
export function tellPointsStored(sql: Pool): void {
  for (const listener of listeners) listener(sql)
}
