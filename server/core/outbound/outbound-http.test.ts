import assert from "node:assert/strict"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type TestContext, test } from "node:test"
import fc from "fast-check"
import { downloadOutbound } from "./outbound-file.ts"
import { OutboundError, type OutboundRequest, sendOutbound } from "./outbound-http.ts"
import { isPrivateAddress, parseAllowList } from "./outbound-targets.ts"

async function aServer(t: TestContext, handler: (request: IncomingMessage, reply: ServerResponse) => void) {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => server.closeAllConnections())
  t.after(() => server.close())
  return (server.address() as { port: number }).port
}

const request = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  timeoutMilliseconds: 10_000,
  maxBytes: 1000,
  ...more,
})

async function failureOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => assert.fail("the call went through"),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof OutboundError, String(error))
  return error.failure
}

test("addresses that are not of the public internet are known as such", () => {
  const privateOnes = [
    "127.0.0.1",
    "10.1.2.3",
    "172.31.255.255",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fd00::1",
    "::ffff:8.8.8.8",
    "::ffff:127.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "localhost",
    "",
  ]
  for (const address of privateOnes) assert.equal(isPrivateAddress(address), true, address)
  for (const address of ["8.8.8.8", "172.32.0.1", "192.169.0.1", "2606:4700::1111", "2a00:1450::1"])
    assert.equal(isPrivateAddress(address), false, address)
})

test("every address of a private network is private, whatever its last parts", () => {
  const part = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(part, part, part, (b, c, d) => {
      assert.equal(isPrivateAddress(`10.${b}.${c}.${d}`), true)
      assert.equal(isPrivateAddress(`127.${b}.${c}.${d}`), true)
      assert.equal(isPrivateAddress(`192.168.${c}.${d}`), true)
      assert.equal(isPrivateAddress(`172.${16 + (b % 16)}.${c}.${d}`), true)
    }),
  )
})

test("what the operator allows is a host, a host with a port, an address or a network", () => {
  const list = parseAllowList(["Intranet.test", "hooks.test:8443", "10.0.0.0/8", "fd00::/8", "nonsense/99"])
  assert.equal(list.hasHost("intranet.test", "80"), true)
  assert.equal(list.hasHost("hooks.test", "8443"), true)
  assert.equal(list.hasHost("hooks.test", "443"), false)
  assert.equal(list.hasAddress("10.9.9.9"), true)
  assert.equal(list.hasAddress("11.0.0.1"), false)
  assert.equal(list.hasAddress("fd00::5"), true)
})

test("a private target is refused by address, by name and by other spellings, unless it is allowed", async (t) => {
  let calls = 0
  const port = await aServer(t, (_request, reply) => {
    calls++
    reply.end("hello")
  })
  for (const host of [
    "127.0.0.1",
    "localhost",
    "2130706433",
    "0x7f.1",
    "127.1",
    "[::ffff:127.0.0.1]",
    "[::1]",
  ])
    assert.equal(await failureOf(sendOutbound(request(`http://${host}:${port}/`), [])), "target", host)
  const download = {
    url: `http://127.0.0.1:${port}/`,
    path: "/dev/null",
    maxBytes: 10,
    timeoutMilliseconds: 9_000,
  }
  await assert.rejects(downloadOutbound(download, []), /private address.* WEBHOOK_ALLOW/)
  assert.equal(calls, 0)
  for (const allow of ["127.0.0.1", `127.0.0.1:${port}`, "127.0.0.0/8"]) {
    const response = await sendOutbound(request(`http://127.0.0.1:${port}/`), [allow])
    assert.equal(response.body.toString(), "hello")
  }
  const named = await sendOutbound(request(`http://localhost:${port}/`), ["localhost"])
  assert.equal(named.statusCode, 200)
  assert.equal(await failureOf(sendOutbound(request("file:///etc/passwd"), [])), "target")
  assert.equal(await failureOf(sendOutbound(request("no url"), [])), "target")
})

test("method, headers and body arrive, and a redirect comes back as it is", async (t) => {
  const port = await aServer(t, (incoming, reply) => {
    incoming.setEncoding("utf8")
    let body = ""
    incoming.on("data", (part) => {
      body += part
    })
    incoming.on("end", () => {
      const { method, headers } = incoming
      reply.writeHead(307, { location: "http://127.0.0.1/secret" })
      reply.end(JSON.stringify({ method, body, mark: headers["x-mark"], length: headers["content-length"] }))
    })
  })
  const sent = { method: "POST" as const, headers: { "x-mark": "1" }, body: "héllo" }
  const response = await sendOutbound(request(`http://127.0.0.1:${port}/`, sent), ["127.0.0.1"])
  assert.equal(response.statusCode, 307)
  assert.deepEqual(JSON.parse(response.body.toString()), {
    method: "POST",
    body: "héllo",
    mark: "1",
    length: "6",
  })
})

test("a response that is too large or never ends is aborted", async (t) => {
  const port = await aServer(t, (incoming, reply) => {
    if (incoming.url === "/large") reply.end("x".repeat(1001))
    else reply.write("x")
  })
  const allow = ["127.0.0.1"]
  assert.equal(await failureOf(sendOutbound(request(`http://127.0.0.1:${port}/large`), allow)), "size")
  const short = request(`http://127.0.0.1:${port}/slow`, { timeoutMilliseconds: 50 })
  assert.equal(await failureOf(sendOutbound(short, allow)), "time")
})

test("a target that does not respond fails with a readable reason", async (t) => {
  const port = await aServer(t, (_request, reply) => reply.destroy())
  assert.equal(await failureOf(sendOutbound(request(`http://127.0.0.1:${port}/`), ["127.0.0.1"])), "failed")
})

test("a kept connection that was closed meanwhile costs nothing: the request goes over a new one", async (t) => {
  let calls = 0
  const port = await aServer(t, (incoming, reply) => {
    calls += 1
    // The second request of a connection is the last.
    if (incoming.socket.bytesWritten > 0) incoming.socket.destroy()
    else reply.end(incoming.url)
  })
  const allow = ["127.0.0.1"]
  for (const path of ["/1", "/2", "/3"]) {
    const response = await sendOutbound(request(`http://127.0.0.1:${port}${path}`, { method: "POST" }), allow)
    assert.equal(response.body.toString(), path)
  }
  assert.equal(calls, 4)
})
