import { queryOptions } from "@tanstack/react-query"
import { ApiError, api, impatientApi, responseOf, sentBy } from "../../api/client.ts"
import { queryClient } from "../../query-client.ts"
import { type OwnUser, ownUserQuery } from "../../session/session.ts"
import { hasSignedOut, settleSignOut } from "../../session/signed-out.ts"
import type { Flow } from "../work/flows/flows.queries.ts"
import { type Task, withHeadingTexts } from "../work/tasks/tasks.queries.ts"
import { serverNow, timeOf } from "./clock.ts"
import { currentReach, watchConnection } from "./connection.ts"
import { type PersonStore, peopleOnThisPhone, recordPerson, storeOf, userIdOf } from "./kept/field-store.ts"
import type { Waiting } from "./kept/field-sync.ts"

/** When the phone last heard from the server: how old what it shows without a network is. */
export const readAtKey = "read-at"
const lastPersonKey = "fieldway.field-person"

/** How long a page waits for the server where the phone has something to show meanwhile. */
const patienceMilliseconds = 600

/** The response if it comes soon. Nobody waits for a server that could not be reached a moment ago, or is slow. */
function soon<T>(asked: Promise<T>): Promise<T | undefined> {
  const patience = currentReach() === "online" ? patienceMilliseconds : 0
  const later = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), patience))
  return Promise.race([asked, later])
}

/** The number of the newest request for each kept response that has come. */
const newestRead = new Map<string, number>()
let readCount = 0

/**
 * Asks the server and keeps the response; without a network, or without a session, the response of last time. Browsers often
 * do not know that there is none: where a response is kept, the server is asked once and not for seconds. With `showLate`
 * a slow server holds nothing up: what is kept is shown, and the response when it comes.
 */
export async function readOrRecall<T>(
  store: PersonStore,
  key: string,
  read: (client: Reader) => Promise<T>,
  showLate?: (response: T) => void,
): Promise<T> {
  const kept = await store.recall<T>("reads", key)
  if (!navigator.onLine && kept !== undefined) return kept
  readCount += 1
  const number = readCount
  const readKey = `${store.personKey}/${key}`
  const take = async (response: T) => {
    if ((newestRead.get(readKey) ?? 0) > number) return response
    newestRead.set(readKey, number)
    // A full phone shows what it read all the same; without a network it shows what it kept before.
    await store
      .write([
        { in: "reads", key, value: response },
        { in: "reads", key: readAtKey, value: new Date(serverNow()).toISOString() },
      ])
      .catch(() => undefined)
    return response
  }
  const asked = read(readerFor(store, kept === undefined ? api : impatientApi))
  if (kept === undefined) return take(await asked)
  try {
    const response = await (showLate ? soon(asked) : asked)
    if (response !== undefined) return await take(response)
  } catch (error) {
    const isAway = error instanceof ApiError && ([0, 401, 412].includes(error.status) || error.status >= 500)
    if (!isAway) throw error
    return kept
  }
  asked
    .then(async (response) => {
      // A later question has been answered meanwhile.
      if ((newestRead.get(readKey) ?? 0) < number) showLate?.(await take(response))
    })
    .catch(() => undefined)
  return kept
}

type Reader = Pick<typeof api, "GET">

/** Requests name the person whose data they read: the data of the next person to sign in is not kept among it. */
function readerFor(store: PersonStore, client: typeof api): Reader {
  const headers = sentBy(userIdOf(store))
  const get = async (path: never, options?: object) => {
    const result = (await client.GET(path, { ...options, headers } as never)) as { response: Response }
    if (result.response.status === 412 && store.personKey === presentPerson) void followSession()
    return result
  }
  return { GET: get as unknown as Reader["GET"] }
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
  const use = (user: OwnUser) => {
    queryClient.setQueryData(ownUserQuery.queryKey, user)
    presentPerson = personKeyOf(user)
  }
  let user = known
  if (!user) {
    const asked = responseOf((kept ? impatientApi : api).GET("/api/v3/user"))
    try {
      user = await (kept ? soon(asked) : asked)
    } catch (error) {
      const isAway = error instanceof ApiError && (error.status === 0 || error.status >= 500)
      if (!kept || !isAway) throw error
      return use(kept)
    }
    if (!user) {
      asked.then(takeLatePerson).catch(() => undefined)
      if (kept) use(kept)
      return
    }
  }
  use(user)
  await keepPerson(user)
}

/** Somebody else has signed in, in another tab. */
function followSession(): Promise<void> {
  return responseOf(api.GET("/api/v3/user"))
    .then(takeLatePerson)
    .catch(() => undefined)
}

/** A slow server said whose session this is after the page had opened for the person who used the phone last. */
async function takeLatePerson(user: OwnUser): Promise<void> {
  await keepPerson(user)
  if (personKeyOf(user) === presentPerson) queryClient.setQueryData(ownUserQuery.queryKey, user)
  else window.location.reload()
}

async function keepPerson(user: OwnUser): Promise<void> {
  const key = personKeyOf(user)
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

/** A day has fewer; where there are more, this list says nothing about the rest. */
export const maxTasks = 500
const keptTasks = "my-tasks"
const keptDone = "my-done"

const showAs =
  <T>(queryKey: readonly unknown[]) =>
  (response: T) =>
    void queryClient.setQueryData(queryKey, response)

/** The caller's open tasks in the order in which they are to be done, and the flows that they need. */
export function myTasksQuery(store: PersonStore, email: string) {
  const queryKey = ["tasks", "mine", store.personKey]
  return queryOptions({
    queryKey,
    networkMode: "always",
    queryFn: () =>
      readOrRecall(
        store,
        keptTasks,
        async (client) => {
          const query = {
            assignee: email,
            status: "ONGOING",
            sortBy: "orderIndex",
            sortOrder: "asc",
            limit: maxTasks,
          } as const
          const { tasks } = await responseOf(client.GET("/api/v3/tasks", { params: { query } }))
          const mine = withHeadingTexts<Task>(tasks.data)
          await Promise.all(
            [...new Set(mine.map((task) => task.flowId))].map((flowId) =>
              queryClient.ensureQueryData(myFlowQuery(store, flowId)),
            ),
          )
          return mine
        },
        showAs<Task[]>(queryKey),
      ),
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
  const queryKey = ["tasks", "mine-done", store.personKey]
  return queryOptions({
    queryKey,
    networkMode: "always",
    queryFn: () =>
      readOrRecall(
        store,
        keptDone,
        async (client) => {
          const query = {
            assignee: email,
            status: "DONE",
            timeBy: "doneTime",
            timeFrom: new Date(serverNow() - dayMilliseconds).toISOString(),
            timeTo: new Date(serverNow() + dayMilliseconds).toISOString(),
            sortBy: "doneTime",
            sortOrder: "desc",
            limit: 200,
            fields:
              "title,content,status,doneTime,doneBy,endTime,additions,outcome,outcomeReason,isLate,updatedTime",
          } as const
          const { tasks } = await responseOf(client.GET("/api/v3/tasks", { params: { query } }))
          return withHeadingTexts<DoneTask>(tasks.data)
        },
        showAs<DoneTask[]>(queryKey),
      ),
  })
}

export function myFlowQuery(store: PersonStore, flowId: string) {
  const queryKey = ["flow", "mine", store.personKey, flowId]
  return queryOptions({
    queryKey,
    networkMode: "always",
    queryFn: (): Promise<Flow> =>
      readOrRecall(
        store,
        `flow-${flowId}`,
        async (client) => {
          const call = client.GET("/api/v3/flow/{flowId}", { params: { path: { flowId } } })
          return (await responseOf(call)).flow
        },
        showAs<Flow>(queryKey),
      ),
  })
}

/**
 * A stop that the server has taken as finished moves from the open ones to the finished ones at once; the server's lists
 * follow when they come.
 */
export async function moveToDone(store: PersonStore, entry: Waiting): Promise<void> {
  const [open, done] = [myTasksQuery(store, entry.by).queryKey, myDoneQuery(store, entry.by).queryKey]
  const task = queryClient.getQueryData(open)?.find(({ _id }) => _id === entry.taskId)
  if (!task) return
  const { doneTime = timeOf(entry.stamp).toISOString(), by } = entry
  const updatedTime = new Date(serverNow()).toISOString()
  const finished: DoneTask = { ...task, ...entry.more, status: "DONE", doneTime, doneBy: by, updatedTime }
  const left = queryClient.setQueryData(open, (tasks) => tasks?.filter(({ _id }) => _id !== task._id))
  const all = queryClient.setQueryData(done, (tasks = []) => [
    finished,
    ...tasks.filter(({ _id }) => _id !== task._id),
  ])
  await store
    .write([
      { in: "reads", key: keptTasks, value: left },
      { in: "reads", key: keptDone, value: all },
    ])
    .catch(() => undefined)
}
