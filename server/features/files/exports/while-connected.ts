import type { FastifyReply } from "fastify"
import { taskExportErrors } from "./errors.ts"

/** Ends the work when the client leaves before the response: a refusal, for somebody who leaves is no fault to log. */
export function whileConnected(reply: Pick<FastifyReply, "raw">): AbortSignal {
  const left = new AbortController()
  reply.raw.once("close", () => {
    if (!reply.raw.writableEnded)
      left.abort(taskExportErrors.badExport({ message: "The client left before the export was made" }))
  })
  return left.signal
}
