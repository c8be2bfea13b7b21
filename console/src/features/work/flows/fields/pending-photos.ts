import { useSyncExternalStore } from "react"

let count = 0
const listeners = new Set<() => void>()

function add(difference: 1 | -1): void {
  count += difference
  for (const listener of listeners) listener()
}

/** Notes that a photo was taken and is not among the entries yet: it is scaled down and may wait for a position. */
export async function whilePhotoPends<T>(work: Promise<T>): Promise<T> {
  add(1)
  try {
    return await work
  } finally {
    add(-1)
  }
}

/** Whether a photo is on its way into the entries: who finishes now would lose it. */
export function useIsPhotoPending(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => count > 0,
  )
}
