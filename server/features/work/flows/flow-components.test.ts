import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, aHub, aUser } from "#samples/builders.ts"
import { testApp, testOrganization } from "#testing/test-app.ts"
import { checkFlow } from "./check-flow.ts"
import { reservedTaskKeys } from "./component.ts"
import { defaultFlows } from "./defaults/default-flows.ts"

const input = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  component: "input",
  type: "String",
  title: id,
  ...more,
})

async function aPlace() {
  const { sql, as, org } = await testOrganization()
  return { sql, as, org, owner: as(org.owner) }
}

test("components are listed by kind, by flow or merged over flows", async () => {
  const { sql, org, owner } = await aPlace()
  await sql`delete from flows where organization_id = ${org.id}`
  const bill = { id: "order", component: "bill", title: "Order", costs: ["Packing"] }
  const one = await aFlow(sql, {
    org,
    name: "One",
    pages: [{ id: "page0", components: [input("site"), bill] }],
  })
  const two = await aFlow(sql, {
    org,
    name: "Two",
    pages: [
      { id: "page0", components: [input("site")] },
      { id: "page1", components: [input("other", { title: "site" }), { id: "shot", component: "photo" }] },
    ],
  })
  const ids = (fields: { id: string }[]) => fields.map(({ id }) => id)
  const groups = (await owner.get("/flow-fields?fieldType=structurData")).json().data
  const groupOf = (flow: { id: string }) => groups.find((group: { _id: string }) => group._id === flow.id)
  assert.deepEqual(ids(groupOf(one).fields), ["site", "order"])
  assert.deepEqual(ids(groupOf(two).fields), ["site", "other"])
  const merged = (await owner.get("/flow-components?isMerge=1&flowId=One,Two")).json().data
  assert.deepEqual(ids(merged).sort(), ["order", "other", "shot", "site"])
  const find = (id: string) => merged.find((component: { id: string }) => component.id === id)
  assert.deepEqual([...find("site").flowName].sort(), ["One", "Two"])
  assert.equal(find("site").uniqueTitle, "site (site)")
  assert.equal(find("other").page, "page1")
  assert.deepEqual(find("order").additionalField, ["order.Packing", "order.totalCost"])
  const images = (await owner.get(`/flow-components?fieldType=image&flowId=${two.id}`)).json().data
  assert.deepEqual(ids(images[0].fields), ["shot"])
  const reserved = (await owner.get("/flow-components?fieldType=reservedKey&isMerge=1")).json().data
  assert.equal(reserved.length, reservedTaskKeys.size)
  assert.equal((await owner.get("/flow-fields?fieldType=colour")).statusCode, 400)
})

/** The keys that the wire reserves; later ones only add to them. */
const keysOfWire = new Set(
  `_id flow flowId organizationId hub hubId isDeleted title content label orderIndex status startTime endTime updatedTime
  assignee assignedTo assignedBy assignedTime createdBy createdFrom createdTime doneBy doneCoordinate doneTime openTaskTime
  waitingTime travelDuration duration distance eta etd assignedVehicleId assignedVehicle routePlannedOrder expectedCoordinate
  refId createdCoordinate organization isSample doneFrom expectedDoneTime geoLock geoLockTrigger idLocal idleDuration
  updatedBy useGeoLock syncedTime histories Handover routingResultId parentTaskId autoSplit splitNumber useVisitGroup
  visitGroup visitGroupPriority appVersion deviceInformation automationRefId automationRefType taskType parentId subId
  workflow`.split(/\s+/),
)

test("the example of a task that a flow gives makes a task", async () => {
  const { sql, org, owner } = await aPlace()
  await aHub(sql, { org })
  for (const { name } of defaultFlows) {
    const sample = (await owner.get(`/flow/${encodeURIComponent(name)}/task`)).json()
    assert.equal(sample.data.flowName, name)
    assert.deepEqual(Object.keys(sample.data.bodyRequest).slice(0, 4), [
      "hubId",
      "flow",
      "startTime",
      "endTime",
    ])
    const made = await owner.post("/task", sample.data.bodyRequest)
    assert.equal(made.statusCode, 201, `${name}: ${made.body}`)
    const fields = (await owner.get(`/flow/${encodeURIComponent(name)}/fields`)).json()
    assert.equal(new Set(fields.reservedKey).size, fields.reservedKey.length)
    assert.deepEqual(keysOfWire.difference(new Set(fields.reservedKey)), new Set())
    assert.ok(fields.flowFields.length > 5)
  }
  assert.equal((await owner.get("/flow/Nothing/task")).json().failedCode, "flow-033")
})

test("a new organization has the six default flows, each of them a flow that could be saved", async () => {
  const { sql, org, owner } = await aPlace()
  const names = ["Pickup", "Delivery", "Field Sales", "Field Canvassing", "Home Cleaning", "House Inspection"]
  const listed = (await owner.get("/flows?sort_order=asc")).json().flows.data
  assert.deepEqual(
    listed.map((flow: { name: string }) => flow.name),
    names,
  )
  assert.ok(listed.every((flow: { isDefault: boolean }) => flow.isDefault))
  for (const flow of defaultFlows) checkFlow(flow)
  const worker = await aUser(sql, {
    org,
    permissions: ["add/task", "do/task"],
    permissionDetails: [{ permissionName: "add/task", items: [listed[1]._id] }],
  })
  const { as } = await testApp()
  const usable = (await as(worker).post("/flows/check-version", { flows: [] })).json().flow
  assert.deepEqual(
    usable.map((flow: { name: string }) => flow.name),
    ["Delivery"],
  )
  assert.equal((await as(worker).post("/flows/check-version", {})).json().failedCode, "flow-001")
})
