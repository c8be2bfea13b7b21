import assert from "node:assert/strict"
import { test } from "node:test"
import { readConfig } from "../../server/core/config.ts"
import { createObjects } from "../../server/core/objects/objects.ts"
import { aRoadMap } from "../../server/samples/road-map.ts"
import { walkRouteDay } from "./route-day.ts"
import { aPage, enterAs, openStage } from "./stage.ts"

const stage = await openStage()

test("a day is planned, adjusted by dragging, dispatched, driven and compared in the console", async () => {
  const { context, page, troubles } = await aPage(stage)
  const see = async () => undefined
  await walkRouteDay({ stage, page, options: { visits: 12, vans: 2 }, looksAtMap: false, see })
  assert.deepEqual(troubles, [], "nothing was thrown on any page")
  await context.close()
})

test("a plan names the visit that no road of the map leads to", async (t) => {
  await aRoadMap(stage.sql, await createObjects(readConfig(stage.environment)), "one")
  t.after(() => stage.sql`delete from map_regions where name = 'block'`)
  const token = await stage.tokenOf(stage.owner.email, stage.owner.password)
  const hub = { name: "Block", address: "South Street", lat: 0, lng: 0.0001 }
  const { data: block } = (await stage.call(token, "POST", "/hub", hub)) as { data: { _id: string } }
  const visit = (id: string, coordinate: string) => ({ id, name: id, address: id, coordinate, visitTime: 1 })
  const { data: plan } = (await stage.call(token, "POST", "/routing", {
    hubId: block._id,
    hubCoordinate: "0,0.0001",
    vehicles: [{ id: "van", name: "van" }],
    visits: [visit("In the block", "0.002,0.001"), visit("Far away", "48.1,11.5")],
  })) as { data: { _id: string } }
  const { context, page } = await aPage(stage)
  await enterAs(context, stage, stage.owner)
  await page.goto(`${stage.address}/routes/${plan._id}?view=dropped`)
  await page.getByText("No road leads to 48.1,11.5 from").waitFor()
  await page.getByText("No road on the map leads to it").waitFor()
  await context.close()
})
