/** The states of a task and where each may go. DONE is the end. */
export const taskMoves = {
  UNASSIGNED: ["ONGOING"],
  ONGOING: ["UNASSIGNED", "DONE"],
  DONE: [],
} as const satisfies Record<string, readonly string[]>

export type TaskStatus = keyof typeof taskMoves

export const taskStatuses = Object.keys(taskMoves) as TaskStatus[]

export function isTaskStatus(word: string): word is TaskStatus {
  return word in taskMoves
}

/** The status that follows from who is assigned, for a task that is not done. */
export function openStatus(assignee: readonly string[]): TaskStatus {
  return assignee.length > 0 ? "ONGOING" : "UNASSIGNED"
}
