import { useQueryClient } from "@tanstack/react-query"
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react"
import { useSession } from "../session/session.ts"
import { queryKeysOf } from "./invalidation.ts"
import {
  type Connection,
  type LiveEvent,
  type LiveStream,
  openLiveStream,
  type Watched,
} from "./live-stream.ts"

const LiveContext = createContext<LiveStream | undefined>(undefined)

/** Opens the browser's event stream for the signed-in organization and keeps the query cache up to date. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const organizationId = useSession().organization.id
  const client = useQueryClient()
  const [stream, setStream] = useState<LiveStream>()
  useEffect(() => {
    const opened = openLiveStream(organizationId)
    const stop = opened.listen((signal) => {
      if (signal.kind === "gap") void client.invalidateQueries()
      if (signal.kind !== "events") return
      const keys = new Map(signal.events.flatMap(queryKeysOf).map((key) => [key.join(" "), key]))
      for (const queryKey of keys.values()) void client.invalidateQueries({ queryKey })
    })
    setStream(opened)
    return () => {
      stop()
      opened.close()
    }
  }, [organizationId, client])
  return <LiveContext.Provider value={stream}>{children}</LiveContext.Provider>
}

/** Calls back with the events of each burst; for what is drawn from events directly, such as positions. */
export function useLiveEvents(handle: (events: LiveEvent[]) => void): void {
  const stream = useContext(LiveContext)
  useEffect(
    () =>
      stream?.listen((signal) => {
        if (signal.kind === "events") handle(signal.events)
      }),
    [stream, handle],
  )
}

/** Has the stream carry these positions; must be the same value while it names the same people. */
export function useWatchedPeople(watched: Watched | undefined): void {
  const stream = useContext(LiveContext)
  useEffect(() => (watched ? stream?.watch(watched) : undefined), [stream, watched])
}

export function useConnection(): Connection {
  const stream = useContext(LiveContext)
  return useSyncExternalStore(
    (changed) =>
      stream?.listen((signal) => {
        if (signal.kind === "connection") changed()
      }) ?? (() => undefined),
    () => stream?.connection() ?? "connecting",
  )
}
