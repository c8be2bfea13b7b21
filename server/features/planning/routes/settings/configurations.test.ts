import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"

const body = {
  name: "Usual",
  capacityConstraint: [{ name: "weight", denominator: "kg" }],
  defaultVisitTime: 12,
  defaultSpeed: 40,
  autoSpeed: false,
  multitrip: true,
  numberOfMultitrip: "3",
  returnToHub: false,
  useAllVehicle: false,
  clustering: true,
  crossDockingType: "none",
}

test("a hub has profiles, plans with the one changed last, and keeps one", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const me = as(org.owner)
  await me.post("/capacity-constraint", { capacityConstraint: [{ name: "weight", denominator: "Kg" }] })
  const first = (await me.get(`/configuration/hub/${hub.id}`)).json().data
  assert.deepEqual([first.name, first.defaultSpeed, first.returnToBase], ["Configuration Default", 25, false])
  assert.equal((await me.delete(`/configuration/${first._id}`)).json().failedCode, "conf-032")
  const made = (await me.post("/configuration", { hubId: hub.id, ...body })).json().data
  assert.deepEqual(
    [made.capacityConstraint, made.clustering, made.returnToHub, made.numberOfMultitrip],
    [[{ name: "weight", denominator: "Kg" }], "normal", true, 3],
  )
  assert.equal((await me.post("/configuration", { hubId: hub.id, ...body })).json().failedCode, "conf-031")
  const { multitrip: _left, ...lacking } = body
  assert.equal((await me.put(`/configuration/${first._id}`, lacking)).json().failedCode, "conf-001")
  assert.equal(
    (await me.put(`/configuration/${first._id}`, { ...body, name: "Night", defaultSpeed: 60 })).json().data
      .defaultSpeed,
    60,
  )
  assert.equal((await me.get(`/configuration/hub/${hub.id}`)).json().data.name, "Night")
  assert.equal((await me.get(`/configurations?hubId=${hub.id}&fields=name`)).json().data.length, 2)
  assert.equal((await me.delete(`/configuration/${made._id}`)).json().data.isDeleted, true)
  const gone = (await me.get(`/configuration/${made._id}`)).json()
  assert.deepEqual([gone.failedCode, gone.statusCode, gone.data], ["conf-033", 404, []])
})

test("an area tags the visits inside it, so that only vehicles with its name go there", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const me = as(org.owner)
  const corners = ["52.0, 4.0", "52.0, 5.0", "53.0, 5.0", "53.0, 4.0"]
  const made = (
    await me.post("/geotagging", {
      hubId: hub.id,
      name: "North",
      geoTaggingCoordinate: corners,
      color: "#fa0",
    })
  ).json().data
  assert.deepEqual(made.geoTaggingCoordinate.coordinates[0].length, 5)
  assert.deepEqual(made.geoTaggingCoordinate.coordinates[0][0], [4, 52])
  assert.equal(
    (await me.post("/geotagging", { hubId: hub.id, name: "North", geoTaggingCoordinate: corners })).json()
      .failedCode,
    "geo-002",
  )
  assert.equal(
    (
      await me.post("/geotagging", { hubId: hub.id, name: "Line", geoTaggingCoordinate: corners.slice(0, 2) })
    ).json().failedCode,
    "geo-001",
  )
  const plan = async () =>
    (
      await me.post("/routing", {
        hubId: hub.id,
        visits: [
          { id: "a", name: "A", address: "A", coordinate: "52.5,4.5" },
          { id: "b", name: "B", address: "B", coordinate: "51.9,4.5" },
        ],
        vehicles: [{ id: "1", name: "Van", tags: [] }],
      })
    ).json().data.result.dropped
  const [dropped] = await plan()
  assert.deepEqual(
    [dropped.id, dropped.tags, dropped.reason],
    ["a", ["North"], "No vehicle with matching tags"],
  )
  assert.deepEqual(dropped.help[0].kind, "tag")
  assert.equal((await me.patch(`/geotagging/${made._id}`, { isActive: false })).json().data.isActive, false)
  assert.deepEqual(await plan(), [])
  assert.equal((await me.delete(`/geotagging/${made._id}`)).json().status, true)
  assert.deepEqual((await me.get(`/geotagging?hubId=${hub.id}`)).json().data, [])
})
