import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { TestContext } from "node:test"

export interface RoundRobin {
  address: string
  /** The nodes that it hands requests to, when they say that they are ready. */
  use(addresses: readonly string[]): Promise<void>
}

const checkMilliseconds = 50

/**
 * A small load balancer, as an operator puts one before several nodes: it asks each for its readiness and hands
 * requests to the ready ones in turn. What could not be sent at all goes to the next; nothing is sent twice.
 */
export async function roundRobin(t: TestContext): Promise<RoundRobin> {
  let nodes: readonly string[] = []
  let ready: readonly string[] = []
  let turn = 0
  const check = async () => {
    const asked = nodes
    const responses = await Promise.all(
      asked.map((node) =>
        fetch(`${node}/health/ready`, { signal: AbortSignal.timeout(500) }).then(
          (reply) => reply.ok,
          () => false,
        ),
      ),
    )
    if (asked === nodes) ready = asked.filter((_node, place) => responses[place])
  }
  const timer = setInterval(() => void check(), checkMilliseconds)
  const server = createServer((request, reply) => {
    const [first = "", ...others] = [
      ...ready.slice(turn % ready.length),
      ...ready.slice(0, turn % ready.length),
    ]
    turn += 1
    pass(request, reply, first, others)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => {
    clearInterval(timer)
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    async use(addresses) {
      nodes = addresses
      await check()
    },
  }
}

function pass(
  request: IncomingMessage,
  reply: ServerResponse,
  node: string,
  others: readonly string[],
): void {
  const fail = () => {
    if (reply.headersSent) reply.destroy()
    else reply.writeHead(502).end()
  }
  if (node === "") {
    fail()
    return
  }
  const { hostname, port } = new URL(node)
  const onward = httpRequest(
    { hostname, port, method: request.method, path: request.url, headers: request.headers, agent: false },
    (response) => {
      reply.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(reply)
      response.on("error", fail)
    },
  )
  onward.on("error", (error) => {
    const [next, ...rest] = others
    if ((error as NodeJS.ErrnoException).code === "ECONNREFUSED" && next) pass(request, reply, next, rest)
    else fail()
  })
  onward.on("socket", (socket) => socket.once("connect", () => request.pipe(onward)))
}
