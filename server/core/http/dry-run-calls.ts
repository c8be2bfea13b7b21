import type { RouteOptions } from "fastify"
import { withRollback } from "../database/database.ts"
import { refuseInDryRun, runDry } from "../dry-run.ts"
import { AppError } from "../errors.ts"
import type { App } from "./types.ts"

/** A call with this header responds as usual, and everything that it wrote is rolled back. */
export const dryRunHeader = "x-dry-run"

/**
 * Wraps every writing operation of signed-in callers. Whether one supports a dry run shows when it runs: the pool, the
 * object store and outgoing connections refuse to be used in it, so a response always means that nothing remains.
 */
export function installDryRun(app: App): void {
  app.addHook("onRoute", (route: RouteOptions) => {
    const isWriting = [route.method].flat().some((method) => method !== "GET" && method !== "HEAD")
    if (!isWriting || route.config?.public) return
    const { handler } = route
    route.handler = async function (request, reply) {
      const value = request.headers[dryRunHeader]
      if (value === undefined) return handler.call(this, request, reply)
      if (value !== "true") throw new AppError(400, "sys-003", "X-Dry-Run must be true or absent")
      // A form is read while it arrives, into the object store.
      if (request.isMultipart()) runDry(refuseInDryRun)
      reply.header(dryRunHeader, "true")
      return withRollback(request.sql, async (tx) => {
        request.transaction = tx
        try {
          const body: unknown = await runDry(async () => handler.call(this, request, reply))
          // What a commit would check.
          await tx`set constraints all immediate`
          return body
        } finally {
          request.transaction = undefined
        }
      })
    }
  })
}
