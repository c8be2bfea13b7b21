import { useCallback, useEffect, useState } from "react"

/** Moments a second that are drawn: enough to look smooth, few enough for a map drawn by software. */
const stepsPerSecond = 12

/**
 * A moment that moves through a span as fast as requested: `speed` is how many seconds of the day pass in one.
 * Times in epoch milliseconds. It stops at the end; playing from the end starts again.
 */
export function usePlay(span: { from: number; to: number }, speed: number) {
  const [chosen, setChosen] = useState<number>()
  const [isPlaying, setPlaying] = useState(false)
  const time = Math.min(span.to, Math.max(span.from, chosen ?? span.to))
  const { from, to } = span
  useEffect(() => {
    if (!isPlaying) return
    // By the clock: a busy browser calls less often than asked.
    let last = performance.now()
    const timer = setInterval(() => {
      const passed = performance.now() - last
      last += passed
      setChosen((current) => {
        const next = (current ?? from) + speed * passed
        if (next < to) return next
        setPlaying(false)
        return to
      })
    }, 1000 / stepsPerSecond)
    return () => clearInterval(timer)
  }, [isPlaying, speed, from, to])
  const seek = useCallback((next: number) => {
    setPlaying(false)
    setChosen(next)
  }, [])
  return {
    time,
    isPlaying,
    seek,
    toggle() {
      if (!isPlaying && time >= to) setChosen(from)
      else if (!isPlaying) setChosen(time)
      setPlaying(!isPlaying)
    },
  }
}
