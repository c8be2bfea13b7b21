import type { OtherSystem } from "#shared/other-systems.ts"
import { api, responseOf } from "../../../api/client.ts"

interface OtherSystemQuery {
  system: OtherSystem
  collection: string
  token: string
  address?: string
  from?: string
  to?: string
}

/** The list as a file that the import takes. */
export async function readOtherSystem(query: OtherSystemQuery): Promise<File> {
  const csv: unknown = await responseOf(
    api.POST("/api/v3/data/import/source", { body: query, parseAs: "text" }),
  )
  return new File([String(csv)], `${query.system}-${query.collection}.csv`, { type: "text/csv" })
}
