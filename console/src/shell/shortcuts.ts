import { useEffect, useRef } from "react"

/** Two keys after each other belong together within this time. */
const pauseMilliseconds = 1_500
/** Speech input can type letters by accident: the shortcuts can be switched off in this browser. */
const offKey = "fieldway.no-shortcuts"

export function areShortcutsOn(): boolean {
  return localStorage.getItem(offKey) === null
}

export function switchShortcuts(isOn: boolean): void {
  if (isOn) localStorage.removeItem(offKey)
  else localStorage.setItem(offKey, "yes")
}

/** Runs what belongs to a key, `c`, or to two of them after each other, `g t`; not while typing or while a dialog is open. */
export function useShortcuts(acts: Readonly<Record<string, () => void>>): void {
  const latest = useRef(acts)
  useEffect(() => {
    latest.current = acts
  })
  useEffect(() => {
    let first: { key: string; at: number } | undefined
    const press = (event: KeyboardEvent) => {
      const { key, timeStamp } = event
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (!areShortcutsOn() || isTyped(event.target) || document.querySelector("[role=dialog]")) return
      const isSecond = first !== undefined && timeStamp - first.at < pauseMilliseconds
      const act = latest.current[isSecond ? `${first?.key} ${key}` : key]
      const begins = !isSecond && Object.keys(latest.current).some((keys) => keys.startsWith(`${key} `))
      first = begins ? { key, at: timeStamp } : undefined
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener("keydown", press)
    return () => document.removeEventListener("keydown", press)
  }, [])
}

/** Whether keys are letters of a text there. */
export function isTyped(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.matches("input:not([type=checkbox], [type=radio]), textarea, select, [role=combobox]")
  )
}
