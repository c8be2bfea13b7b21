import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import type { Browser } from "playwright-core"
import { openBrowser } from "../browser.ts"
import { type StartedFieldway, startForBrowser } from "../started-fieldway.ts"
import {
  aHubWithWorkers,
  anOwner,
  aPhone,
  enterPassword,
  finishStop,
  isDone,
  keptByTheBrowser,
  signInOnThePhone,
  taskWhen,
} from "./phone.ts"

/** A phone and the server: ended sessions, slow servers, other devices of the same person, what a role allows. */
let fieldway: StartedFieldway
let browser: Browser

before(async () => {
  ;[fieldway, browser] = await Promise.all([startForBrowser(), openBrowser()])
})

after(async () => {
  await browser?.close()
  await fieldway?.close()
})

test("an ended session asks to sign in and keeps everything; a blocked event stream is no missing network", async () => {
  const { workers, token, aDelivery } = await aHubWithWorkers(fieldway, ["olga"])
  const [olga] = workers
  assert.ok(olga)
  const taskId = await aDelivery("Archive", [olga])
  const { context, page } = await aPhone(browser)
  await context.route("**/api/v3/events*", (route) => route.abort())
  await signInOnThePhone(fieldway, page, olga)
  await page
    .getByRole("link", { name: /Archive/ })
    .first()
    .waitFor()
  assert.equal(await page.getByText(/No network/).count(), 0)
  await context.clearCookies()
  await finishStop(page, /Archive/, "The archivist")
  await page.getByText("Sign in again").waitFor()
  await page.getByText(/1 task waits on this phone/).waitFor()
  await page.getByRole("link", { name: "Sign in", exact: true }).click()
  await enterPassword(page, olga)
  const done = await taskWhen(fieldway, { token, taskId }, isDone)
  assert.equal(done.receivedBy, "The archivist")
  await context.close()
})

test("working time that another device started or finished goes on without a dead end, and lights the screen on the road", async () => {
  const { workers, token, call, aDelivery } = await aHubWithWorkers(fieldway, ["rosa"])
  const [rosa] = workers
  assert.ok(rosa)
  const taskId = await aDelivery("Quarry", [rosa], { deliveryPoint: "52.375,4.9" })
  const [first, second] = [await aPhone(browser), await aPhone(browser)]
  await first.context.addInitScript(countWakeLocks)
  await first.page.clock.install()
  await signInOnThePhone(fieldway, first.page, rosa)
  const start = { name: "Start work" }
  await first.page.getByRole("button", start).click()
  await first.page.getByText("Working since").waitFor()
  await first.context.setGeolocation({ latitude: 52.375, longitude: 4.9, accuracy: 10 })
  await first.page.waitForFunction(() => (globalThis as { wakeLocks?: number }).wakeLocks === 1)
  // They stay there: the page says by itself that they have arrived.
  await first.page.clock.fastForward(45_000)
  await first.page.getByText("Arrived").waitFor()
  await taskWhen(fieldway, { token, taskId }, ({ arrivedTime }) => arrivedTime !== undefined)

  // This phone cannot ask what is open: it learns of it when it begins.
  await second.context.route("**/location-histories*", (route) => route.abort())
  await signInOnThePhone(fieldway, second.page, rosa)
  await second.page.getByRole("button", start).click()
  await second.page.getByText(/already running: it was started on another device/).waitFor()
  await second.page.evaluate(() => localStorage.removeItem("fieldway.shift.rosa@fieldway.test"))
  await second.context.unroute("**/location-histories*")
  await second.page.reload()
  await second.page.getByText(/has been running since .* started on another device/).waitFor()
  assert.equal(await second.page.getByRole("button", start).count(), 0)
  await second.page.getByRole("button", { name: "Continue here" }).click()
  await second.page.getByText("Working since").waitFor()
  await second.page.getByRole("button", { name: "Finish work" }).click()
  await second.page.getByRole("button", start).waitFor()

  await first.page.getByRole("button", { name: "Finish work" }).click()
  await first.page.getByText("already been finished on another device").waitFor()
  assert.equal(await first.page.evaluate(() => (globalThis as { wakeLocks?: number }).wakeLocks), 0)
  assert.equal(await first.page.getByText("The server refused").count(), 0)
  const { tasks } = await call<{ tasks: { data: { finish?: object }[] } }>(
    "GET",
    `/location-histories?email=${rosa.email}&startFinish=true`,
  )
  assert.deepEqual(
    tasks.data.map(({ finish }) => finish !== undefined),
    [true],
  )
  await first.context.close()
  await second.context.close()
})

/** Runs in the page: how often the screen is held on at the moment. */
function countWakeLocks(): void {
  const page = globalThis as unknown as { wakeLocks: number }
  page.wakeLocks = 0
  const request = async () => {
    page.wakeLocks += 1
    return {
      release: async () => {
        page.wakeLocks -= 1
      },
    }
  }
  Object.defineProperty(navigator, "wakeLock", { value: { request } })
}

test("a slow server is no missing network: the day opens at once, and what is finished waits for it", async () => {
  const { workers, token, aDelivery } = await aHubWithWorkers(fieldway, ["sami"])
  const [sami] = workers
  assert.ok(sami)
  const taskId = await aDelivery("Foundry", [sami])
  const { context, page } = await aPhone(browser)
  await signInOnThePhone(fieldway, page, sami)
  await page
    .getByRole("link", { name: /Foundry/ })
    .first()
    .waitFor()
  await keptByTheBrowser(page)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await context.route("**/api/v3/**", (route) => released.then(() => route.continue()).catch(() => undefined))
  await page.clock.install()
  await page.goto(`${fieldway.address}/field`)
  await page.clock.fastForward(1_000)
  await page
    .getByRole("link", { name: /Foundry/ })
    .first()
    .waitFor()
  await page.clock.fastForward(5_000)
  await page.getByText("The server responds slowly").waitFor()
  assert.equal(await page.getByText("No network").count(), 0)
  await finishStop(page, /Foundry/, "The founder")
  await page.getByText("1 task waits to be sent").waitFor()
  release()
  const done = await taskWhen(fieldway, { token, taskId }, isDone)
  assert.equal(done.receivedBy, "The founder")
  await page.clock.fastForward(20_000)
  await page.getByText("The server responds slowly").waitFor({ state: "detached" })
  await context.close()
})

test("a role with more: the order of the day, work nearby, a correction, and how far a locked stop is away", {
  skip: process.env.FIELDWAY_LONG === undefined && "long round only",
}, async () => {
  const { call } = await anOwner(fieldway)
  const roles = await call<{ data: { name: string; permissionList: string[] }[] }>("GET", "/roles")
  const { permissionList = [] } = roles.data.find(({ name }) => name === "field user") ?? {}
  await call("POST", "/role", {
    name: "Courier",
    permissionList: [...permissionList, "task/reorder", "task/claim"],
  })
  const { workers, token, hubId, aDelivery } = await aHubWithWorkers(fieldway, ["tess"], /^Courier$/)
  const [tess] = workers
  assert.ok(tess)
  const owner = await call<{ organizationId: string }>("GET", "/user")
  await call("PUT", `/organization/${owner.organizationId}`, { configuration: { correctionMinutes: 60 } })
  const place = {
    id: "place",
    component: "input",
    type: "Geolocation",
    title: "Place",
    useGeoLock: true,
    radius: 100,
  }
  const site = { id: "site", component: "input", type: "String", title: "Site", showAs: "title" }
  const { flow } = await call<{ flow: { _id: string } }>("POST", "/flow", {
    name: "Locked",
    pages: [{ id: "page0", title: "Stop", components: [site, place] }],
    configurations: [{ id: "geoLock", outside: "reject" }],
  })
  await call("POST", "/task", {
    ...{ flow: "Locked", flowId: flow._id, hubId, site: "Vault", place: "52.60,4.9" },
    ...{ assignee: [tess.email], orderIndex: 3 },
  })
  const bakery = await aDelivery("Bakery", [tess], { orderIndex: 1 })
  await aDelivery("Chapel", [tess], { orderIndex: 2 })
  await aDelivery("Stray parcel", [], { deliveryPoint: "52.371,4.9" })
  const { context, page, troubles } = await aPhone(browser)
  await signInOnThePhone(fieldway, page, tess)
  const titles = page.locator(".stop-title")
  const order = async (wanted: string[]) => {
    await page.waitForFunction(
      (names) =>
        [...document.querySelectorAll(".stop-title")].map(({ textContent }) => textContent).join() ===
        names.join(),
      wanted,
    )
    assert.equal(await titles.count(), wanted.length)
  }
  await order(["Bakery", "Chapel", "Vault"])
  await page.getByRole("button", { name: "Change order" }).click()
  await page.getByRole("button", { name: "Move Chapel up" }).click()
  await order(["Chapel", "Bakery", "Vault"])
  await page.getByRole("navigation").getByRole("button", { name: "Done" }).click()
  await page.getByRole("link", { name: "Take work" }).click()
  await page.getByRole("button", { name: "Take it: Stray parcel" }).click()
  await page.getByText("“Stray parcel” is yours").waitFor()
  await page.goBack()
  await page.getByRole("link", { name: /Stray parcel/ }).waitFor()

  await finishStop(page, /Bakery/, "The baker")
  await taskWhen(fieldway, { token, taskId: bakery }, isDone)
  await page.getByText("1 done in the last 24 hours").click()
  await page.getByRole("link", { name: "Bakery" }).click()
  await page.getByRole("button", { name: "Correct it" }).click()
  await page.getByLabel("Received by").fill("The baker's son")
  await page.getByRole("button", { name: "Send correction" }).click()
  const { additions } = await taskWhen(
    fieldway,
    { token, taskId: bakery },
    ({ additions = [] }) => additions.length > 0,
  )
  assert.equal(additions?.[0]?.values.receivedBy, "The baker's son")

  await page.getByRole("link", { name: /Vault/ }).first().click()
  await page
    .getByText(/You are 25\.6 km from the place; at most 100 m are allowed.*accurate to 10 m/)
    .waitFor()
  await page.getByText("It cannot be finished here").waitFor()
  assert.ok(await page.getByRole("button", { name: "Finish task" }).isDisabled())
  assert.deepEqual(troubles, [])
  await context.close()
})
