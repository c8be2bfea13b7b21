import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub, anOrganization, aTask, aUser } from "../../server/samples/builders.ts"
import { aPage, enterAs, openStage } from "./stage.ts"
import { settled } from "./visit.ts"

const stage = await openStage()

test("a role without tasks starts on its first page, and settings open at a section that it includes", async () => {
  const token = await stage.tokenOf(stage.owner.email, stage.owner.password)
  const permissionList = ["view/dashboard", "view/team"]
  const role = { name: "Reports only", permissionList }
  const { data } = (await stage.call(token, "POST", "/role", role)) as { data: { _id: string } }
  const person = { email: "reader@northside.example", password: "quay-Lantern-77" }
  await stage.call(token, "POST", "/user", { ...person, name: "Reader", roleId: data._id, hubId: [] })
  const { context, page, troubles } = await aPage(stage)
  const refused: string[] = []
  page.on("response", (response) => {
    if (response.status() === 403) refused.push(response.url())
  })
  await enterAs(context, stage, person)
  await page.goto(stage.address)
  await page.getByRole("heading", { level: 1, name: "Reports" }).waitFor()
  await page.getByRole("link", { name: "Settings", exact: true }).click()
  await page.locator('a[aria-current="page"]', { hasText: /^Teams$/ }).waitFor()
  await settled(page)
  assert.equal(await page.getByText("Your role does not include this page").count(), 0)
  assert.deepEqual([refused, troubles], [[], []])
  await context.close()
})

test("a task is assigned to people of its hub", async () => {
  const { sql } = stage
  const password = "quay-Lantern-77"
  const org = await anOrganization(sql, { name: "Southside Couriers", password })
  const [harbour, hill] = [await aHub(sql, { org }), await aHub(sql, { org })]
  await aUser(sql, { org, name: "Harbour courier", hubs: [harbour] })
  await aUser(sql, { org, name: "Hill courier", hubs: [hill] })
  const { id } = await aTask(sql, { org, hub: harbour })
  const { context, page } = await aPage(stage)
  await enterAs(context, stage, { email: org.owner.email, password })
  await page.goto(`${stage.address}/tasks?task=${id}`)
  await page.getByRole("button", { name: "Assign", exact: true }).click()
  await page.locator("input").and(page.getByLabel("Assign to")).click()
  await page.getByRole("option", { name: "Harbour courier" }).waitFor()
  assert.equal(await page.getByRole("option", { name: "Hill courier" }).count(), 0)
  await context.close()
})
