import assert from "node:assert/strict"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { after, test } from "node:test"
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises"
import { anOrganization } from "#samples/builders.ts"
import { type TestApp, testApp, tokenOf } from "#testing/test-app.ts"

const environment = {
  HEADERS_TIMEOUT_SECONDS: "1",
  BODY_TIMEOUT_SECONDS: "1",
  UPLOAD_MIN_BYTES_PER_SECOND: "20",
  MAX_CONNECTIONS: "30",
  IMPORT_MAX_BYTES: String(16 * 1024 ** 2),
}

let listening: Promise<{ server: TestApp; port: number }> | undefined
const open = new Set<Socket>()
after(() => {
  for (const socket of open) socket.destroy()
})

function start() {
  listening ??= (async () => {
    const server = await testApp(undefined, environment)
    await server.app.listen({ host: "127.0.0.1", port: 0 })
    const address = server.app.server.address()
    assert.ok(typeof address === "object" && address)
    return { server, port: address.port }
  })()
  return listening
}

/** A connection, what came back on it, and how long it lived. */
async function dial(port: number, text: string) {
  const socket = connect(port, "127.0.0.1")
  open.add(socket)
  let received = ""
  socket.on("data", (chunk) => {
    received += chunk.toString()
  })
  socket.on("error", () => undefined)
  const startedAt = performance.now()
  const ended = once(socket, "close").then(() => ({ received, milliseconds: performance.now() - startedAt }))
  await once(socket, "connect")
  socket.write(text)
  return { socket, ended }
}

/** Sends a piece again and again until the connection is closed. */
async function trickle(socket: Socket, piece: string, everyMilliseconds: number): Promise<void> {
  while (!socket.destroyed && socket.writable) {
    socket.write(piece)
    await pause(everyMilliseconds)
  }
}

test("headers and bodies that do not come end their connection", async () => {
  const { port } = await start()
  const slow = [
    ["", "x"],
    ["GET /health/live HTTP/1.1\r\nhost: a\r\n", "x"],
    [
      "POST /api/v3/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{",
      " ",
    ],
    ["POST /nothing HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n", "1\r\nx\r\n"],
  ] as const
  const dialled = await Promise.all(slow.map(([head]) => dial(port, head)))
  for (const [index, { socket }] of dialled.entries()) void trickle(socket, slow[index]?.[1] ?? "", 300)
  const ended = await Promise.all(dialled.map((one) => one.ended))
  for (const { milliseconds, received } of ended)
    assert.ok(milliseconds < 8000, `${milliseconds} ms ${received}`)
  assert.match(ended[2]?.received ?? "", /^HTTP\/1.1 408 [\s\S]*"failedCode":"sys-048"/)
})

test("what is no HTTP, and headers without end, are refused in the envelope of every error", async () => {
  const { port } = await start()
  const endless = `GET /health/live HTTP/1.1\r\nhost: a\r\ncookie: ${"x".repeat(20_000)}\r\n\r\n`
  const ended = await Promise.all(["nonsense\r\n\r\n", endless].map((text) => dial(port, text)))
  const [nonsense, large] = await Promise.all(ended.map((one) => one.ended))
  assert.match(nonsense?.received ?? "", /^HTTP\/1.1 400 [\s\S]*"status":false[\s\S]*"failedCode":"sys-003"/)
  assert.match(large?.received ?? "", /^HTTP\/1.1 431 [\s\S]*"failedCode":"sys-040"/)
})

test("a slow but steady upload arrives, one that stalls ends", async () => {
  const { server, port } = await start()
  const { owner } = await anOrganization(server.sql)
  const token = await tokenOf(server.sql, owner)
  const part =
    '--b\r\ncontent-disposition: form-data; name="type"\r\n\r\nnone\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
  const head = (length: number) =>
    `POST /api/v3/data/import HTTP/1.1\r\nhost: a\r\nconnection: close\r\nauthorization: Bearer ${token}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: ${length}\r\n\r\n`
  const body = `${part}Name\r\n${"Task\r\n".repeat(400)}\r\n--b--\r\n`
  const [steady, stalled] = await Promise.all([dial(port, head(body.length)), dial(port, head(5_000_000))])
  void trickle(stalled.socket, "x", 200)
  // Three times as long as the body of a small request may take.
  for (let sent = 0; sent < body.length; sent += 90) {
    steady.socket.write(body.slice(sent, sent + 90))
    await pause(100)
  }
  const [answered, cut] = await Promise.all([steady.ended, stalled.ended])
  assert.match(answered.received, /^HTTP\/1.1 [24]\d\d /)
  assert.doesNotMatch(answered.received, /sys-048/)
  assert.match(cut.received, /sys-048/)
})

test("connections beyond the limit are closed as they come", async () => {
  const { port } = await start()
  const dialled = await Promise.all(Array.from({ length: 40 }, () => dial(port, "")))
  await Promise.race(dialled.map((one) => one.ended))
  for (const { socket } of dialled) socket.destroy()
})

test("a form without a length ends at the limit of its route, whatever its bytes are", async () => {
  const { server, port } = await start()
  const token = await tokenOf(server.sql, (await anOrganization(server.sql)).owner)
  const head = [
    "POST /api/v3/data/import HTTP/1.1",
    ...["host: a", `authorization: Bearer ${token}`, "transfer-encoding: chunked"],
    "content-type: multipart/form-data; boundary=b",
  ].join("\r\n")
  const { socket, ended } = await dial(port, `${head}\r\n\r\n`)
  const response = once(socket, "data")
  // Before the first boundary, where no limit of a part applies.
  const piece = "x".repeat(64 * 1024)
  let sent = 0
  let isAnswered = false
  void response.then(() => {
    isAnswered = true
  })
  while (!isAnswered && socket.writable && sent < 80 * 1024 ** 2) {
    sent += piece.length
    if (!socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`))
      await Promise.race([once(socket, "drain"), response])
    await nextTurn()
  }
  assert.match(String(await response), /^HTTP\/1.1 413 [\s\S]*"failedCode":"import-002"/)
  assert.ok(sent < 40 * 1024 ** 2, `${sent} bytes were sent`)
  await ended.catch(() => undefined)
})
