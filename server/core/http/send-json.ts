import type { FastifyReply } from "fastify"

/** Sends JSON that is written already, such as by PostgreSQL; its writer keeps to the schema of the response. */
export function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return reply
    .type("application/json; charset=utf-8")
    .serializer((payload: unknown) => String(payload))
    .send(text)
}
