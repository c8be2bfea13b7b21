import assert from "node:assert/strict"
import { Agent, request } from "node:http"
import { test } from "node:test"
import { createTestDatabase } from "#testing/test-database.ts"
import { signIn, startProcess, temporaryFolder } from "#testing/test-process.ts"

test("clients that keep connections open lose no request while a node stops", async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const node = await startProcess(t, {
    DATABASE_URL: database.url,
    DATA_DIR: await temporaryFolder(t),
    DRAIN_SECONDS: "1",
  })
  const token = await signIn(node.address)
  const agent = new Agent({ keepAlive: true, maxSockets: 6 })
  t.after(() => agent.destroy())
  const outcomes = { answered: 0, closing: 0, lost: [] as string[] }

  /** One write; resolves to false when nobody listens any more, so that a balancer would use another node. */
  const write = (name: string) =>
    new Promise<boolean>((resolve) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
      const call = request(`${node.address}/api/v3/org-data`, { method: "POST", agent, headers }, (reply) => {
        outcomes.answered += 1
        if (reply.headers.connection === "close") outcomes.closing += 1
        if ((reply.statusCode ?? 500) >= 500) outcomes.lost.push(`${reply.statusCode}`)
        reply.resume().on("end", () => resolve(true))
      })
      call.on("error", (error) => {
        const isRefused = (error as NodeJS.ErrnoException).code === "ECONNREFUSED"
        if (!isRefused)
          outcomes.lost.push(`${error.message}, ${call.reusedSocket ? "reused" : "new"} connection`)
        resolve(false)
      })
      call.end(JSON.stringify({ name, data: {} }))
    })

  let isMoved = false
  const client = async (number: number) => {
    for (let count = 0; !isMoved; count++) if (!(await write(`data-${number}-${count}`))) return
  }
  const clients = Promise.all(Array.from({ length: 6 }, (_, number) => client(number)))
  while (outcomes.answered < 100) await write("first")
  const ended = node.end("SIGTERM")
  while (outcomes.closing < 30) await write("last")
  // As a balancer does once it has seen that the node is not ready.
  isMoved = true
  await clients
  assert.equal(await ended, 0)
  assert.deepEqual(outcomes.lost, [])
})
