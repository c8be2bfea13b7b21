/** How urgent a task is, from the least to the most. A task without a priority is like a normal one. */
export const taskPriorities = ["low", "normal", "high", "urgent"] as const
export type TaskPriority = (typeof taskPriorities)[number]

export function isTaskPriority(value: unknown): value is TaskPriority {
  return (taskPriorities as readonly unknown[]).includes(value)
}
