import assert from "node:assert/strict"
import type { Person } from "#samples/builders.ts"
import { type TestApp, tokenOf } from "#testing/test-app.ts"

export interface Frame {
  id?: string
  type?: string
  content?: { n?: number; taskIds?: string[]; userId?: string; lat?: number }
}

/** An open stream as a browser has one: frames as they arrive, and the cursor of the last. */
export async function watch(server: TestApp, person: Person, after?: string, query = "") {
  const token = await tokenOf(server.sql, person)
  const abort = new AbortController()
  if (!server.app.server.listening) await server.app.listen({ port: 0 })
  const address = server.app.server.address()
  const port = typeof address === "object" && address ? address.port : 0
  const reply = await fetch(`http://127.0.0.1:${port}/api/v3/events${query}`, {
    signal: abort.signal,
    headers: { authorization: `Bearer ${token}`, ...(after ? { "last-event-id": after } : {}) },
  })
  assert.equal(reply.status, 200)
  const frames: Frame[] = []
  const state = { cursor: after ?? "" }
  let wake = () => {}
  const read = async () => {
    let text = ""
    for await (const chunk of reply.body ?? []) {
      text += new TextDecoder().decode(chunk)
      const blocks = text.split("\n\n")
      text = blocks.pop() ?? ""
      for (const block of blocks) {
        const cursor = /^id: (\S+)$/m.exec(block)?.[1]
        if (cursor) state.cursor = cursor
        const line = /^data: (.*)$/m.exec(block)?.[1]
        if (line && !block.includes("event: cursor")) frames.push(JSON.parse(line))
      }
      wake()
    }
  }
  const reading = read().catch(() => undefined)
  const until = async (enough: () => boolean) => {
    while (!enough()) await new Promise<void>((resolve) => (wake = resolve))
  }
  await until(() => state.cursor !== "")
  return {
    frames,
    state,
    until,
    /** When the server ends the stream. */
    ended: reading,
    close: () => {
      abort.abort()
      return reading
    },
  }
}
