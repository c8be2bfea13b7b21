import assert from "node:assert/strict"
import { test } from "node:test"
import { anOrganization } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"

test("the installation's own organization publishes versions, and every device reads them without a token", async (t) => {
  const { sql, as, nobody } = await testApp(t)
  const [org, other] = [await anOrganization(sql), await anOrganization(sql)]
  await sql`insert into installation (operator_organization_id) values (${org.id})`
  const owner = as(org.owner)
  const body = {
    platform: "Android",
    versionName: "v2.1.0",
    releaseTime: "2026-11-01 08:00:00",
    docLink: "https://docs.example/2.1",
    changeLog: "Faster lists;Fewer crashes",
    tags: ["bug fix", "android"],
  }
  assert.equal((await nobody.get("/version/Android/last")).json().failedCode, "versn-033")
  const first = await owner.expect(200).post("/version", { ...body, categoryUpdate: "immediate" })
  const { versionNumber, versionData, docUrl, docLink, releaseTime } = first.json().data
  assert.deepEqual(
    [versionNumber, versionData, docUrl, docLink, releaseTime],
    [1, 1000, body.docLink, body.docLink, body.releaseTime],
  )
  const second = (await owner.post("/version", { ...body, versionName: "v2.2.0" })).json().data
  assert.deepEqual([second.versionNumber, second.categoryUpdate], [2, "flexible"])
  const last = (await nobody.get("/version/Android/last")).json()
  assert.deepEqual([last.data.versionName, last.last_required.versionName], ["v2.2.0", "v2.1.0"])
  await owner.post("/version", { ...body, platform: "IOS", organizationId: other.id })
  assert.equal((await nobody.get("/version/app")).json().data.length, 1)
  assert.equal((await nobody.get(`/version/app?organizationId=${other.id}`)).json().data.length, 2)
  const refusals: [string, Awaited<ReturnType<typeof owner.post>>][] = [
    ["versn-032", await owner.post("/version", { ...body, versionNumber: 2 })],
    ["versn-003", await owner.post("/version", { ...body, versionName: "2.1" })],
    ["versn-001", await owner.post("/version", { ...body, docLink: undefined })],
    ["versn-035", await as(other.owner).post("/version", body)],
    ["versn-033", await as(other.owner).delete(`/version/${second._id}`)],
  ]
  for (const [code, reply] of refusals) assert.equal(reply.json().failedCode, code, reply.body)
  const changed = await owner.put(`/version/${second._id}`, { ...body, versionName: "v2.2.1" })
  assert.deepEqual([changed.json().data.versionName, changed.json().data.versionNumber], ["v2.2.1", 2])
  assert.equal((await owner.delete(`/version/${second._id}`)).json().message, "Version deleted")
})
