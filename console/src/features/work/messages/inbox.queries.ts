import { queryOptions } from "@tanstack/react-query"
import { type ResponseBody, server } from "../../../api/server.ts"

export type InboxNotice = ResponseBody<"listNotices">["data"][number]

/** The caller's newest notices. The first call opens the inbox: from then on notices are written. */
export const inboxQuery = queryOptions({
  queryKey: ["notices", "inbox"],
  queryFn: ({ signal }) => server.get("/api/v3/notices", { query: { limit: 50 }, signal }),
})

export const readNotices = (noticeIds?: string[]) =>
  server.put("/api/v3/notices/read", { body: noticeIds ? { noticeIds } : {} })

/** The type of a record, which its page is named by. */
export async function dataTypeOf(recordId: string): Promise<string> {
  const { data } = await server.get("/api/v3/data/{recordId}", { recordId })
  return String(data.dataTypeId)
}
