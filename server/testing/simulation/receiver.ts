import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

interface Call {
  /** The same for every attempt of one delivery. */
  messageId: string
  event: string
  referenceId: string
}

/** What an integrator runs behind a webhook. While it is away it takes nothing; a lost response is a call that it took. */
export interface Receiver {
  url: string
  calls: Call[]
  mood: "well" | "away" | "forgetful"
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, reply) => {
    if (receiver.mood === "away") return reply.writeHead(503).end()
    const body = await text(request)
    receiver.calls.push({
      messageId: String(request.headers["webhook-id"] ?? ""),
      event: String(request.headers["x-automation-event"] ?? ""),
      referenceId: /"_id":"([0-9a-f]{24})"/.exec(body)?.[1] ?? "",
    })
    if (receiver.mood === "forgetful") return request.socket.destroy()
    return reply.end("{}")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/`,
    calls: [],
    mood: "well",
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return receiver
}
