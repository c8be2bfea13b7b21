import { useState } from "react"

const storageKey = "fieldway.task-columns-hidden"
/** Rarely used columns are hidden until they are chosen. */
const hiddenAtFirst = ["flow", "doneTime", "priority", "tags"]

/** Which columns this browser leaves out. */
export function useHiddenColumns() {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => {
    const stored = localStorage.getItem(storageKey)
    return new Set(stored === null ? hiddenAtFirst : stored.split(",").filter((id) => id !== ""))
  })
  const toggle = (id: string) => {
    const next = new Set(hidden)
    if (!next.delete(id)) next.add(id)
    localStorage.setItem(storageKey, [...next].join(","))
    setHidden(next)
  }
  return { hidden, toggle }
}
