import { useLayoutEffect } from "react"

/** Gives the focus back to what had it before, once a dialog that exists only while it is open has gone. */
export function useFocusBack(): void {
  useLayoutEffect(() => {
    const before = document.activeElement
    return () => {
      // After the dialog has left the page: until then the focus is in it.
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body
        if (isLost && before instanceof HTMLElement && before.isConnected)
          before.focus({ preventScroll: true })
      })
    }
  }, [])
}
