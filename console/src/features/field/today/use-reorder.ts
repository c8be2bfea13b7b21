import { useSession } from "../../../session/session.ts"
import type { Task } from "../../work/tasks/tasks.queries.ts"
import { useField } from "../field-context.ts"
import { keepEntry } from "../kept/field-other.ts"
import { moved } from "./order.ts"

/** Moves a stop to another place of its day; kept on the phone and sent like everything else. */
export function useReorder(): (tasks: readonly Task[], from: number, to: number) => Promise<void> {
  const { user } = useSession()
  const { store, refresh, send, setNotKept } = useField()
  return async (tasks, from, to) => {
    const titles = new Map(tasks.map((task) => [task._id, task.title ?? task.flow]))
    try {
      for (const [taskId, orderIndex] of moved(tasks, from, to))
        await keepEntry(store, {
          kind: "progress",
          taskId,
          title: titles.get(taskId) ?? "",
          by: user.email,
          more: { orderIndex },
        })
    } catch {
      setNotKept(true)
    }
    await refresh()
    void send()
  }
}
