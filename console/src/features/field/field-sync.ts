import { ApiError, answerOf, api } from "../../api/client.ts"
import { upload } from "../../api/upload.ts"
import { isPicture, pictureBlob } from "../flows/photo-files.ts"
import type { Task } from "../tasks/tasks.queries.ts"
import { forget, keep, recallAll } from "./field-store.ts"

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
  await forget("drafts", entry.taskId)
}

let isSending = false

/**
 * Sends what waits, oldest first, and forgets each only after the server has it. Stops at the first one that
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
        await forget("waiting", entry.taskId)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (error.status === 0 || error.status === 401 || error.status === 429 || error.status >= 500) return
        if (!(await isAlreadyDone(entry.taskId)))
          await keep("waiting", entry.taskId, { ...entry, refusal: error.message })
        else await forget("waiting", entry.taskId)
      }
      onChange()
    }
  } finally {
    isSending = false
    onChange()
  }
}

async function sendOne(entry: Waiting): Promise<void> {
  const values = await withUploads(entry)
  const body = {
    ...values,
    status: "DONE",
    doneTime: entry.doneAt,
    doneFrom: "Mobile",
    ...(entry.coordinate ? { doneCoordinate: entry.coordinate } : {}),
  }
  await answerOf(api.PATCH("/api/v3/task/{taskId}", { params: { path: { taskId: entry.taskId } }, body }))
}

/** Pictures become addresses; each address is kept at once, so a cut connection uploads none of them twice. */
async function withUploads(entry: Waiting): Promise<Record<string, unknown>> {
  const values = { ...entry.values }
  for (const [id, value] of Object.entries(values)) {
    if (isPicture(value)) values[id] = await uploadPicture(entry, id, 0, value)
    else if (Array.isArray(value) && value.some(isPicture)) {
      const addresses: unknown[] = []
      for (const [index, photo] of value.entries())
        addresses.push(isPicture(photo) ? await uploadPicture(entry, id, index, photo) : photo)
      delete values[id]
      for (const [index, address] of addresses.entries()) values[`${id}_${index}_url`] = address
    } else continue
    await keep("waiting", entry.taskId, { ...entry, values })
  }
  return values
}

async function uploadPicture(
  entry: Waiting,
  componentId: string,
  index: number,
  picture: `data:image/${string}`,
): Promise<string> {
  const name = `${entry.taskId}_${index}_${componentId}`
  const form = new FormData()
  form.set(
    "photo",
    pictureBlob(picture),
    picture.startsWith("data:image/png") ? `${name}.png` : `${name}.jpg`,
  )
  return (await upload<{ url: string }>(`/api/v3/task/photo/${encodeURIComponent(name)}`, form)).url
}

/** The answer to an earlier attempt may have been lost on the way: then the task is done, and all is well. */
async function isAlreadyDone(taskId: string): Promise<boolean> {
  try {
    const answer = await answerOf(api.GET("/api/v3/task/{taskId}", { params: { path: { taskId } } }))
    return (answer.task as unknown as Task).status === "DONE"
  } catch {
    return false
  }
}
