/**
 * One event stream per browser. The tab that holds the lock reads the server's stream and passes every event
 * on to the other tabs; when it closes, the next tab takes over after the last event that it has seen.
 * Without the lock API (plain HTTP on another host than localhost) every tab reads for itself.
 */
export interface LiveEvent {
  id: string
  type: string
  hubId: string | null
  content: Record<string, unknown>
}

export type Connection = "connecting" | "open" | "lost"

/** `gap`: events may have been missed, so what is shown must be read again. */
type Signal =
  | { kind: "events"; events: LiveEvent[] }
  | { kind: "gap" }
  | { kind: "connection"; state: Connection }

type Listener = (signal: Signal) => void

const streamUrl = "/api/v3/events"
const name = "fieldway-live"
/** Events of one burst are handed on together. */
const batchMilliseconds = 30
/** The server shows life every 5 s, but a browser's EventSource hides comments: after this its own retry acts. */
const maxSeenIds = 2_000

export interface LiveStream {
  listen(listener: Listener): () => void
  connection(): Connection
  close(): void
}

export function openLiveStream(organizationId: string): LiveStream {
  const listeners = new Set<Listener>()
  const channel = new BroadcastChannel(`${name}-${organizationId}`)
  const seen = new Set<string>()
  let cursor: string | undefined
  let state: Connection = "connecting"
  let source: EventSource | undefined
  let pending: LiveEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let isClosed = false
  let wasLost = false
  let giveUpLock: (() => void) | undefined

  const emit = (signal: Signal) => {
    for (const listener of listeners) listener(signal)
  }
  const setState = (next: Connection) => {
    if (next === state) return
    state = next
    emit({ kind: "connection", state })
  }
  const flush = () => {
    timer = undefined
    const events = pending
    pending = []
    if (events.length > 0) emit({ kind: "events", events })
  }
  const take = (event: LiveEvent) => {
    if (seen.has(event.id)) return
    seen.add(event.id)
    if (seen.size > maxSeenIds) for (const id of [...seen].slice(0, maxSeenIds / 2)) seen.delete(id)
    pending.push(event)
    timer ??= setTimeout(flush, batchMilliseconds)
  }
  const share = (message: unknown) => channel.postMessage(message)

  const connect = () => {
    if (isClosed) return
    const address = cursor === undefined ? streamUrl : `${streamUrl}?after=${encodeURIComponent(cursor)}`
    source = new EventSource(address, { withCredentials: true })
    source.onopen = () => {
      setState("open")
      share({ state: "open" })
      if (wasLost && cursor === undefined) emit({ kind: "gap" })
      wasLost = false
    }
    const read = (message: MessageEvent<string>) => {
      if (message.lastEventId) cursor = message.lastEventId
      if (message.type !== "message") return
      const event = JSON.parse(message.data) as LiveEvent
      take(event)
      share({ event, cursor })
    }
    source.onmessage = read
    source.addEventListener("cursor", (message) => {
      read(message)
      share({ cursor })
    })
    source.onerror = () => {
      wasLost = true
      setState("lost")
      share({ state: "lost" })
      if (source?.readyState === EventSource.CLOSED) {
        // The browser gave up, as after an error status: ask again by ourselves.
        retry = setTimeout(connect, 3_000)
      }
    }
  }

  channel.onmessage = ({
    data,
  }: MessageEvent<{ event?: LiveEvent; cursor?: string; state?: Connection; ask?: true }>) => {
    if (data.ask && source) share({ state, cursor })
    if (data.cursor) cursor = data.cursor
    if (data.event) take(data.event)
    if (data.state && !source) setState(data.state)
  }

  if ("locks" in navigator) {
    share({ ask: true })
    const held = new Promise<void>((resolve) => {
      giveUpLock = resolve
    })
    void navigator.locks.request(`${name}-${organizationId}`, () => {
      if (isClosed) return
      connect()
      return held
    })
  } else connect()

  const wakeUp = () => {
    if (document.visibilityState === "visible" && source?.readyState === EventSource.CLOSED) {
      clearTimeout(retry)
      connect()
    }
  }
  document.addEventListener("visibilitychange", wakeUp)

  return {
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    connection: () => state,
    close() {
      isClosed = true
      clearTimeout(timer)
      clearTimeout(retry)
      document.removeEventListener("visibilitychange", wakeUp)
      source?.close()
      giveUpLock?.()
      channel.close()
    },
  }
}
