import type { Task } from "../../work/tasks/tasks.queries.ts"
import type { PersonStore } from "./field-store.ts"
import type { Waiting } from "./field-sync.ts"
import { fileNames, type KnownFiles, packFiles, unpackFiles } from "./storage.ts"

export type Values = Readonly<Record<string, unknown>>

/** What was entered for a task that is not finished, as it is kept: its photos are files beside it. */
interface KeptDraft {
  taskId: string
  values: Values
  /** What is entered besides the components: outcome and reasons. */
  more?: Values
  /** Of the task, for the time when this person no longer sees it. Drafts of earlier versions of the page lack them. */
  title?: string
  flowId?: string
}

export interface Draft {
  /** As entered last, with the bytes of photos in their places. */
  readonly values: Values
  readonly more: Values
  readonly title: string | undefined
  readonly flowId: string | undefined
  /** Keeps what is entered; rejects with `NotKeptError` when the phone has no room. Later calls take over from earlier ones. */
  save(values: Values, more: Values): Promise<void>
  /** Turns the draft into work that waits to be sent, in one step. */
  finish(entry: Omit<Waiting, "values">, values: Values): Promise<Waiting>
  /** Removes it with its photos: only where somebody said so. */
  discard(): Promise<void>
}

/** The draft of a task, which is undefined where the person no longer sees it. */
export async function openDraft(
  store: PersonStore,
  taskId: string,
  task: Pick<Task, "title" | "flow" | "flowId"> | undefined,
): Promise<Draft> {
  const kept = await store.recall<KeptDraft>("drafts", taskId)
  const opened = await unpackFiles(kept?.values ?? {}, (name) => store.recall("files", name))
  let known: KnownFiles = opened.known
  let newest: readonly [Values, Values] = [opened.values, kept?.more ?? {}]
  let running: Promise<void> | undefined
  let isFinished = false
  const title = task ? (task.title ?? task.flow) : kept?.title
  const flowId = task?.flowId ?? kept?.flowId
  const about = { ...(title === undefined ? {} : { title }), ...(flowId === undefined ? {} : { flowId }) }

  const saveNewest = async () => {
    for (let saved: typeof newest | undefined; saved !== newest && !isFinished; ) {
      saved = newest
      const [values, more] = saved
      const { packed, writes, known: next } = packFiles(values, known)
      const draft: KeptDraft = { taskId, values: packed, more, ...about }
      await store.write([
        ...writes,
        Object.keys({ ...packed, ...more }).length > 0
          ? { in: "drafts", key: taskId, value: draft }
          : { in: "drafts", remove: taskId },
      ])
      known = next
    }
  }
  const save = (values: Values, more: Values) => {
    newest = [values, more]
    running ??= saveNewest().finally(() => {
      running = undefined
    })
    return running
  }
  return {
    get values() {
      return newest[0]
    },
    get more() {
      return newest[1]
    },
    title,
    flowId,
    save,
    discard: () => save({}, {}),
    async finish(entry, values) {
      await running?.catch(() => undefined)
      const { packed, writes } = packFiles(values, known)
      const waiting: Waiting = { ...entry, values: packed }
      await store.write([
        ...writes,
        { in: "waiting", key: entry.id, value: waiting },
        { in: "drafts", remove: taskId },
      ])
      isFinished = true
      return waiting
    },
  }
}

/** Tasks for which something was entered and not finished, with their titles. */
export async function draftedTasks(store: PersonStore): Promise<Map<string, string | undefined>> {
  const drafts = await store.recallAll<KeptDraft>("drafts")
  return new Map(drafts.map(({ taskId, title }) => [taskId, title]))
}

/** Photos that were sent, in the form in which the photo field keeps them. */
export function withPhotoLists(sent: Values): Values {
  const values: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(sent)) {
    const [, photoOf, number] = /^(.+)_(\d+)_url$/.exec(key) ?? []
    const pictured = key.replace(/_category$/, "_url")
    if (photoOf === undefined) {
      // A category goes with its photo.
      if (pictured === key || !(pictured in sent)) values[key] = value
      continue
    }
    const category = sent[`${photoOf}_${number}_category`]
    const photo = category === undefined ? value : { category, url: value }
    values[photoOf] = [...((values[photoOf] as unknown[] | undefined) ?? []), photo]
  }
  return values
}

/** Lets refused work be changed: what was entered is a draft again, photos that were sent stay sent. */
export async function takeBack(store: PersonStore, entry: Waiting): Promise<void> {
  const { taskId, more = {} } = entry
  const draft: KeptDraft = { taskId, values: withPhotoLists(entry.values), more, title: entry.title }
  await store.write([
    { in: "drafts", key: taskId, value: draft },
    { in: "waiting", remove: entry.id },
  ])
}

/** Removes work that waits, with its photos: only where somebody said so. */
export async function discardWaiting(store: PersonStore, entry: Waiting): Promise<void> {
  await store.write([
    { in: "waiting", remove: entry.id },
    ...fileNames(entry.values).map((name) => ({ in: "files" as const, remove: name })),
  ])
}
