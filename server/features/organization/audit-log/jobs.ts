import { Type } from "typebox"
import { rowsPerSealing, sealAuditTrail } from "#core/audit-trail/chain.ts"
import { removeOldEntries } from "#core/audit-trail/retention.ts"
import { removeUndoColumnsBefore } from "#core/audit-trail/undo-rows.ts"
import { defineJob, type Job, send } from "#core/jobs/define-job.ts"
import { undoMinutes } from "./undo.ts"

const Nothing = Type.Object({})

/** Seals what was committed; a second later it runs again. */
const seal = defineJob({
  name: "audit-log.seal",
  payload: Nothing,
  maxAttempts: 5,
  timeoutSeconds: 120,
  async handle({ sql, signal }) {
    await send(sql, seal, {}, { key: "audit-log.seal", runAt: Temporal.Now.instant().add({ seconds: 1 }) })
    while (!signal.aborted && (await sealAuditTrail(sql)) >= rowsPerSealing);
  },
})

/** Starts the sealing again where it has ended, and is its clock where workers stop between. */
const keepSealing = defineJob({
  name: "audit-log.keep-sealing",
  payload: Nothing,
  maxAttempts: 1,
  timeoutSeconds: 30,
  cron: "* * * * *",
  async handle({ sql }) {
    await send(sql, seal, {}, { key: "audit-log.seal" })
  },
})

const removeOld = defineJob({
  name: "audit-log.remove-old",
  payload: Nothing,
  maxAttempts: 3,
  timeoutSeconds: 600,
  cron: "37 * * * *",
  handle: ({ sql, clock, signal }) => removeOldEntries(sql, clock.now(), signal),
})

/** Secrets among them are not kept longer than undo needs them. */
const removeUndoColumns = defineJob({
  name: "audit-log.remove-undo-columns",
  payload: Nothing,
  maxAttempts: 3,
  timeoutSeconds: 60,
  cron: "*/2 * * * *",
  async handle({ sql, clock }) {
    await removeUndoColumnsBefore(sql, clock.now().subtract({ minutes: undoMinutes }))
  },
})

export const auditLogJobs: readonly Job[] = [seal, keepSealing, removeOld, removeUndoColumns]
