import assert from "node:assert/strict"
import { test } from "node:test"
import { aPage, enterAs, openStage } from "../stage.ts"

test("where the operator's map style cannot be loaded, the built-in map is shown and says so", async () => {
  const stage = await openStage()
  const { context, page } = await aPage(stage)
  await enterAs(context, stage, stage.owner)
  await page.route("**/api/v3/console-settings", async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = await response.json()
    const mapStyleUrl = `${stage.address}/missing-style.json`
    await route.fulfill({ response, json: { ...rest, data: { ...data, mapStyleUrl } } })
  })
  const missing = page.waitForResponse("**/missing-style.json")
  await page.goto(`${stage.address}/tracking`)
  assert.equal((await missing).status(), 404)
  await page.getByText("The street map could not be loaded; the built-in one is shown.").waitFor()
  await page.locator(".map[data-ready=true] [data-drawn=true]").waitFor()
  await context.close()
})
