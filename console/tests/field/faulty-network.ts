import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"

/**
 * `cut`: no call of the API gets through. `loses responses`: the server does the work, and its response is lost.
 * `is busy`: a write is refused for now. `sends twice`: a write arrives two times, and the response is that of the second.
 */
export type Network = "works" | "cut" | "loses responses" | "is busy" | "sends twice"

export const networkFaults = [
  "cut",
  "cut",
  "loses responses",
  "loses responses",
  "is busy",
  "sends twice",
] as const

/** The way from a phone to the server. Only calls of the API meet its faults; signing in and out does not. */
export interface FaultyNetwork {
  address: string
  state: Network
  close(): Promise<void>
}

export async function openFaultyNetwork(server: string): Promise<FaultyNetwork> {
  const { hostname, port } = new URL(server)
  const agent = new Agent({ keepAlive: true })
  const calls = new Set<ServerResponse>()
  let state: Network = "works"

  const forward = ({ method, url, headers }: IncomingMessage, body: Buffer): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const onward = httpRequest({ hostname, port, method, path: url, headers, agent }, resolve)
      onward.on("error", reject)
      onward.end(body)
    })

  const pass = async (request: IncomingMessage, reply: ServerResponse) => {
    const { method, url = "" } = request
    const meetsFaults = url.startsWith("/api/v3/") && !/\/log(in|out)\b/.test(url)
    const body = await buffer(request)
    const fault = meetsFaults ? state : "works"
    if (fault === "cut") return reply.destroy()
    if (meetsFaults) calls.add(reply)
    reply.on("close", () => calls.delete(reply))
    const isWrite = method !== "GET"
    if (isWrite && fault === "is busy") {
      reply.writeHead(503, { "content-type": "application/json" }).end(JSON.stringify({ message: "Busy" }))
      return
    }
    let response = await forward(request, body)
    if (isWrite && fault === "loses responses") {
      await buffer(response)
      return reply.destroy()
    }
    if (isWrite && fault === "sends twice") {
      await buffer(response)
      response = await forward(request, body)
    }
    reply.on("close", () => response.destroy())
    reply.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(reply)
  }

  const proxy = createServer((request, reply) => {
    pass(request, reply).catch(() => reply.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  return {
    address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    get state() {
      return state
    },
    set state(next) {
      state = next
      // What is on its way does not arrive either.
      if (next === "cut") for (const reply of calls) reply.destroy()
    },
    async close() {
      proxy.closeAllConnections()
      await new Promise<void>((resolve) => proxy.close(() => resolve()))
      agent.destroy()
    },
  }
}
