import { api, responseOf, sentBy } from "../../../api/client.ts"
import type { RequestBody } from "../../../api/server.ts"
import { type Stamp, stampOf } from "../clock.ts"
import type { Values } from "./field-drafts.ts"
import type { PersonStore } from "./field-store.ts"
import type { Waiting } from "./field-sync.ts"
import { newName, packFiles } from "./storage.ts"

interface ToKeep {
  kind: "create" | "correction" | "progress"
  taskId: string
  title: string
  by: string
  values?: Values
  more?: Values
  stamp?: Stamp
  /** The field of the task that says when this happened. */
  timeField?: string
}

/** Keeps something on the phone until the server has it. Throws `NotKeptError` when there is no room. */
export async function keepEntry(
  store: PersonStore,
  { values = {}, stamp, ...rest }: ToKeep,
): Promise<Waiting> {
  const { packed, writes } = packFiles(values, new Map())
  const entry: Waiting = { id: newName(), ...rest, values: packed, stamp: stamp ?? stampOf(), fix: undefined }
  await store.write([...writes, { in: "waiting", key: entry.id, value: entry }])
  return entry
}

/** Creates a task once, however often the call is repeated. */
export async function createTask(entry: Waiting, values: Values, sender: string): Promise<undefined> {
  const params = { header: { "Idempotency-Key": entry.id } }
  const body = { ...values, ...entry.more } as RequestBody<"createTask">
  await responseOf(api.POST("/api/v3/task", { params, body, headers: sentBy(sender) }))
}

/** Attaches a correction to a finished task; the first completion stands. */
export async function sendCorrection(entry: Waiting, values: Values, sender: string): Promise<undefined> {
  const params = { path: { taskId: entry.taskId } }
  const body = {
    ...values,
    additionId: entry.id,
    isCorrection: true,
    ...(entry.doneTime === undefined ? {} : { doneTime: entry.doneTime }),
  }
  const headers = sentBy(sender)
  await responseOf(api.POST("/api/v3/task-additions/{taskId}", { params, body, headers }))
}
