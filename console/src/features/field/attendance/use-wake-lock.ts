import { useEffect } from "react"

/** Keeps the screen on while `isActive`, as long as the page is in front. Browsers end it when it is not. */
export function useWakeLock(isActive: boolean): void {
  useEffect(() => {
    if (!isActive || !("wakeLock" in navigator)) return
    let lock: WakeLockSentinel | undefined
    let isHere = true
    const hold = () => {
      if (document.visibilityState !== "visible") return
      navigator.wakeLock.request("screen").then(
        (held) => {
          if (isHere) lock = held
          else void held.release()
        },
        // A low battery refuses it: the screen then goes dark as usual.
        () => undefined,
      )
    }
    hold()
    document.addEventListener("visibilitychange", hold)
    return () => {
      isHere = false
      document.removeEventListener("visibilitychange", hold)
      void lock?.release()
    }
  }, [isActive])
}
