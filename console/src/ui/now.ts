import { useEffect, useState } from "react"

/** The present in epoch milliseconds, moving on every `everyMilliseconds`: for ages on the screen. */
export function useNow(everyMilliseconds: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMilliseconds)
    return () => clearInterval(timer)
  }, [everyMilliseconds])
  return now
}
