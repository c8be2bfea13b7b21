import { queryOptions } from "@tanstack/react-query"
import { ApiError, api, impatientApi, responseOf } from "../../api/client.ts"
import { queryClient } from "../../query-client.ts"
import { ownUserQuery } from "../../session/session.ts"
import type { Flow } from "../work/flows/flows.queries.ts"
import { type Task, withHeadingTexts } from "../work/tasks/tasks.queries.ts"
import { clearFieldStore, keep, recall } from "./field-store.ts"

/** When the phone last heard from the server: how old what it shows without a network is. */
export const readAtKey = "read-at"

/**
 * Asks the server and keeps the answer; without a network the answer of last time. Browsers often do not know that
 * there is none: where an answer is kept, the server is asked once and not for seconds.
 */
async function readOrRecall<T>(key: string, read: (client: typeof api) => Promise<T>): Promise<T> {
  const kept = await recall<T>("reads", key)
  if (!navigator.onLine && kept !== undefined) return kept
  try {
    const answer = await read(kept === undefined ? api : impatientApi)
    await keep("reads", key, answer)
    await keep("reads", readAtKey, new Date().toISOString())
    return answer
  } catch (error) {
    if (kept === undefined || !(error instanceof ApiError && error.status === 0)) throw error
    return kept
  }
}

/** Who works with this phone. Somebody else than last time starts with an empty store. */
export async function ensureWorker(): Promise<void> {
  const user = await readOrRecall("own-user", async (client) => {
    const known = queryClient.getQueryData(ownUserQuery.queryKey)
    const read = known ?? (await responseOf(client.GET("/api/v3/user")))
    const previous = await recall<{ _id: string }>("reads", "own-user")
    if (previous && previous._id !== read._id) await clearFieldStore()
    return read
  })
  queryClient.setQueryData(ownUserQuery.queryKey, user)
}

/** The caller's open tasks in the order in which they are to be done, and the flows that they need. */
export function myTasksQuery(email: string) {
  return queryOptions({
    queryKey: ["tasks", "mine", email],
    networkMode: "always",
    queryFn: ({ signal }) =>
      readOrRecall("my-tasks", async (client) => {
        const query = {
          assignee: email,
          status: "ONGOING",
          sortBy: "orderIndex",
          sortOrder: "asc",
          limit: 500,
        } as const
        const { tasks } = await responseOf(client.GET("/api/v3/tasks", { params: { query }, signal }))
        const mine = withHeadingTexts(tasks.data as unknown as Task[])
        await Promise.all(
          [...new Set(mine.map((task) => task.flowId))].map((flowId) =>
            queryClient.ensureQueryData(myFlowQuery(flowId)),
          ),
        )
        return mine
      }),
  })
}

export function myFlowQuery(flowId: string) {
  return queryOptions({
    queryKey: ["flow", "mine", flowId],
    networkMode: "always",
    queryFn: (): Promise<Flow> =>
      readOrRecall(`flow-${flowId}`, async (client) => {
        const call = client.GET("/api/v3/flow/{flowId}", { params: { path: { flowId } } })
        return (await responseOf(call)).flow
      }),
  })
}
