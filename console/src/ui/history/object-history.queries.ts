import { infiniteQueryOptions } from "@tanstack/react-query"
import { type ResponseBody, server } from "../../api/server.ts"

export interface HistoryObject {
  /** task, record, vehicle, user, hub, flow or schedule. */
  objectType: string
  objectId: string
}

export type HistoryEntry = ResponseBody<"listHistory">["data"][number]

const entriesAtOnce = 50

/** What happened to an object, newest first. */
export const objectHistoryQuery = ({ objectType, objectId }: HistoryObject) =>
  infiniteQueryOptions({
    queryKey: ["object-history", objectType, objectId],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = {
        objectType,
        objectId,
        limit: entriesAtOnce,
        ...(pageParam ? { before: pageParam } : {}),
      }
      return server.get("/api/v3/history", { query, signal })
    },
    getNextPageParam: (last) => last.next ?? undefined,
    // Every change of the object makes it stale, whichever query reads the object.
    staleTime: 0,
  })
