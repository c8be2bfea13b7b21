import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub, anOrganization, aTask } from "../../../server/samples/builders.ts"
import { aPage, enterAs, openStage, phoneSize } from "../stage.ts"
import { settled } from "../visit.ts"

const stage = await openStage()

test("a page whose script could not be fetched says so, and opens when it is tried again", async () => {
  const { context, page } = await aPage(stage)
  await enterAs(context, stage, stage.owner)
  await page.goto(stage.address)
  await page.getByRole("heading", { level: 1, name: /Today|Dispatch/ }).waitFor()
  const scripts = /assets\/PeoplePage/
  await page.route(scripts, (route) => route.abort())
  await page.getByRole("link", { name: "People", exact: true }).click()
  await page.getByText("the server cannot be reached, or it was upgraded").waitFor()
  await page.unroute(scripts)
  await page.getByRole("button", { name: "Try again" }).click()
  await page.getByRole("heading", { level: 1, name: "People" }).waitFor()
  await context.close()
})

test("a lost connection is reported within the sidebar, and within the header of a phone", async () => {
  const { context, page } = await aPage(stage)
  await enterAs(context, stage, stage.owner)
  await page.route(/api\/v3\/events/, (route) => route.abort())
  await page.goto(`${stage.address}/people`)
  await page.getByRole("heading", { level: 1, name: "People" }).waitFor()
  const lost = (where: string) => page.locator(`${where} .connection`).getByText("Connection lost")
  await lost(".shell-navbar").waitFor()
  const sidebar = await page.locator(".shell-navbar").boundingBox()
  const text = await page.locator(".shell-navbar .connection").boundingBox()
  assert.ok(sidebar && text && text.x + text.width <= sidebar.x + sidebar.width, "within the sidebar")
  await page.setViewportSize(phoneSize)
  await lost(".shell-header").waitFor()
  const header = await page.locator(".shell-header").boundingBox()
  const search = await page.locator(".shell-header button").last().boundingBox()
  assert.ok(header && search && search.y + search.height <= header.y + header.height, "within the header")
  await context.close()
})

test("the panel of a task opens at its top", async () => {
  const { sql } = stage
  const password = "quay-Lantern-77"
  const org = await anOrganization(sql, { name: "Eastside Couriers", password })
  const hub = await aHub(sql, { org })
  const { id } = await aTask(sql, { org, hub })
  const { context, page } = await aPage(stage, { viewport: { width: 1280, height: 420 } })
  await enterAs(context, stage, { email: org.owner.email, password })
  await page.goto(`${stage.address}/tasks?task=${id}`)
  await page.getByText("No messages yet").waitFor()
  await settled(page)
  const scrolled = await page
    .getByRole("dialog")
    .locator("xpath=descendant-or-self::*")
    .evaluateAll((elements) => elements.filter(({ scrollTop }) => scrollTop > 0).length)
  assert.equal(scrolled, 0)
  await context.close()
})
