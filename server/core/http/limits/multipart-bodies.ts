import type { FastifyReply, FastifyRequest } from "fastify"
import { AppError } from "../../errors.ts"
import { bodyBytes, bodyTooLarge, multipartKinds } from "./body-kinds.ts"
import { refuseUnread } from "./slow-clients.ts"

/**
 * Refuses a form where none is taken and one that announces too much, before any of it is parsed. What arrives
 * without a length is counted as it does, and ended at the same limit: parts that nobody reads count too.
 */
export function checkMultipart(request: FastifyRequest, reply: FastifyReply): void {
  const contentType = request.headers["content-type"]
  if (contentType === undefined || !/^\s*multipart\//i.test(contentType)) return
  const { body: kind, module = "sys" } = request.routeOptions.config
  if (kind === undefined || !multipartKinds.has(kind))
    throw new AppError(
      415,
      `${module}-003`,
      "This request does not accept a form. Send the body as application/json",
    )
  if (!/;\s*boundary=("[^"]{1,70}"|[^\s";]{1,70})/i.test(contentType))
    throw new AppError(400, `${module}-003`, "The Content-Type of the form has no boundary")
  const limit = bodyBytes(kind, request.server.settings)
  const length = request.headers["content-length"]
  if (length === undefined) endAt(limit, request, reply, bodyTooLarge(module, limit))
  else if (Number(length) > limit) throw bodyTooLarge(module, limit)
}

function endAt(limit: number, { raw }: FastifyRequest, reply: FastifyReply, refusal: AppError): void {
  let bytes = 0
  // Counts what the parser of the form reads, without reading by itself.
  raw.pause()
  raw.on("data", function count(chunk: Buffer) {
    bytes += chunk.length
    if (bytes <= limit) return
    raw.off("data", count)
    refuseUnread(raw, reply.raw, refusal)
  })
}
