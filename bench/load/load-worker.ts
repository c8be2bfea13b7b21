import { connect, type Socket } from "node:net"
import { parentPort, workerData } from "node:worker_threads"

/** What the thread is asked to send. */
export interface LoadOrder {
  address: string
  paths: readonly string[]
  method: string
  headers: Record<string, string>
  body: string | undefined
  /** Bodies that take turns, instead of one; so do the paths. */
  bodies: readonly string[] | undefined
  requests: number
  connections: number
  warmUp: number
}

export interface LoadOutcome {
  seconds: number
  refused: number
  /** The first response that was not 2xx. */
  refusal: string
  milliseconds: Float64Array
}

const headEnd = Buffer.from("\r\n\r\n")

/**
 * Sends requests over keep-alive sockets and reads the responses by their Content-Length. Written on bare
 * sockets, because an HTTP client costs more per request than the server that it is meant to measure.
 */
async function run(order: LoadOrder): Promise<LoadOutcome> {
  const { hostname, port } = new URL(order.address)
  const { paths, bodies = [order.body] } = order
  const requests = Array.from({ length: Math.max(paths.length, bodies.length) }, (_unused, index) =>
    bytesOf({ ...order, body: bodies[index % bodies.length] }, paths[index % paths.length] ?? "/"),
  )
  const sockets = await Promise.all(
    Array.from({ length: order.connections }, () => opened(hostname, Number(port))),
  )
  await send(order.warmUp, requests, sockets)
  const started = performance.now()
  const { milliseconds, refused, refusal } = await send(order.requests, requests, sockets)
  const seconds = (performance.now() - started) / 1000
  for (const socket of sockets) socket.destroy()
  return { seconds, refused, refusal, milliseconds }
}

function bytesOf(order: LoadOrder, path: string): Buffer {
  const body = order.body ?? ""
  const lines = [
    `${order.method} ${path} HTTP/1.1`,
    `host: ${new URL(order.address).host}`,
    ...Object.entries(order.headers).map(([name, value]) => `${name}: ${value}`),
    ...(order.body === undefined
      ? []
      : ["content-type: application/json", `content-length: ${Buffer.byteLength(body)}`]),
  ]
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`)
}

function opened(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket))
    socket.once("error", reject)
  })
}

async function send(count: number, requests: readonly Buffer[], sockets: readonly Socket[]) {
  const milliseconds = new Float64Array(count)
  let next = 0
  let refused = 0
  let refusal = ""
  const serve = async (socket: Socket) => {
    while (next < count) {
      const number = next
      next += 1
      const started = performance.now()
      const { status, text } = await ask(socket, requests[number % requests.length] ?? Buffer.alloc(0))
      milliseconds[number] = performance.now() - started
      if (status >= 200 && status <= 299) continue
      refused += 1
      refusal ||= text.toString().slice(0, 2_000)
    }
  }
  await Promise.all(sockets.map(serve))
  return { milliseconds, refused, refusal }
}

/** Sends one request and reads its whole response. */
function ask(socket: Socket, request: Buffer): Promise<{ status: number; text: Buffer }> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0)
    let wanted = -1
    const onData = (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      if (wanted < 0) {
        const end = received.indexOf(headEnd)
        if (end < 0) return
        wanted = end + 4 + contentLength(received.toString("latin1", 0, end))
      }
      if (received.length < wanted) return
      socket.off("data", onData).off("error", onEnd).off("close", onEnd)
      resolve({ status: Number(received.toString("latin1", 9, 12)), text: received })
    }
    const onEnd = (error?: unknown) =>
      reject(error instanceof Error ? error : new Error("the server closed a connection"))
    socket.on("data", onData).on("error", onEnd).on("close", onEnd)
    socket.write(request)
  })
}

function contentLength(head: string): number {
  const match = /\r\ncontent-length: (\d+)/i.exec(head)
  if (!match) throw new Error(`a response without a length: ${head.slice(0, 60)}`)
  return Number(match[1])
}

// A thread of the process that is measured, or a process of its own, whose work does not count.
if (parentPort) parentPort.postMessage(await run(workerData as LoadOrder))
else
  process.once("message", async (order: LoadOrder) => {
    process.send?.(await run(order))
    process.disconnect?.()
  })
