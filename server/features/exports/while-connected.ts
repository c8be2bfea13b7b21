import type { FastifyReply } from "fastify"

/** Ends the work when the client leaves before the answer. */
export function whileConnected(reply: FastifyReply): AbortSignal {
  const left = new AbortController()
  reply.raw.once("close", () => {
    if (!reply.raw.writableEnded) left.abort(new Error("the client left"))
  })
  return left.signal
}
