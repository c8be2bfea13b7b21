import assert from "node:assert/strict"
import { test } from "node:test"
import { createTestDatabase } from "#testing/test-database.ts"
import { signIn, startProcess, temporaryFolder } from "#testing/test-process.ts"

/** Long, since a dead runner is detected after 15 seconds. */
const skip = process.env.FIELDWAY_LONG === undefined

test("a run whose process is killed goes on in the next one, and ends", { skip }, async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const environment = { DATABASE_URL: database.url, DATA_DIR: await temporaryFolder(t) }
  let running = await startProcess(t, environment)
  const headers = {
    "content-type": "application/json",
    authorization: `Bearer ${await signIn(running.address)}`,
  }
  const call = async (method: string, path: string, body?: unknown) => {
    const reply = await fetch(`${running.address}/api/v3${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const response = (await reply.json()) as { data: { _id: string; status: string; summary: Summary } }
    assert.ok(reply.ok, JSON.stringify(response))
    return response.data
  }
  const hub = await call("POST", "/hub", { name: "North", address: "Quay 1", lat: 52, lng: 4 })
  const run = await call("POST", "/routing", {
    hubId: hub._id,
    visits: Array.from({ length: 60 }, (_, index) => ({
      id: `v${index}`,
      name: "V",
      address: "A",
      coordinate: `52.${100 + index * 3},4.${100 + ((index * 37) % 90)}`,
    })),
    vehicles: ["1", "2", "3"].map((id) => ({ id, name: id })),
    seconds: 10,
    background: true,
  })
  const isTaken = async () =>
    (await database.sql`select from routing_results where id = ${run._id} and runner is not null`).length > 0
  while (!(await isTaken())) await pause(20)
  await running.end("SIGKILL")
  // What a quarter of a minute would do: the dead runner and its worker have been silent for long.
  await database.sql`update worker_heartbeats set seen_at = now() - interval '1 hour'`
  await database.sql`update routing_results set runner_seen_at = now() - interval '1 hour'`
  running = await startProcess(t, environment)
  let ended = await call("GET", `/result/${run._id}`)
  while (ended.status === "ongoing") {
    await pause(200)
    ended = await call("GET", `/result/${run._id}`)
  }
  assert.equal(ended.status, "done")
  assert.equal(ended.summary.routedVisits + ended.summary.droppedVisits, 60)
  await running.end("SIGTERM")
})

interface Summary {
  routedVisits: number
  droppedVisits: number
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
