import { queryOptions } from "@tanstack/react-query"
import type { OtherSystem } from "#shared/other-systems.ts"
import { dataOf, dataQuery, type ResponseBody, server } from "../../../api/server.ts"
import { upload } from "../../../api/upload.ts"

export type Reading = ResponseBody<"getReading">["data"]

export type ReadingChoice =
  | { system: OtherSystem; collection: string; token: string; address?: string; from?: string; to?: string }
  | { collection: string; dump: File }

/** Starts reading a list in the background. */
export async function startReading(choice: ReadingChoice, onSent?: (part: number) => void): Promise<Reading> {
  if (!("dump" in choice)) return dataOf(server.post("/api/v3/data/import/readings", { body: choice }))
  const form = new FormData()
  form.set("collection", choice.collection)
  form.set("file", choice.dump)
  const path = "/api/v3/data/import/readings/dump"
  return (await upload<ResponseBody<"readDump">>(path, form, onSent)).data
}

const pollMilliseconds = 1_500

export const readingQuery = (readingId: string) =>
  dataQuery(
    ["readings", readingId],
    "/api/v3/data/import/readings/{readingId}",
    { readingId },
    { refetchInterval: ({ state }) => (state.data?.status === "reading" ? pollMilliseconds : false) },
  )

export const readingsQuery = queryOptions({
  queryKey: ["readings", "list"],
  queryFn: async ({ signal }) =>
    (await dataOf(server.get("/api/v3/data/import/readings", { query: { limit: 20 }, signal }))).data,
  refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === "reading") ? 3_000 : false),
})

export const cancelReading = (readingId: string): Promise<Reading> =>
  dataOf(server.post("/api/v3/data/import/readings/{readingId}/cancel", { readingId }))
