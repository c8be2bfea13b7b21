import { unstorablePart } from "#core/database/storable-json.ts"
import { AppError } from "#core/errors.ts"
import { taskErrors } from "../errors.ts"
import type { Changed } from "./change-tasks.ts"

/** The most tasks of one call. */
export const maxTasks = 2000

export interface BulkEntry {
  status: boolean
  message: string
  /** Of an upsert. */
  event?: "create" | "update"
  _id?: string
  refId?: string
  failedCode?: string
  warnings?: string[]
}

export function checkSize(entries: readonly unknown[]): void {
  if (entries.length > maxTasks)
    throw taskErrors.tooMany({
      message: `Send at most ${maxTasks} tasks per request; this request has ${entries.length}`,
    })
}

/** Reads one entry; a refusal of its shape, or of text that cannot be stored, is that entry's own. */
export function attempt<T>(entry: unknown, read: (entry: unknown) => T): { read: T } | { refusal: AppError } {
  try {
    refuseUnstorable(entry)
    return { read: read(entry) }
  } catch (error) {
    if (error instanceof AppError) return { refusal: error }
    throw error
  }
}

function refuseUnstorable(entry: unknown): void {
  const reason = unstorablePart(entry)
  if (reason === undefined) return
  const fields = typeof entry === "object" && entry !== null ? Object.entries(entry) : []
  const field = fields.find(([, value]) => unstorablePart(value) !== undefined)?.[0] ?? "The task"
  throw taskErrors.invalid({ message: `${field} ${reason}`, fields: { [field]: [reason] } })
}

/** Entries as a job can carry them: those that could not be stored are refused when it reads nothing of them. */
export function storableEntries(entries: readonly unknown[]): unknown[] {
  return entries.map((entry) => (unstorablePart(entry) === undefined ? entry : null))
}

export function changedEntry(outcome: Changed | { refusal: AppError } | undefined, sent: unknown): BulkEntry {
  if (outcome && "task" in outcome)
    return { status: true, message: "Success", _id: outcome.task.id, ...warningsOf(outcome) }
  const id = (sent as { _id?: unknown } | null)?._id
  return { ...refused(outcome?.refusal), ...(typeof id === "string" ? { _id: id } : {}) }
}

/** What was left out of the item, as its key in the response; nothing when all of it was taken. */
export function warningsOf({ warnings }: { warnings: string[] }): { warnings?: string[] } {
  return warnings.length > 0 ? { warnings } : {}
}

export function refused(refusal: AppError | undefined): BulkEntry {
  const { message, failedCode } = refusal ?? taskErrors.invalid()
  return { status: false, message, failedCode }
}

export function bulkResponse(tasks: BulkEntry[]) {
  const success = tasks.filter((entry) => entry.status).length
  return { success, failed: tasks.length - success, tasks }
}
