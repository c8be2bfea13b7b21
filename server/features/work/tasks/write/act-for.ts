import { type Caller, may } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { findWritten } from "../queries.ts"

/**
 * In whose name a task is finished. Somebody with edit/task can send what an assignee did (`doneFor`), such as the work
 * that waits on a shared phone; the history names both. Everybody else finishes in their own name.
 */
export async function actFor(
  tx: Tx,
  caller: Caller,
  taskId: string,
  { doneFor }: Readonly<Record<string, unknown>>,
): Promise<Caller> {
  if (typeof doneFor !== "string" || doneFor === caller.email || !may(caller, "edit/task")) return caller
  const [task] = await findWritten(tx, caller, [taskId])
  if (!task?.assignee.includes(doneFor)) return caller
  return { ...caller, email: doneFor, name: `${caller.name} for ${doneFor}` }
}
