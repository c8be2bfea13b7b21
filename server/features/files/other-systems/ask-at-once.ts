import { setTimeout } from "node:timers/promises"
import { ReadingError } from "./problem.ts"
import { type Ask, exchange, parseResponse } from "./reader.ts"

const maxRequests = 1_000
const totalMilliseconds = 90_000
const maxWaitMilliseconds = 5_000

/** For a list that somebody waits for: asks as far as time and number allow, and stores nothing. */
export function askAtOnce(address: string, allow: readonly string[], signal: AbortSignal): Ask {
  const ends = Date.now() + totalMilliseconds
  let count = 0
  return async function ask(path, question = {}) {
    for (;;) {
      const left = ends - Date.now()
      if (++count > maxRequests || left <= 0)
        throw new ReadingError("too-long", "Reading takes too long. Choose a shorter range of dates")
      const reply = await exchange(address, path, question, { allow, signal, milliseconds: left })
      if (reply.kind === "failed") throw reply.error
      if (reply.kind === "response") return parseResponse(reply.body)
      await setTimeout(Math.min(maxWaitMilliseconds, reply.waitMilliseconds), undefined, { signal })
    }
  }
}
