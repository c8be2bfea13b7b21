import { type Caller, may } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import { taskErrors } from "../errors.ts"
import { visibleTasks } from "../queries.ts"
import type { TaskRow, Written } from "../wire.ts"
import { type ChangeContext, changeTasks } from "../write/change-tasks.ts"
import { createTasks } from "../write/create-tasks.ts"
import type { TaskBody, TaskPatch } from "../write/task-body.ts"
import { lockRefIds } from "../write/unique-refs.ts"

export type UpsertEntry = TaskPatch & { refId: string }
export type Upserted =
  | ({ event: "create" | "update" } & Written)
  | { refusal: AppError; event?: "create" | "update" }

export interface UpsertContext extends ChangeContext {
  /** Reads the body of a task that is to be created. Throws what refuses it. */
  readNew(entry: UpsertEntry): TaskBody
  /** The tag that the caller's copy had, for a task that is there. */
  ifMatch?: string | undefined
}

/**
 * Creates each task, or changes the one that has its `refId`: keys that are absent stay as they are. Calls about the
 * same reference run one after the other, so that a repeated one finds what the first one created. Tasks that the caller
 * cannot see do not count. One outcome an entry, in order.
 */
export async function upsertTasks(
  tx: Tx,
  caller: Caller,
  entries: readonly UpsertEntry[],
  context: UpsertContext,
): Promise<Upserted[]> {
  await lockRefIds(tx, caller, [...new Set(entries.map(({ refId }) => refId))])
  const outcomes: Upserted[] = new Array(entries.length)
  for (const round of roundsOf(entries)) await upsertRound(tx, caller, round, outcomes, context)
  return outcomes
}

interface Numbered {
  index: number
  entry: UpsertEntry
}

/** A reference that occurs twice is first created and then changed: each round has it at most once. */
function roundsOf(entries: readonly UpsertEntry[]): Numbered[][] {
  const times = new Map<string, number>()
  const rounds: Numbered[][] = []
  for (const [index, entry] of entries.entries()) {
    const before = times.get(entry.refId) ?? 0
    times.set(entry.refId, before + 1)
    rounds[before] ??= []
    rounds[before].push({ index, entry })
  }
  return rounds
}

async function upsertRound(
  tx: Tx,
  caller: Caller,
  round: readonly Numbered[],
  outcomes: Upserted[],
  context: UpsertContext,
): Promise<void> {
  const found = await tx<Pick<TaskRow, "id" | "refId">[]>`
    select id, ref_id from tasks
    where ${visibleTasks(tx, caller)} and ref_id = any (${round.map(({ entry }) => entry.refId)})`
  const byRef = Map.groupBy(found, ({ refId }) => refId ?? "")
  const inserts: (Numbered & { body: TaskBody })[] = []
  const updates: (Numbered & { taskId: TaskRow["id"] })[] = []
  for (const { index, entry } of round) {
    const matches = byRef.get(entry.refId) ?? []
    const [match] = matches
    const event = match ? "update" : "create"
    try {
      if (matches.length > 1) throw taskErrors.severalMatches()
      checkPermission(caller, event)
      if (match) updates.push({ index, entry, taskId: match.id })
      else inserts.push({ index, entry, body: context.readNew(entry) })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      outcomes[index] = { refusal: error, event }
    }
  }
  const created = await createTasks(
    tx,
    caller,
    inserts.map(({ body }) => body),
    context,
  )
  for (const [place, { index }] of inserts.entries()) {
    const outcome = created[place]
    outcomes[index] =
      outcome && "task" in outcome
        ? { event: "create", ...outcome }
        : { refusal: outcome?.refusal ?? taskErrors.invalid(), event: "create" }
  }
  const changes = updates.map(({ taskId, entry }) => ({
    taskId,
    kind: "patch" as const,
    patch: entry,
    ifMatch: context.ifMatch,
  }))
  const changed = changes.length > 0 ? await changeTasks(tx, caller, changes, context) : []
  for (const [place, { index }] of updates.entries()) {
    const outcome = changed[place]
    outcomes[index] =
      outcome && "task" in outcome
        ? { event: "update", ...outcome }
        : { refusal: outcome?.refusal ?? taskErrors.notFound(), event: "update" }
  }
}

function checkPermission(caller: Caller, event: "create" | "update"): void {
  const needed = event === "create" ? "add/task" : "edit/task"
  if (!may(caller, needed))
    throw taskErrors.forbidden({ message: `Your role lacks the permission ${needed}` })
}
