import { useSyncExternalStore } from "react"
import { api, impatientApi } from "../../api/client.ts"
import { hearServerTime, isClockSure } from "./clock.ts"

/**
 * `offline`: the server cannot be reached, or something else answers in its place, such as the sign-in page of a hotel.
 * `slow`: it was reached a moment ago and takes long. `down`: it is reached and does not work. `signedOut`: it works,
 * and the session is over.
 */
export type Reach = "online" | "slow" | "offline" | "down" | "signedOut"

/** After a failure the server is asked soon, then less and less often. */
const firstProbeMilliseconds = 2_000
const longestProbeMilliseconds = 15_000
/** A connection that holds for less is not yet one that works: asking soon again would only flicker. */
const steadyMilliseconds = 30_000
const patienceMilliseconds = 8_000
/** A response that takes longer is slow. */
const slowMilliseconds = 5_000
/** Without any response for so long, a server that does not respond in time is not slow, it is out of reach. */
const silentMilliseconds = 120_000

let reach: Reach = navigator.onLine ? "online" : "offline"
/** When the server, or the start of the page, was last heard of; by the clock that nobody sets. */
let heardAt = performance.now()
const listeners = new Set<() => void>()

interface Pending {
  /** By the phone's clock, epoch milliseconds. */
  sentAt: number
  slow: ReturnType<typeof setTimeout>
  isSlow: boolean
}
const pending = new WeakMap<Request, Pending>()

function setReach(next: Reach): void {
  if (next === reach) return
  reach = next
  for (const listener of listeners) listener()
}

export function currentReach(): Reach {
  return reach
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useReach(): Reach {
  return useSyncExternalStore(listen, currentReach)
}

/** Whether it makes sense to send something: also where responses take long. */
export function useIsReachable(): boolean {
  const now = useReach()
  return now === "online" || now === "slow"
}

/** What one response says about the connection. */
function readResponse(response: Response): Reach {
  if (response.status === 401) return "signedOut"
  if (response.status === 502 || response.status === 503 || response.status === 504) return "down"
  // A hotel or a proxy between the phone and the server responds with a page.
  const isOurs = (response.headers.get("content-type") ?? "").includes("json") || response.status === 204
  return isOurs ? "online" : "offline"
}

const watcher: Parameters<typeof api.use>[0] = {
  onRequest({ request }) {
    const sent: Pending = {
      sentAt: Date.now(),
      isSlow: false,
      slow: setTimeout(() => {
        sent.isSlow = true
        if (reach === "online" && navigator.onLine) setReach("slow")
      }, slowMilliseconds),
    }
    pending.set(request, sent)
    return undefined
  },
  onResponse({ request, response }) {
    const sent = settle(request)
    hearServerTime(response.headers.get("date"), sent?.sentAt ?? Date.now())
    const read = readResponse(response)
    if (read !== "offline") heardAt = performance.now()
    setReach(read === "online" && sent?.isSlow ? "slow" : read)
    return undefined
  },
  onError({ request, error }) {
    settle(request)
    const name = error instanceof DOMException ? error.name : ""
    if (name === "AbortError") return undefined
    const isLate = name === "TimeoutError" && performance.now() - heardAt < silentMilliseconds
    setReach(isLate && navigator.onLine ? "slow" : "offline")
    return undefined
  },
}

function settle(request: Request): Pending | undefined {
  const sent = pending.get(request)
  clearTimeout(sent?.slow)
  return sent
}

let isWatching = false

/** From now on every response of the API shows how the connection stands, and what time it is. */
export function watchConnection(): void {
  if (isWatching) return
  isWatching = true
  api.use(watcher)
  impatientApi.use(watcher)
}

/** Asks the server for nothing but a sign of life. */
export async function probe(): Promise<Reach> {
  if (!navigator.onLine) setReach("offline")
  else
    await impatientApi
      .GET("/api/v3/user", { signal: AbortSignal.timeout(patienceMilliseconds), cache: "no-store" })
      // The watcher has seen what became of it.
      .catch(() => undefined)
  return reach
}

/**
 * Before times are sent that stay: asks the server for its own if the phone's clock may have been set since. False if it
 * cannot be reached.
 */
export async function settleClock(): Promise<boolean> {
  if (isClockSure()) return true
  await probe()
  return reach !== "offline"
}

/** Keeps asking while the server is away, and at once when the phone has reason to think that it is back. */
export function keepProbing(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let wait = firstProbeMilliseconds
  const ask = () => void probe()
  const later = () => {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      if (document.visibilityState === "visible") await probe()
      wait = Math.min(2 * wait, longestProbeMilliseconds)
      if (reach !== "online") later()
    }, wait)
  }
  const askWhenAway = () => {
    if (reach !== "online" && document.visibilityState === "visible") ask()
  }
  let onlineSince = Number.NEGATIVE_INFINITY
  const stop = listen(() => {
    if (reach === "online") {
      clearTimeout(timer)
      onlineSince = performance.now()
      return
    }
    if (performance.now() - onlineSince > steadyMilliseconds) wait = firstProbeMilliseconds
    later()
  })
  if (reach !== "online") later()
  window.addEventListener("online", ask)
  window.addEventListener("offline", ask)
  document.addEventListener("visibilitychange", askWhenAway)
  return () => {
    stop()
    clearTimeout(timer)
    window.removeEventListener("online", ask)
    window.removeEventListener("offline", ask)
    document.removeEventListener("visibilitychange", askWhenAway)
  }
}
