import { Type } from "typebox"
import { deleteExpired } from "#core/database/delete-expired.ts"
import { defineJob } from "#core/jobs/define-job.ts"

/** The log has addresses of customers: it is kept for 180 days. */
export const removeOldMessages = defineJob({
  name: "customer-messages.remove-old",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "53 3 * * *",
  async handle({ sql, signal }) {
    await deleteExpired(sql, signal, { table: "customer_messages", column: "created_time", age: "180 days" })
  },
})
