import assert from "node:assert/strict"
import type { Page } from "playwright-core"
import { demoApi } from "../../server/demo/api.ts"
import { replayPlan } from "../../server/demo/replay-plan.ts"
import { type RouteDay, type RouteDayOptions, seedRouteDay } from "../../server/demo/route-day.ts"
import { fillSignIn, type Stage } from "./stage.ts"

/** The day of a depot in the console: planned, adjusted by dragging, dispatched, driven, compared. */
export interface RouteDayRun {
  stage: Stage
  page: Page
  options: RouteDayOptions
  /** Drawing a map by software takes seconds: only those wait for it who look at it. */
  looksAtMap: boolean
  /** Called at every state that is worth a look. */
  see(name: string): Promise<void>
}

const courierPassword = "Lantern-Quay-71"
const timeZone = "America/Montevideo"
const yesterday = () => Temporal.Now.plainDateISO(timeZone).subtract({ days: 1 }).toString()

export async function walkRouteDay({ stage, page, options, looksAtMap, see }: RouteDayRun): Promise<void> {
  const api = demoApi(stage.address)
  const owner = await api.signIn(stage.owner.email, stage.owner.password)
  const day = await seedRouteDay(owner, Temporal.Now.instant(), options)
  await signIn(page, stage)
  await writeProfile(page, stage, see)
  await startPlan(page, stage, { day, options, see })
  const resultId = new URL(page.url()).pathname.split("/").at(-1) ?? ""
  await lookAtPlan(page, looksAtMap, see)
  await dragStop(page, see)
  await helpDropped(page, see)
  await compareVersions(page, see)
  await dispatchPlan(page, see)
  const replayed = await replayPlan(api, owner, { resultId, password: courierPassword, timeZone })
  assert.ok(replayed.points > 0 && replayed.finished > 0)
  await compareWithActual(page, see)
}

type See = RouteDayRun["see"]

async function signIn(page: Page, stage: Stage): Promise<void> {
  await page.goto(stage.address)
  await fillSignIn(page, stage.owner)
  await page.getByRole("heading", { level: 1, name: /Today|Dispatch/ }).waitFor()
}

/** A profile of the hub in which vans return. */
async function writeProfile(page: Page, stage: Stage, see: See): Promise<void> {
  await page.goto(`${stage.address}/routes`)
  await page.getByRole("link", { name: "Planning profiles" }).click()
  await page.getByRole("button", { name: "New profile" }).click()
  const drawer = page.getByRole("dialog")
  await drawer.getByRole("textbox", { name: "Name" }).fill("Weekdays")
  await drawer.getByRole("checkbox", { name: "Return to the hub at the end" }).check()
  await see("profile-form")
  await drawer.getByRole("button", { name: "Save" }).click()
  await drawer.waitFor({ state: "hidden" })
  await page.getByRole("row", { name: /Weekdays.*Used now/ }).waitFor()
  await see("profiles")
}

interface PlanOptions {
  day: RouteDay
  options: RouteDayOptions
  see: See
}

async function startPlan(page: Page, stage: Stage, { day, options, see }: PlanOptions): Promise<void> {
  await page.goto(`${stage.address}/tasks?hub=${day.hubId}`)
  const grid = page.getByRole("grid", { name: "Tasks" })
  await grid.getByRole("row").nth(1).waitFor()
  await grid.getByRole("checkbox").first().click()
  const bar = page.getByRole("toolbar", { name: /selected/ })
  await bar.waitFor()
  const all = bar.getByRole("button", { name: `Select all ${options.visits}` })
  if (await all.isVisible()) await all.click()
  await bar.getByText(new RegExp(`^${options.visits} .*selected|^${options.visits} selected`)).waitFor()
  await bar.getByRole("button", { name: "More" }).click()
  await page.getByRole("menuitem", { name: "Plan routes" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByText(`Vehicles (${options.vans}/${options.vans})`).waitFor()
  await dialog.getByRole("textbox", { name: "Name" }).fill("Wednesday")
  await dialog.getByLabel("Day", { exact: true }).fill(yesterday())
  await see("plan-dialog")
  await dialog.getByRole("button", { name: "Start planning" }).click()
  await page.waitForURL(/\/routes\/[0-9a-f]{24}/)
  await see("planning")
  await page.getByRole("radiogroup").waitFor({ timeout: 90_000 })
}

async function view(page: Page, name: RegExp | string): Promise<void> {
  await page.locator("label").filter({ hasText: name }).click()
}

async function lookAtPlan(page: Page, looksAtMap: boolean, see: See): Promise<void> {
  if (looksAtMap) {
    await page.locator(".map [data-drawn], .map[data-drawn]").first().waitFor()
    await see("plan-map")
  }
  await view(page, "Table")
  await page.getByRole("columnheader", { name: "Arrives" }).waitFor()
  await see("plan-table")
  await view(page, "Timeline")
  await page.locator(".timeline-lane").first().waitFor()
  await see("plan-timeline")
}

/** A stop of one vehicle is dropped late into the day of another. */
async function dragStop(page: Page, see: See): Promise<void> {
  const lanes = page.locator(".timeline-lane")
  const counts = await lanes.evaluateAll((all) =>
    all.map((lane) => lane.querySelectorAll(".timeline-stop").length),
  )
  const from = counts.findIndex((count) => count > 0)
  const busy = counts.findIndex((count, lane) => lane !== from && count > 0)
  const to = busy >= 0 ? busy : counts.findIndex((_, lane) => lane !== from)
  const box = await lanes.nth(to).boundingBox()
  assert.ok(box)
  await lanes
    .nth(from)
    .locator(".timeline-stop")
    .first()
    .dragTo(lanes.nth(to), { targetPosition: { x: box.width * 0.7, y: box.height / 2 } })
  await page.getByText(/is moved/).waitFor()
  await page.waitForFunction(
    ([lane = 0, count]) =>
      document.querySelectorAll(".timeline-lane")[lane]?.querySelectorAll(".timeline-stop").length === count,
    [to, (counts[to] ?? 0) + 1],
  )
  await see("moved")
}

/** What was left out is taken up by the change that the plan proposes. */
async function helpDropped(page: Page, see: See): Promise<void> {
  await view(page, /Left out/)
  await page.getByText("Possible changes").first().waitFor()
  await see("dropped")
  await page.getByRole("button", { name: "Do this" }).first().click()
  await page.getByText(/is in the plan now/).waitFor()
  await see("helped")
}

async function compareVersions(page: Page, see: See): Promise<void> {
  await view(page, "Versions")
  await page
    .getByRole("row", { name: /The first plan/ })
    .getByRole("button", { name: "Compare" })
    .click()
  await page.getByText(/visits? moved/).waitFor()
  await see("versions")
}

async function dispatchPlan(page: Page, see: See): Promise<void> {
  await page.getByRole("button", { name: "Dispatch", exact: true }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByText(/their driver, order and times/).waitFor()
  await see("dispatch-preview")
  await dialog.getByRole("button", { name: "Dispatch", exact: true }).click()
  await dialog.waitFor({ state: "hidden" })
  await page.getByRole("button", { name: "Dispatch again" }).waitFor()
  await see("dispatched")
}

async function compareWithActual(page: Page, see: See): Promise<void> {
  await view(page, "What happened")
  await page.getByText(/of \d+ served/).waitFor()
  await page.getByRole("cell", { name: "Visited" }).first().waitFor()
  await see("actual")
}
