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

/** What tabs tell each other. */
interface Message {
  event?: LiveEvent
  cursor?: string | undefined
  state?: Connection
  ask?: true
  tab?: string
  /** Whose positions the tab shows. */
  watched?: readonly Watched[]
}

/** Whose positions a page shows: everybody's, or those of some people and of everybody in areas. */
export type Watched = "everybody" | { bbox?: string | undefined; userIds?: readonly string[] }

const streamUrl = "/api/v3/events"
const name = "fieldway-live"
/** Events of one burst are handed on together. */
const batchMilliseconds = 30
/** Pages that open or move their maps together cause one new stream. */
const settleMilliseconds = 200
/** The server shows life every 5 s, but a browser's EventSource hides comments: after this its own retry acts. */
const maxSeenIds = 2_000

export interface LiveStream {
  listen(listener: Listener): () => void
  /** Without it, the stream carries no positions. Returns what ends it. */
  watch(watched: Watched): () => void
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
  const tab = String(Math.random())
  const own = new Set<Watched>()
  const ofTabs = new Map<string, readonly Watched[]>()
  let connectedWith = ""
  let settle: ReturnType<typeof setTimeout> | undefined

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
  const share = (message: Message) => channel.postMessage(message)

  const wantedQuery = () => peopleQuery([...own, ...[...ofTabs.values()].flat()])

  const connect = () => {
    if (isClosed) return
    connectedWith = wantedQuery()
    const after = cursor === undefined ? "" : `&after=${encodeURIComponent(cursor)}`
    source = new EventSource(`${streamUrl}?${connectedWith}${after}`, { withCredentials: true })
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

  /**
   * The tab that reads the stream reopens it when tabs show other people. It resumes where the change was seen, which is
   * when a page reads the positions that it shows from now on.
   */
  const follow = () => {
    const from = cursor
    settle ??= setTimeout(() => {
      settle = undefined
      if (isClosed || !source || wantedQuery() === connectedWith) return
      clearTimeout(retry)
      source.close()
      cursor = from
      connect()
    }, settleMilliseconds)
  }
  const changed = () => {
    share({ tab, watched: [...own] })
    follow()
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.ask && source) share({ state, cursor })
    if (data.ask) share({ tab, watched: [...own] })
    if (data.tab && data.watched) {
      if (data.watched.length > 0) ofTabs.set(data.tab, data.watched)
      else ofTabs.delete(data.tab)
      follow()
    }
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

  const leave = () => share({ tab, watched: [] })
  window.addEventListener("pagehide", leave)

  return {
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    watch(watched) {
      own.add(watched)
      changed()
      return () => {
        own.delete(watched)
        if (!isClosed) changed()
      }
    },
    connection: () => state,
    close() {
      isClosed = true
      clearTimeout(timer)
      clearTimeout(retry)
      clearTimeout(settle)
      leave()
      window.removeEventListener("pagehide", leave)
      document.removeEventListener("visibilitychange", wakeUp)
      source?.close()
      giveUpLock?.()
      channel.close()
    },
  }
}

const maxAreas = 8
const maxPeople = 250

/** The stream's query. What would be too long for it is asked for as everybody. */
function peopleQuery(watched: readonly Watched[]): string {
  const parts = watched.filter((one) => one !== "everybody")
  const areas = new Set(parts.flatMap(({ bbox }) => bbox ?? []))
  const userIds = new Set(parts.flatMap((part) => part.userIds ?? []))
  if (parts.length < watched.length || areas.size > maxAreas || userIds.size > maxPeople) return ""
  if (areas.size + userIds.size === 0) return "positions=none"
  return [
    ...(areas.size > 0 ? [`bbox=${[...areas].sort().join(";")}`] : []),
    ...(userIds.size > 0 ? [`userId=${[...userIds].sort().join(",")}`] : []),
  ].join("&")
}
