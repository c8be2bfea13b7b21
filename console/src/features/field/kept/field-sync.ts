import { ApiError, api, responseOf, sentBy } from "../../../api/client.ts"
import { parseTime } from "../../../i18n/formats.ts"
import { sendFiles } from "../../work/flows/fields/send-files.ts"
import type { Task } from "../../work/tasks/tasks.queries.ts"
import { type Stamp, timeOf } from "../clock.ts"
import { currentReach, settleClock } from "../connection.ts"
import type { Values } from "./field-drafts.ts"
import { sendMessage, type WaitingMessage } from "./field-messages.ts"
import { createTask, sendCorrection } from "./field-other.ts"
import type { Fix } from "./field-positions.ts"
import type { PersonStore, Write } from "./field-store.ts"
import { type KnownFiles, newName, packFiles, unpackFiles } from "./storage.ts"

/** A finished task that is on its way: what was entered, and when and where it was finished on the phone. */
export interface Waiting {
  id: string
  taskId: string
  title: string
  /** E-mail of the person who did it. */
  by: string
  /** As kept: photos are files beside it. */
  values: Values
  stamp: Stamp
  fix: Fix | undefined
  /**
   * `progress` says something about a task that goes on, such as that the person arrived; `message` is one to the planner;
   * `create` makes a task, `correction` corrects a finished one, `addition` is attached to a task that is no longer the
   * person's; absent: it finishes the task.
   */
  kind?: "progress" | "message" | "create" | "correction" | "addition"
  /** Of a message: what it says, and to whom. Its photos are in `values`. */
  message?: WaitingMessage
  /** What else is stored with the task: its outcome and reasons. */
  more?: Values
  /** The field of the task that says when this happened. */
  timeField?: string
  /** The time that was sent first: a repeated call must not say another one. ISO 8601. */
  doneTime?: string
  /** Why the server refused it; it is not sent again by itself then. */
  refusal?: string
  /** The task is not there any more for this person: it can be sent once it is again. */
  isGone?: true
}

/** Something that the person should read once: what became of their work after it was sent. */
export interface Notice {
  id: string
  title: string
  /** Who had finished the task first, and when: the work was attached to theirs. */
  first?: { by: string; time: string }
  /** What the server left out of what was sent. */
  warnings?: readonly string[]
  /** The working time had been started or finished elsewhere; when it began, if it is open. */
  session?: { marks: "start" | "finish"; since?: string }
}

export async function waitingTasks(store: PersonStore): Promise<Waiting[]> {
  const entries = await store.recallAll<Waiting>("waiting")
  return entries.toSorted((one, other) => timeOf(one.stamp).getTime() - timeOf(other.stamp).getTime())
}

export interface Sending {
  /** The id of who is signed in when it begins. */
  sender: string
  onChange(): void
  /** The server has it. */
  onSent?(entry: Waiting): Promise<void>
  /** Whose work it is, where somebody else sends it with their own permission to edit tasks. */
  doneFor?: string
}

/**
 * Sends what waits, oldest first, and removes each only after the server has it. Stops at the first one that does not
 * reach the server; one that is refused stays with the reason. One tab of the browser sends at a time.
 */
export async function sendWaiting(store: PersonStore, sending: Sending): Promise<void> {
  if (!navigator.onLine || currentReach() === "signedOut") return
  await alone(`fieldway-send-${store.personKey}`, async () => {
    for (const { id, refusal } of await waitingTasks(store)) {
      // Another tab, or the person, may have dealt with it meanwhile.
      const entry = refusal === undefined ? await store.recall<Waiting>("waiting", id) : undefined
      if (!entry || entry.refusal !== undefined) continue
      // Nobody writes messages, or creates and corrects tasks, in the name of somebody else.
      if (sending.doneFor !== undefined && !isFinish(entry) && entry.kind !== "progress") continue
      const isReached = await sendEntry(store, entry, sending)
      sending.onChange()
      if (!isReached) return
    }
  })
}

const running = new Set<string>()

/** Runs it unless it runs already, here or in another tab. */
async function alone(name: string, run: () => Promise<void>): Promise<void> {
  if (running.has(name)) return
  running.add(name)
  try {
    if ("locks" in navigator)
      await navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock ? run() : undefined))
    else await run()
  } finally {
    running.delete(name)
  }
}

/** Whether the server was reached: it took the entry, or refused it and the entry says why. */
async function sendEntry(store: PersonStore, given: Waiting, sending: Sending): Promise<boolean> {
  let entry = given
  try {
    if (entry.doneTime === undefined && !(await settleClock())) return false
    if (entry.doneTime === undefined) entry = { ...entry, doneTime: timeOf(entry.stamp).toISOString() }
    // A full phone must still send what it holds: only the removal at the end has to succeed.
    await store.write([{ in: "waiting", key: entry.id, value: entry }]).catch(() => undefined)
    const { values, known } = await unpackFiles(entry.values, (name) => store.recall("files", name))
    let kept: KnownFiles = known
    const keepSent = async (sent: Values) => {
      const { packed, writes, known: left } = packFiles(sent, kept)
      entry = { ...entry, values: packed }
      const write = store.write([...writes, { in: "waiting", key: entry.id, value: entry }])
      kept = await write.then(
        () => left,
        () => kept,
      )
    }
    const sent = await sendFiles(entry.taskId || "message", values, keepSent, sentBy(sending.sender))
    const notice = await deliver(entry, sent, sending)
    // Before it stops waiting: a stop that is finished must not look open in between.
    await sending.onSent?.(entry)
    const writes: Write[] = [{ in: "waiting", remove: entry.id }]
    if (notice) writes.push({ in: "notices", key: notice.id, value: notice })
    await store.write(writes)
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (isTemporary(error)) return false
    const isGone = error.status === 404 && entry.taskId !== ""
    const refused: Waiting = { ...entry, refusal: error.message, ...(isGone ? { isGone } : {}) }
    await store.write([{ in: "waiting", key: entry.id, value: refused }])
    return true
  }
}

function deliver(entry: Waiting, sent: Values, sending: Sending): Promise<Notice | undefined> {
  const { sender } = sending
  if (entry.message) return sendMessage(entry.message, entry, sent, sender)
  if (entry.kind === "create") return createTask(entry, sent, sender)
  if (entry.kind === "correction") return sendCorrection(entry, sent, sender)
  if (entry.kind === "addition")
    return attach(entry, { ...sent, ...entry.more, doneTime: entry.doneTime }, sender)
  return finishTask(entry, sent, sending)
}

function isTemporary({ status }: ApiError): boolean {
  // 412: somebody else has signed in meanwhile. It is sent when its person is back.
  return [0, 401, 408, 412, 429].includes(status) || status >= 500
}

async function finishTask(
  entry: Waiting,
  values: Values,
  { doneFor, sender }: Sending,
): Promise<Notice | undefined> {
  const doneTime = entry.doneTime ?? timeOf(entry.stamp).toISOString()
  const done = { status: "DONE", doneTime, doneFrom: "Mobile", ...positionOf(entry) }
  const body = {
    ...values,
    ...entry.more,
    ...(entry.timeField ? { [entry.timeField]: entry.doneTime } : {}),
    ...(entry.kind === "progress" ? {} : done),
    ...(doneFor ? { doneFor } : {}),
  }
  const params = { path: { taskId: entry.taskId } }
  const headers = sentBy(sender)
  try {
    const { warnings = [] } = await responseOf(api.PATCH("/api/v3/task/{taskId}", { params, body, headers }))
    return warnings.length > 0 ? { id: newName(), title: entry.title, warnings } : undefined
  } catch (error) {
    if (!(error instanceof ApiError) || isTemporary(error)) throw error
    const first = await readTask(entry.taskId, sender)
    // What is said of a task that goes on means nothing once it is finished.
    if (entry.kind === "progress" && first?.status === "DONE") return undefined
    if (first && isSame(first, entry, values)) return undefined
    // Finished by somebody else, or given to somebody else: what was done is attached to it.
    const isStillOurs = first
      ? first.status !== "DONE" && first.assignee.includes(entry.by)
      : error.status !== 404
    if (isStillOurs) throw error
    return attach(entry, body, sender, error)
  }
}

function positionOf({ fix }: Waiting) {
  if (!fix) return {}
  return {
    doneCoordinate: fix.coordinate,
    doneAccuracy: Math.round(fix.accuracyMeters),
    doneCoordinateTime: timeOf({ ...fix.stamp }).toISOString(),
  }
}

/** Whether the entry finishes its task. */
export function isFinish({ kind }: Waiting): boolean {
  return kind === undefined
}

/** How many tasks wait as finished, and how many other things: arrivals, messages, new tasks, corrections. */
export interface WaitingCounts {
  finished: number
  more: number
}

export function countWaiting(waiting: readonly Waiting[]): WaitingCounts {
  const finished = waiting.filter(isFinish).length
  return { finished, more: waiting.length - finished }
}

/** A task as it is with what waits to be sent. */
export function withProgress(task: Task, waiting: readonly Waiting[]): Task {
  // The same object where nothing waits: what shows it need not be drawn again.
  const said = waiting.filter(({ kind, taskId }) => kind === "progress" && taskId === task._id)
  if (said.length === 0) return task
  return Object.assign(
    { ...task },
    ...said.map(({ more, timeField, stamp }) => ({
      ...more,
      ...(timeField ? { [timeField]: timeOf(stamp).toISOString() } : {}),
    })),
  )
}

async function attach(entry: Waiting, body: Values, sender: string, refusal?: ApiError): Promise<Notice> {
  const params = { path: { taskId: entry.taskId } }
  const addition = { ...body, additionId: entry.id }
  try {
    const { data } = await responseOf(
      api.POST("/api/v3/task-additions/{taskId}", { params, body: addition, headers: sentBy(sender) }),
    )
    const first = data.doneBy ? { by: data.doneBy, time: data.doneTime ?? "" } : undefined
    return { id: newName(), title: entry.title, ...(first ? { first } : {}) }
  } catch (error) {
    // The person reads why the task could not be finished rather than why nothing could be attached to it.
    if (refusal && error instanceof ApiError && error.status === 404) throw refusal
    throw error
  }
}

async function readTask(taskId: string, sender: string): Promise<Task | undefined> {
  const params = { path: { taskId } }
  try {
    const { task } = await responseOf(api.GET("/api/v3/task/{taskId}", { params, headers: sentBy(sender) }))
    return task as Task
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return undefined
    throw error
  }
}

/** Whether a finished task is this very work: the response to an earlier attempt was lost on the way. */
function isSame(task: Task, entry: Waiting, values: Values): boolean {
  if (task.status !== "DONE" || task.doneBy !== entry.by || entry.doneTime === undefined) return false
  const seconds = (time: string | undefined) => Math.floor((parseTime(time)?.getTime() ?? 0) / 1_000)
  if (seconds(task.doneTime) !== seconds(entry.doneTime)) return false
  // Each phone's photos have addresses of their own.
  return Object.entries(values).every(
    ([key, value]) => typeof value !== "string" || !value.includes("/files/") || task[key] === value,
  )
}
