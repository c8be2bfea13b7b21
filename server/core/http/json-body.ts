import type { FastifyRequest } from "fastify"
import { AppError } from "../errors.ts"

type Done = (error: Error | null, body?: unknown) => void

/** Reads a JSON body. An empty one is none; keys that would reach a prototype are refused. */
export function readJsonBody(request: FastifyRequest, body: Buffer, done: Done): void {
  if (body.length === 0) {
    done(null, undefined)
    return
  }
  const text = body.toString("utf8")
  try {
    if (isDeeperThan(body, maxDepth)) throw new SyntaxError(`nested deeper than ${maxDepth} levels`)
    const parsed: unknown = JSON.parse(text)
    if (/"(__proto__|constructor)"\s*:/.test(text) && hasPrototypeKey(parsed))
      throw new SyntaxError("forbidden key")
    done(null, parsed)
  } catch (cause) {
    const module = request.routeOptions.config.module ?? "sys"
    done(
      new AppError(400, `${module}-013`, `The body is not valid JSON: ${(cause as Error).message}`, {
        cause,
      }),
    )
  }
}

/** Deeper bodies mean nothing here and would exhaust the stack of whoever writes them again. */
const maxDepth = 100

const [quote, backslash] = [0x22, 0x5c]

/** Looks at the bytes alone: brackets outside of strings. UTF-8 has none of these bytes inside a character. */
function isDeeperThan(body: Buffer, limit: number): boolean {
  let depth = 0
  let isInText = false
  for (let index = 0; index < body.length; index++) {
    const byte = body[index]
    if (isInText) {
      if (byte === backslash) index++
      else if (byte === quote) isInText = false
    } else if (byte === quote) isInText = true
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > limit) return true
    } else if (byte === 0x7d || byte === 0x5d) depth--
  }
  return false
}

function hasPrototypeKey(value: unknown): boolean {
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== "object" || next === null) continue
    if (Object.hasOwn(next, "__proto__")) return true
    if (
      Object.hasOwn(next, "constructor") &&
      typeof (next as { constructor: unknown }).constructor === "object"
    )
      return true
    open.push(...Object.values(next))
  }
  return false
}
