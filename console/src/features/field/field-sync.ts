import { ApiError, api, responseOf } from "../../api/client.ts"
import { sendFiles } from "../work/flows/fields/send-files.ts"
import type { Task } from "../work/tasks/tasks.queries.ts"
import { keep, recallAll, remove } from "./field-store.ts"

/** A finished task that is on its way: what was entered, and when it was finished on the phone. */
export interface Waiting {
  taskId: string
  title: string
  values: Record<string, unknown>
  /** ISO 8601. */
  doneAt: string
  coordinate: string | undefined
  /** Why the server refused it; it is not sent again by itself then. */
  refusal?: string
}

export function waitingTasks(): Promise<Waiting[]> {
  return recallAll<Waiting>("waiting")
}

export async function finishLater(entry: Waiting): Promise<void> {
  await keep("waiting", entry.taskId, entry)
  await remove("drafts", entry.taskId)
}

/** Lets a refused task be changed: what was entered is a draft again, photos that were sent stay sent. */
export async function takeBack({ taskId, values }: Waiting): Promise<void> {
  const draft: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(values)) {
    const [, photoOf, number] = /^(.+)_(\d+)_url$/.exec(key) ?? []
    const pictured = key.replace(/_category$/, "_url")
    if (photoOf === undefined) {
      // A category goes with its photo.
      if (pictured === key || !(pictured in values)) draft[key] = value
      continue
    }
    const category = values[`${photoOf}_${number}_category`]
    const photo = category === undefined ? value : { category, url: value }
    draft[photoOf] = [...((draft[photoOf] as unknown[] | undefined) ?? []), photo]
  }
  await keep("drafts", taskId, draft)
  await remove("waiting", taskId)
}

let isSending = false

/**
 * Sends what waits, oldest first, and removes each only after the server has it. Stops at the first one that
 * does not reach the server; one that is refused stays with the reason. Never runs twice at once.
 */
export async function sendWaiting(onChange: () => void): Promise<void> {
  if (isSending || !navigator.onLine) return
  isSending = true
  try {
    const entries = (await waitingTasks()).filter((entry) => entry.refusal === undefined)
    for (const entry of entries.toSorted((one, other) => one.doneAt.localeCompare(other.doneAt))) {
      try {
        await sendOne(entry)
        await remove("waiting", entry.taskId)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (error.status === 0 || error.status === 401 || error.status === 429 || error.status >= 500) return
        if (!(await isAlreadyDone(entry.taskId)))
          await keep("waiting", entry.taskId, { ...entry, refusal: error.message })
        else await remove("waiting", entry.taskId)
      }
      onChange()
    }
  } finally {
    isSending = false
    onChange()
  }
}

async function sendOne(entry: Waiting): Promise<void> {
  const values = await sendFiles(entry.taskId, entry.values, async (sent) => {
    await keep("waiting", entry.taskId, { ...entry, values: sent })
  })
  const body = {
    ...values,
    status: "DONE",
    doneTime: entry.doneAt,
    doneFrom: "Mobile",
    ...(entry.coordinate ? { doneCoordinate: entry.coordinate } : {}),
  }
  await responseOf(api.PATCH("/api/v3/task/{taskId}", { params: { path: { taskId: entry.taskId } }, body }))
}

/** The answer to an earlier attempt may have been lost on the way: then the task is done, and all is well. */
async function isAlreadyDone(taskId: string): Promise<boolean> {
  try {
    const answer = await responseOf(api.GET("/api/v3/task/{taskId}", { params: { path: { taskId } } }))
    return (answer.task as unknown as Task).status === "DONE"
  } catch {
    return false
  }
}
