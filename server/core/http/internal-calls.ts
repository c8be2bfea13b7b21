import { randomUUID } from "node:crypto"
import type { FastifyRequest } from "fastify"
import type { Caller } from "../access/caller.ts"
import type { Origin } from "../audit-trail/origin.ts"
import type { Tx } from "../database/database.ts"
import type { App } from "./types.ts"

/** A call of a route by an operation, in the transaction of that operation and with the rights of its caller. */
export interface InternalCall {
  caller: Caller
  tx: Tx
  address: string
  origin: Origin | undefined
}

export interface InternalReply {
  statusCode: number
  body: unknown
}

const header = "x-fieldway-internal"

/** The call that a request is; undefined for those that come from outside. */
export function internalCallOf(request: FastifyRequest): InternalCall | undefined {
  const key = request.headers[header]
  return typeof key === "string" ? request.server.internalCalls.get(key) : undefined
}

/**
 * Calls a route of the API as its clients do, with the same checks of permission, shape and state. It counts towards no
 * limit and waits for no slot: the outer request did. Roll back what a refused call may have written.
 */
export async function callRoute(
  app: App,
  call: InternalCall,
  { method, path, body }: { method: "POST" | "PUT" | "PATCH" | "DELETE"; path: string; body?: object },
): Promise<InternalReply> {
  const key = randomUUID()
  app.internalCalls.set(key, call)
  try {
    const reply = await app.inject({
      method,
      url: `/api/v3${path}`,
      headers: { [header]: key },
      remoteAddress: call.address,
      ...(body && { payload: body }),
    })
    return { statusCode: reply.statusCode, body: reply.body === "" ? undefined : reply.json() }
  } finally {
    app.internalCalls.delete(key)
  }
}
