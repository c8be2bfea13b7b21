import { Type } from "typebox"
import { findCallerOfUser } from "#core/access/caller.ts"
import { inTransaction } from "#core/database/database.ts"
import { entryReader } from "#core/http/validation.ts"
import { isId } from "#core/ids.ts"
import { defineJob } from "#core/jobs/define-job.ts"
import { attempt } from "./bulk-response.ts"
import { createTasks } from "./create-tasks.ts"
import { TaskBody } from "./task-body.ts"

const readTask = entryReader(TaskBody, "task")

/**
 * Makes the tasks of a bulk that was accepted with `background`, with the rights that its sender has when
 * it runs. The receipt is written with the tasks, so that a job that is run again makes nothing twice.
 */
export const createInBackground = defineJob({
  name: "tasks.create-in-background",
  payload: Type.Object({
    organizationId: Type.String(),
    userId: Type.String(),
    receiptId: Type.String(),
    tasks: Type.Array(Type.Unknown()),
  }),
  maxAttempts: 5,
  timeoutSeconds: 300,
  isLong: true,
  async handle({ sql, clock, live, log }, { organizationId, userId, receiptId, tasks }) {
    const caller = await findCallerOfUser(sql, organizationId, userId)
    if (!caller || !isId(receiptId)) return
    const failed = await inTransaction(sql, async (tx) => {
      const fresh = await tx`
        insert into task_receipts (organization_id, id) values (${organizationId}, ${receiptId})
        on conflict do nothing returning id`
      if (fresh.length === 0) return 0
      const entries = tasks.map((entry) => attempt(entry, readTask))
      const bodies = entries.flatMap((entry) => ("read" in entry ? [entry.read] : []))
      const outcomes = await createTasks(tx, caller, bodies, { now: clock.now(), live })
      return entries.length - bodies.length + outcomes.filter((outcome) => "refusal" in outcome).length
    })
    if (failed > 0)
      log.warn(
        { organizationId, taskCount: tasks.length, failed },
        "some tasks of a background bulk were refused",
      )
  },
})
