import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { after } from "node:test"
import { SMTPServer } from "smtp-server"
import type { Counted, Faults } from "./faults.ts"

const everyBlow = ["before", "after", "error", "away", "timeout"] as const

export interface StepServer extends Counted {
  url: string
}

export interface Received {
  path: string
  headers: IncomingMessage["headers"]
  body: string
}

/** A receiver of HTTP calls any of which can be cut before or after it was taken, return 500, or stay without response. */
export async function stepHttpServer(faults: Faults): Promise<StepServer & { received: Received[] }> {
  const received: Received[] = []
  const server = createServer(async (request, reply) => {
    const blow = faults.step("http", `${request.method} ${request.url}`)
    if (blow === "before" || blow === "away") return request.socket.destroy()
    const body = await text(request)
    if (blow === "error") return reply.writeHead(500).end()
    // A caller who gave up does not know whether the call arrived: here it did.
    received.push({ path: request.url ?? "", headers: request.headers, body })
    if (blow === "timeout") return undefined
    return blow === "after" ? request.socket.destroy() : reply.writeHead(200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    kind: "http",
    blows: () => everyBlow,
    isDecisive: () => true,
    url: `http://127.0.0.1:${port}`,
    received,
  }
}

/** A mail server: a step is the whole mail, which can be refused, cut off, or taken without a response. */
export async function stepMailServer(faults: Faults): Promise<StepServer & { received: string[] }> {
  const received: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, taken) {
      void text(stream).then((mail) => {
        const blow = faults.step("mail", "mail")
        const isTaken = blow === undefined || blow === "after" || blow === "timeout"
        if (isTaken) received.push(mail)
        if (blow === "error") return taken(Object.assign(new Error("try again"), { responseCode: 451 }))
        if (blow === undefined) return taken()
        if (blow === "timeout") return undefined
        for (const connection of server.connections)
          if ((connection as { session?: { id: string } }).session?.id === session.id)
            (connection as { _socket?: { destroy(): void } })._socket?.destroy()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  after(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return {
    kind: "mail",
    blows: () => ["before", "after", "error", "timeout"],
    isDecisive: () => true,
    url: `smtp://127.0.0.1:${port}?from=ops@couriers.example`,
    received,
  }
}
