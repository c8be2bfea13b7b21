import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { dataOf, type ResponseBody, server } from "../../../api/server.ts"

type WholeMoment = ResponseBody<"getMoment">["data"]
/** The fields of tasks that the page shows. */
const fields = ["title", "status", "assignee", "lat", "lon"] as const
type Task = Required<Pick<WholeMoment["tasks"][number], "_id" | (typeof fields)[number]>>
export type Moment = Omit<WholeMoment, "tasks"> & { tasks: Task[] }

const minute = 60_000
/** The past of so long ago may still change by late positions. */
const settledAfter = 10 * minute

/** The past at a minute, in epoch milliseconds. */
export function momentQuery(at: number, hub: string | undefined) {
  const time = new Date(at).toISOString()
  return queryOptions({
    queryKey: ["moment", time, hub],
    queryFn: async ({ signal }) => {
      const query = { time, fields: fields.join(), ...(hub ? { hubs: hub } : {}) }
      // The server returns each field that is asked for.
      return (await dataOf(server.get("/api/v3/moment", { query, signal }))) as Moment
    },
    placeholderData: keepPreviousData,
    staleTime: Date.now() - at > settledAfter ? Number.POSITIVE_INFINITY : 0,
    gcTime: 2 * minute,
  })
}

export interface MomentSearch {
  /** ISO 8601. */
  at?: string
}

export function readMomentSearch({ at }: Record<string, unknown>): MomentSearch {
  return typeof at === "string" && !Number.isNaN(Date.parse(at)) ? { at } : {}
}
