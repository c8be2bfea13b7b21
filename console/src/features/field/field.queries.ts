import { queryOptions } from "@tanstack/react-query"
import { ApiError, api, impatientApi, responseOf } from "../../api/client.ts"
import { queryClient } from "../../query-client.ts"
import { type OwnUser, ownUserQuery } from "../../session/session.ts"
import { hasSignedOut, settleSignOut } from "../../session/signed-out.ts"
import type { Flow } from "../work/flows/flows.queries.ts"
import { type Task, withHeadingTexts } from "../work/tasks/tasks.queries.ts"
import { serverNow } from "./clock.ts"
import { watchConnection } from "./connection.ts"
import { type PersonStore, peopleOnThisPhone, recordPerson, storeOf } from "./kept/field-store.ts"

/** When the phone last heard from the server: how old what it shows without a network is. */
export const readAtKey = "read-at"
const lastPersonKey = "fieldway.field-person"

/**
 * Asks the server and keeps the response; without a network, or without a session, the response of last time. Browsers often
 * do not know that there is none: where a response is kept, the server is asked once and not for seconds.
 */
export async function readOrRecall<T>(
  store: PersonStore,
  key: string,
  read: (client: typeof api) => Promise<T>,
): Promise<T> {
  const kept = await store.recall<T>("reads", key)
  if (!navigator.onLine && kept !== undefined) return kept
  let response: T
  try {
    response = await read(kept === undefined ? api : impatientApi)
  } catch (error) {
    const isAway =
      error instanceof ApiError && (error.status === 0 || error.status === 401 || error.status >= 500)
    if (kept === undefined || !isAway) throw error
    return kept
  }
  // A full phone shows what it read all the same; without a network it shows what it kept before.
  await store
    .write([
      { in: "reads", key, value: response },
      { in: "reads", key: readAtKey, value: new Date(serverNow()).toISOString() },
    ])
    .catch(() => undefined)
  return response
}

export function personKeyOf(user: Pick<OwnUser, "_id" | "organizationId">): string {
  return `${user.organizationId}.${user._id}`
}

/** Who works with this page since it was opened, or since the last sign-in. */
let presentPerson: string | undefined

/** Who works with this phone. What others left on it stays theirs. Throws 401 when somebody has to sign in. */
export async function ensureWorker(): Promise<void> {
  watchConnection()
  if (hasSignedOut()) {
    await settleSignOut()
    throw new ApiError(401, { message: "Signed out" })
  }
  const known = queryClient.getQueryData(ownUserQuery.queryKey)
  // Every step from page to page comes by here: a session that ended meanwhile must not end the work.
  if (known && personKeyOf(known) === presentPerson) return
  const last = localStorage.getItem(lastPersonKey) ?? (await peopleOnThisPhone())[0]?.key ?? null
  const kept = last === null ? undefined : await storeOf(last).recall<OwnUser>("reads", "own-user")
  let user: OwnUser
  try {
    user = known ?? (await responseOf((kept ? impatientApi : api).GET("/api/v3/user")))
  } catch (error) {
    const isAway = error instanceof ApiError && (error.status === 0 || error.status >= 500)
    if (!kept || !isAway) throw error
    queryClient.setQueryData(ownUserQuery.queryKey, kept)
    presentPerson = personKeyOf(kept)
    return
  }
  const key = personKeyOf(user)
  queryClient.setQueryData(ownUserQuery.queryKey, user)
  presentPerson = key
  try {
    localStorage.setItem(lastPersonKey, key)
    await recordPerson({ key, userId: user._id, email: user.email, name: user.name })
    await storeOf(key).write([{ in: "reads", key: "own-user", value: user }])
  } catch {
    // A full phone: the page works as long as it is open, and says so when something is to be kept.
    if (!(await peopleOnThisPhone().catch(() => [])).some((person) => person.key === key))
      throw new PhoneFullError()
  }
}

/** Nothing at all can be kept for a person who was never here. */
class PhoneFullError extends Error {
  override message = "This phone has no storage left. Free some space, then open the page again."
}

/** The caller's open tasks in the order in which they are to be done, and the flows that they need. */
export function myTasksQuery(store: PersonStore, email: string) {
  return queryOptions({
    queryKey: ["tasks", "mine", store.personKey],
    networkMode: "always",
    queryFn: ({ signal }) =>
      readOrRecall(store, "my-tasks", async (client) => {
        const query = {
          assignee: email,
          status: "ONGOING",
          sortBy: "orderIndex",
          sortOrder: "asc",
          limit: 500,
        } as const
        const { tasks } = await responseOf(client.GET("/api/v3/tasks", { params: { query }, signal }))
        const mine = withHeadingTexts<Task>(tasks.data)
        await Promise.all(
          [...new Set(mine.map((task) => task.flowId))].map((flowId) =>
            queryClient.ensureQueryData(myFlowQuery(store, flowId)),
          ),
        )
        return mine
      }),
  })
}

/** What somebody attached to a finished task. */
interface Addition {
  _id: string
  doneBy: string
  doneTime: string
}

export type DoneTask = Task & { additions?: Addition[] }

const dayMilliseconds = 24 * 3_600_000

/** What the caller, or somebody else on the same tasks, finished within a day. */
export function myDoneQuery(store: PersonStore, email: string) {
  return queryOptions({
    queryKey: ["tasks", "mine-done", store.personKey],
    networkMode: "always",
    queryFn: ({ signal }) =>
      readOrRecall(store, "my-done", async (client) => {
        const query = {
          assignee: email,
          status: "DONE",
          timeBy: "doneTime",
          timeFrom: new Date(serverNow() - dayMilliseconds).toISOString(),
          timeTo: new Date(serverNow() + dayMilliseconds).toISOString(),
          sortBy: "doneTime",
          sortOrder: "desc",
          limit: 200,
          fields: "title,content,status,doneTime,doneBy,endTime,additions,outcome,outcomeReason,isLate",
        } as const
        const { tasks } = await responseOf(client.GET("/api/v3/tasks", { params: { query }, signal }))
        return withHeadingTexts<DoneTask>(tasks.data)
      }),
  })
}

export function myFlowQuery(store: PersonStore, flowId: string) {
  return queryOptions({
    queryKey: ["flow", "mine", store.personKey, flowId],
    networkMode: "always",
    queryFn: (): Promise<Flow> =>
      readOrRecall(store, `flow-${flowId}`, async (client) => {
        const call = client.GET("/api/v3/flow/{flowId}", { params: { path: { flowId } } })
        return (await responseOf(call)).flow
      }),
  })
}
