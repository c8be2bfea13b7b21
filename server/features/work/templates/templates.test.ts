import assert from "node:assert/strict"
import { test } from "node:test"
import { aUser } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"

test("a template is kept, found by its industry, changed in both ways and deleted", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const owner = as(org.owner)
  const body = { name: "Delivery", category: "Logistics", configuration: '{"name": "Delivery", "pages":[]}' }
  const made = await owner.expect(201).post("/template", body)
  const { _id, configuration, createdBy } = made.json().template
  assert.deepEqual([configuration, createdBy], [body.configuration, org.owner.email])
  const reader = as(await aUser(sql, { org, permissions: [] }))
  const all = (await reader.get("/templates?limit=-1&category=Logistics")).json().templates
  assert.deepEqual([all.total, all.per_page, all.data[0]._id], [1, -1, _id])
  assert.equal((await reader.get("/templates?category=Retail")).json().templates.total, 0)
  const patched = (await owner.patch(`/template/${_id}`, { description: "For vans" })).json().template
  assert.deepEqual([patched.name, patched.description], ["Delivery", "For vans"])
  const put = (await owner.put(`/template/${_id}`, { ...body, name: "Pickup" })).json().template
  assert.deepEqual([put.name, put.description], ["Pickup", null])
  const broken = await owner.post("/template", { ...body, configuration: "{pages" })
  assert.deepEqual([broken.statusCode, broken.json().failedCode], [400, "templ-013"])
  const gone = (await owner.delete(`/template/${_id}`)).json()
  assert.deepEqual([gone.message, gone.data._id], ["Success", _id])
  assert.equal((await owner.get(`/template/${_id}`)).json().failedCode, "templ-033")
})
