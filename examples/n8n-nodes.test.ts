import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { test } from "node:test"
import { aFlow, aHub, anOrganization } from "#samples/builders.ts"
import { runJobs } from "#testing/run-jobs.ts"
import { testApp, tokenOf } from "#testing/test-app.ts"
import { temporaryFolder } from "#testing/test-process.ts"
import { buildNodes } from "../packages/n8n-nodes-fieldway/build.ts"
import type { Fieldway } from "../packages/n8n-nodes-fieldway/src/Fieldway.node.ts"
import type { FieldwayTrigger } from "../packages/n8n-nodes-fieldway/src/FieldwayTrigger.node.ts"
import type { HttpRequest, JsonObject } from "../packages/n8n-nodes-fieldway/src/n8n.ts"

test("the built n8n nodes work on tasks, and the trigger registers, verifies and removes its webhook", async (t) => {
  const server = await testApp(t, { WEBHOOK_ALLOW: "127.0.0.1" })
  const { sql, app } = server
  const org = await anOrganization(sql)
  const [hub, flow] = [await aHub(sql, { org }), await aFlow(sql, { org })]
  await app.listen({ port: 0, host: "127.0.0.1" })
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/`
  const token = await tokenOf(sql, org.owner)
  const require = createRequire(import.meta.url)
  const folder = await buildNodes(await temporaryFolder(t))
  const nodes: { Fieldway: typeof Fieldway; FieldwayTrigger: typeof FieldwayTrigger } = {
    ...require(`${folder}/Fieldway.node.js`),
    ...require(`${folder}/FieldwayTrigger.node.js`),
  }
  const { FieldwayApi } = require(`${folder}/FieldwayApi.credentials.js`)
  assert.match(new FieldwayApi().authenticate.properties.headers.Authorization, /^=Bearer /)

  // What n8n does for a node.
  const httpRequestWithAuthentication = async (_name: string, { method, url, qs, body }: HttpRequest) => {
    const query = new URLSearchParams(Object.entries(qs ?? {}).map(([key, value]) => [key, String(value)]))
    const response = await fetch(`${url}?${query}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    return response.json()
  }
  const context = {
    helpers: { httpRequestWithAuthentication },
    getCredentials: async () => ({ address, token }),
    getNode: () => ({ name: "Fieldway" }),
  }
  const run = async (parameters: JsonObject, continues = false) => {
    const node = new nodes.Fieldway()
    const [items] = await node.execute.call({
      ...context,
      getInputData: () => [{ json: {} }],
      getNodeParameter: (name, _item, fallback) => parameters[name] ?? fallback,
      continueOnFail: () => continues,
    })
    return (items ?? []).map(({ json }) => json)
  }
  const fields = { flow: flow.name, hubId: hub.id, siteName: "Mill", refId: "4711" }
  const [made] = await run({ operation: "create", fields: JSON.stringify(fields) })
  const taskId = made?._id
  await run({ operation: "update", taskId, fields: { siteName: "Old mill" } })
  const [read] = await run({ operation: "get", taskId })
  assert.deepEqual([read?.refId, read?.siteName], ["4711", "Old mill"])
  const [same] = await run({ operation: "upsert", fields: { ...fields, siteName: "New mill" } })
  assert.deepEqual([same?._id, same?.siteName], [taskId, "New mill"])
  for (let count = 0; count < 3; count++) await run({ operation: "create", fields: { ...fields, refId: "" } })
  assert.equal((await run({ operation: "list", limit: 2 })).length, 2)
  assert.equal((await run({ operation: "list", returnAll: true, filter: '{"refId":"4711"}' })).length, 1)
  await run({ operation: "delete", taskId })
  assert.match(String((await run({ operation: "get", taskId }, true))[0]?.error), /404/)

  const calls: { headers: IncomingHttpHeaders; rawBody: Buffer }[] = []
  const n8n = createServer(async (request, response) => {
    const rawBody = Buffer.concat(await Array.fromAsync<Buffer>(request))
    calls.push({ headers: request.headers, rawBody })
    response.end()
  }).listen(0, "127.0.0.1")
  t.after(() => n8n.close())
  await once(n8n, "listening")
  const stored: JsonObject = {}
  const hook = {
    ...context,
    getNodeParameter: (name: string) => ({ event: "onTaskCreated", rules: "{}" })[name],
    getNodeWebhookUrl: () => `http://127.0.0.1:${(n8n.address() as AddressInfo).port}/webhook`,
    getWorkflowStaticData: () => stored,
  }
  const trigger = new nodes.FieldwayTrigger()
  const { checkExists, create, delete: remove } = trigger.webhookMethods.default
  assert.equal(await checkExists.call(hook), false)
  assert.equal(await create.call(hook), true)
  assert.equal(await checkExists.call(hook), true)
  await run({ operation: "create", fields })
  await runJobs(server)
  const [call] = calls
  assert.ok(call)
  const receive = async (rawBody: Buffer) => {
    let status = 200
    const result = await trigger.webhook.call({
      ...hook,
      getRequestObject: () => ({ headers: call.headers, rawBody }),
      getResponseObject: () => ({ status: (code) => ({ json: () => (status = code) }) }),
    })
    return { status, item: result.workflowData?.[0]?.[0]?.json }
  }
  const { item } = await receive(call.rawBody)
  assert.deepEqual([item?.type, (item?.data as JsonObject | undefined)?.siteName], ["onTaskCreated", "Mill"])
  const changed = Buffer.from(call.rawBody.toString().replace("Mill", "Hill"))
  assert.deepEqual(await receive(changed), { status: 401, item: undefined })
  assert.equal(await remove.call(hook), true)
  assert.equal((await server.as(org.owner).get("/automations")).json().data.total, 0)
})
