import assert from "node:assert/strict"
import { test } from "node:test"
import { walkRouteDay } from "./route-day.ts"
import { aPage, openStage } from "./stage.ts"

const stage = await openStage()

test("a day is planned, adjusted by dragging, dispatched, driven and compared in the console", async () => {
  const { context, page, troubles } = await aPage(stage)
  const see = async () => undefined
  await walkRouteDay({ stage, page, options: { visits: 12, vans: 2 }, looksAtMap: false, see })
  assert.deepEqual(troubles, [], "nothing was thrown on any page")
  await context.close()
})
