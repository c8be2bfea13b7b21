import { queryOptions } from "@tanstack/react-query"
import { dataOf, dataQuery, type ResponseBody, server } from "../../../api/server.ts"
import { upload } from "../../../api/upload.ts"

export type Import = ResponseBody<"getImport">["data"]
export type Preview = ResponseBody<"previewImport">["data"]
export type ImportField = Preview["fields"][number]
/** Field to header, to two headers that form a coordinate, or to nothing. */
export type ColumnMapping = Preview["columns"]

export type ImportMode = "create" | "upsert" | "update"

/** What the rows become. A record of the organization itself has no hub. */
export type ImportTarget =
  | { type: "task"; flowId: string; hubId: string }
  | { type: "datasource"; dataTypeId: string; hubId: string | undefined; mode: ImportMode }
  | { type: "vehicle" | "user"; hubId: string; mode: ImportMode }

/** A file of this device, or a list that the server has read from another system. */
export type ImportSource = File | { readingId: string; name: string }

export interface ImportOptions {
  file: ImportSource
  target: ImportTarget
  columns?: ColumnMapping
}

function formOf({ file, target, columns }: ImportOptions): FormData {
  const form = new FormData()
  for (const [part, value] of Object.entries(target)) if (value !== undefined) form.set(part, value)
  if (columns) form.set("columns", JSON.stringify(columns))
  if (file instanceof File) form.set("file", file)
  else form.set("readingId", file.readingId)
  return form
}

/** How the server understands the file, and the mapping that it suggests. Nothing is written. */
export async function previewImport(
  options: ImportOptions,
  onSent?: (part: number) => void,
): Promise<Preview> {
  return (await upload<ResponseBody<"previewImport">>("/api/v3/data/import/preview", formOf(options), onSent))
    .data
}

export async function startImport(
  options: ImportOptions,
  how: { isDryRun: boolean; isForced: boolean },
  onSent?: (part: number) => void,
): Promise<Import> {
  const query = new URLSearchParams()
  if (how.isDryRun) query.set("dryRun", "true")
  if (how.isForced) query.set("force", "true")
  return (await upload<ResponseBody<"importData">>(`/api/v3/data/import?${query}`, formOf(options), onSent))
    .data
}

const pollMilliseconds = 1_500

/** A running import is polled as well, in case the event stream is interrupted. */
export const importQuery = (importId: string) =>
  dataQuery(
    ["imports", importId],
    "/api/v3/import-monitoring/{importId}",
    { importId },
    { refetchInterval: ({ state }) => (state.data?.status === "onprocess" ? pollMilliseconds : false) },
  )

export const importsQuery = queryOptions({
  queryKey: ["imports", "list"],
  queryFn: async ({ signal }) =>
    (await dataOf(server.get("/api/v3/import-monitoring", { query: { limit: 100 }, signal }))).data,
  refetchInterval: ({ state }) => (state.data?.some((entry) => entry.status === "onprocess") ? 3_000 : false),
})

export const maxFailedRows = 200

export function failedRowsQuery(importId: string) {
  return queryOptions({
    queryKey: ["imports", importId, "failed-rows"],
    queryFn: ({ signal }) =>
      server.get("/api/v3/import-monitoring/{importId}/failed-rows", {
        importId,
        query: { limit: maxFailedRows },
        signal,
      }),
  })
}

export const cancelImport = (importId: string) =>
  server.post("/api/v3/import-monitoring/{importId}/cancel", { importId })

export function undoImport(importId: string): Promise<Import> {
  return dataOf(server.post("/api/v3/import-monitoring/{importId}/undo", { importId }))
}

export async function templateAddress(
  target:
    | { type: "task"; flowId: string }
    | { type: "datasource"; dataTypeId: string }
    | { type: "vehicle" | "user" },
  hubId: string | undefined,
): Promise<string> {
  const query = { ...target, ...(hubId ? { hubId } : {}) }
  const { data } = await server.get("/api/v3/import-template", { query })
  return data.url
}

/** Ids of the tasks that an import created or changed. */
export const writtenQuery = (importId: string) =>
  dataQuery(["imports", importId, "written"], "/api/v3/import-monitoring/{importId}/written", { importId })

export type DoubtfulPlace = ResponseBody<"listDoubtfulPlaces">["data"][number]

/** Addresses are looked up after the import has ended. */
export const doubtfulPlacesQuery = (importId: string) =>
  queryOptions({
    queryKey: ["imports", importId, "doubtful-places"],
    queryFn: ({ signal }) =>
      server.get("/api/v3/import-monitoring/{importId}/doubtful-places", { importId, signal }),
    refetchInterval: ({ state }) => (state.data?.isLocating ? pollMilliseconds : 10_000),
  })
