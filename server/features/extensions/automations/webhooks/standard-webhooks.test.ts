import assert from "node:assert/strict"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { after, test } from "node:test"
import { Webhook } from "standardwebhooks"
import { aFlow, aHub, anOrganization } from "#samples/builders.ts"
import { runJobs } from "#testing/run-jobs.ts"
import { testApp } from "#testing/test-app.ts"

const calls: { headers: IncomingHttpHeaders; body: string }[] = []
const receiver = createServer((request, reply) => {
  let body = ""
  request.on("data", (part) => {
    body += part
  })
  request.on("end", () => {
    calls.push({ headers: request.headers, body })
    reply.writeHead(204).end()
  })
}).listen(0, "127.0.0.1")
after(() => receiver.close())

test("the reference library verifies deliveries, before, during and after a rotation of the secret", async () => {
  const server = await testApp(undefined, { WEBHOOK_ALLOW: "127.0.0.1" })
  const org = await anOrganization(server.sql)
  const [flow, hub] = [await aFlow(server.sql, { org }), await aHub(server.sql, { org })]
  const owner = server.as(org.owner)
  const made = await owner.expect(200).post("/automation", {
    ...{ name: "Standard", event: "onTaskCreated", automationType: "webhook", rules: {} },
    automationDetails: {
      url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
      format: "standard",
    },
  })
  const { _id, automationDetails } = made.json().data
  const first: string = automationDetails.signingSecret
  const deliver = async () => {
    calls.length = 0
    const task = await owner.post("/task", { flow: flow.name, hubId: hub.id, siteName: "Mühle" })
    await runJobs(server)
    assert.equal(calls.length, 1)
    return task.json().task._id as string
  }
  const verify = (secret: string) => {
    const [call] = calls
    return new Webhook(secret).verify(call?.body ?? "", call?.headers as Record<string, string>) as {
      type: string
      timestamp: string
      data: { _id: string; siteName: string }
    }
  }
  const taskId = await deliver()
  const { type, timestamp, data } = verify(first)
  assert.deepEqual([type, data._id, data.siteName], ["onTaskCreated", taskId, "Mühle"])
  assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const rotate = async (previousValidHours: number): Promise<string> =>
    (await owner.post(`/automation/${_id}/rotate-secret`, { previousValidHours })).json().data
      .automationDetails.signingSecret
  const second = await rotate(24)
  await deliver()
  for (const secret of [first, second]) assert.equal(verify(secret).type, "onTaskCreated")
  const third = await rotate(0)
  await deliver()
  assert.equal(verify(third).type, "onTaskCreated")
  assert.throws(() => verify(second))
  const { data: log } = (await owner.get("/automation-log")).json()
  assert.ok(log.every((hit: { _source: { isSuccess: string } }) => hit._source.isSuccess === "true"))
})
