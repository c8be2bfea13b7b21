import assert from "node:assert/strict"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { after, before, test } from "node:test"
import { startWholeServer, type WholeServer } from "#testing/whole-server.ts"
import { ApiError, createFieldway } from "../packages/api-client/src/index.ts"
import { mainJob } from "./main-job.ts"

let server: WholeServer
before(async () => {
  server = await startWholeServer()
})
after(() => server.close())

test("orders from a file are driven out and come back as a file, through the client", async () => {
  const { imported, finished, file } = await mainJob({
    ...server.owner,
    url: server.address,
    pollMilliseconds: 20,
  })
  assert.deepEqual([imported, finished], [10, 10])
  assert.match(file, /Ferry House/)
})

test("the client reads a list page by page and tells refusals by code and field", async () => {
  const fieldway = createFieldway({ url: server.address })
  await fieldway.signIn(server.owner.email, server.owner.password)
  const hub = await fieldway.api.createHub({
    body: { name: "Depot", address: "Quay 1", lat: 52.4, lng: 4.9 },
  })
  const hubId = hub.data._id
  for (const name of ["One", "Two", "Three"]) await fieldway.api.createTeam({ body: { name, hubId } })
  const names: string[] = []
  const pages: number[] = []
  for await (const { rows, page } of fieldway.pages("listTeams", { query: { limit: 2 } })) {
    pages.push(page)
    names.push(...rows.map(({ name }) => name))
  }
  assert.deepEqual(
    [pages, names.toSorted()],
    [
      [1, 2],
      ["One", "Three", "Two"],
    ],
  )
  const refused = await fieldway.api
    .createTeam({ body: { name: "One", hubId } })
    .catch((error: unknown) => error)
  assert.ok(refused instanceof ApiError && refused.status === 400)
  assert.equal(refused.failedCode, "team-034")
  const stranger = createFieldway({ url: server.address, token: "nobody" })
  await assert.rejects(stranger.api.listTeams(), (error) => error instanceof ApiError && error.status === 401)
})

test("the client waits as a busy server asks, and repeats only what does no harm twice", async () => {
  const seen: string[] = []
  const responses: Record<string, [number, Record<string, string>][]> = {
    "GET /api/v3/teams": [
      [429, { "retry-after": "0" }],
      [503, { "retry-after": new Date().toUTCString() }],
      [200, {}],
    ],
    "POST /api/v3/team": [
      [503, { "retry-after": "0" }],
      [201, {}],
    ],
    "DELETE /api/v3/team/6a01c0ffee5de0b4a7710c11": [
      [503, {}],
      [200, {}],
    ],
  }
  const busy = createServer((request, response) => {
    const call = `${request.method} ${request.url}`
    const key = request.headers["idempotency-key"]
    seen.push(key ? `${call} ${key}` : call)
    const [status, headers] = responses[call]?.shift() ?? [404, {}]
    response.writeHead(status, { "content-type": "application/json", ...headers }).end('{"message":"busy"}')
  })
  await new Promise<void>((resolve) => busy.listen(0, "127.0.0.1", resolve))
  try {
    const { port } = busy.address() as AddressInfo
    const { api } = createFieldway({ url: `http://127.0.0.1:${port}`, token: "any" })
    await api.listTeams()
    await api.createTeam({ body: { name: "One", hubId: "6a01c0ffee5de0b4a7710c12" } })
    const path = { teamId: "6a01c0ffee5de0b4a7710c11" }
    await assert.rejects(api.deleteTeam({ path }), { status: 503 })
    const [first, second] = seen.filter((call) => call.startsWith("POST"))
    assert.equal(first, second, "both tries of a call carry one key")
    assert.match(first ?? "", /POST \/api\/v3\/team [0-9a-f-]{36}$/)
    assert.deepEqual(
      seen.filter((call) => !call.startsWith("POST")),
      [...Array(3).fill("GET /api/v3/teams"), "DELETE /api/v3/team/6a01c0ffee5de0b4a7710c11"],
    )
  } finally {
    busy.close()
  }
})

test("the client reads all rows that stay, while others are deleted between pages", async () => {
  const { api, each, signIn } = createFieldway({ url: server.address })
  await signIn(server.owner.email, server.owner.password)
  const { data: hub } = await api.createHub({
    body: { name: "Shrinking", address: "Quay 2", lat: 52.4, lng: 4.9 },
  })
  const hubId = hub._id
  const { flows } = await api.listFlows()
  const flow = String(flows.data.find(({ name }) => name === "Delivery")?.name)
  const key = { id: "dataId", title: "Key", type: "text", primaryKey: true, required: true }
  const { data_type: type } = await api.createDataType({ body: { name: "Doors", fields: [key] } as never })
  for (const number of [1, 2, 3, 4, 5, 6]) {
    await api.createTask({ body: { flow, hubId, refId: `K${number}`, receiverName: "Ada" } as never })
    await api.createRecord({ body: { dataTypeId: type._id, hubId, dataId: `K${number}` } })
  }
  const order = { limit: 2, sortOrder: "asc", hubId }
  const seen: unknown[] = []
  // The row that was just read goes, so that no page ends with a row that is still there.
  for await (const { _id, refId } of each("listTasks", { query: { ...order, sortBy: "refId" } })) {
    seen.push(refId)
    await api.deleteTask({ path: { taskId: String(_id) } })
  }
  assert.deepEqual(seen, ["K1", "K2", "K3", "K4", "K5", "K6"])
  const keys: unknown[] = []
  for await (const row of each("listRecords", {
    query: { ...order, sortBy: "dataId", dataTypeId: type._id },
  })) {
    keys.push(row.dataId)
    await api.deleteRecord({ path: { recordId: row._id } })
    if (row.dataId === "K4") await api.deleteHub({ path: { hubId } })
  }
  assert.deepEqual(keys, ["K1", "K2", "K3", "K4"])
})
