import assert from "node:assert/strict"
import { test } from "node:test"
import { demoApi } from "../../../server/demo/api.ts"
import { depots, installMap } from "../../../server/demo/city.ts"
import { openStage } from "../stage.ts"
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
const stage = await openStage()

test("an ended session asks to sign in and keeps everything; a blocked event stream is no missing network", async () => {
  const { workers, token, aDelivery } = await aHubWithWorkers(stage, ["olga"])
  const [olga] = workers
  const taskId = await aDelivery("Archive", [olga])
  const { context, page } = await aPhone(stage)
  await context.route("**/api/v3/events*", (route) => route.abort())
  await signInOnThePhone(stage, page, olga)
  await page
    .getByRole("link", { name: /Archive/ })
    .first()
    .waitFor()
  assert.equal(await page.getByText(/No network/).count(), 0)
  await context.clearCookies()
  await finishStop(page, /Archive/, "The archivist")
  await page.getByText("It is sent as soon as you sign in").waitFor()
  await page.getByText("Sign in again").waitFor()
  await page.getByText(/1 task waits on this phone/).waitFor()
  await page.getByRole("link", { name: "Sign in", exact: true }).click()
  await enterPassword(page, olga)
  const done = await taskWhen(stage, { token, taskId }, isDone)
  assert.equal(done.receivedBy, "The archivist")
  await context.close()
})

test("working time that another device started or finished goes on without a dead end, and lights the screen on the road", async () => {
  const { workers, token, call, aDelivery } = await aHubWithWorkers(stage, ["rita"])
  const [rita] = workers
  const taskId = await aDelivery("Quarry", [rita], { deliveryPoint: "52.375,4.9" })
  const [first, second] = [await aPhone(stage), await aPhone(stage)]
  await first.context.addInitScript(countWakeLocks)
  await first.page.clock.install()
  await signInOnThePhone(stage, first.page, rita)
  const start = { name: "Start work" }
  await first.page.getByRole("button", start).click()
  await first.page.getByText("Working since").waitFor()
  await first.context.setGeolocation({ latitude: 52.375, longitude: 4.9, accuracy: 10 })
  await first.page.waitForFunction(() => (globalThis as { wakeLocks?: number }).wakeLocks === 1)
  // They stay there: the page says by itself that they have arrived.
  await first.page.clock.fastForward(45_000)
  await first.page.getByText("Arrived").waitFor()
  await taskWhen(stage, { token, taskId }, ({ arrivedTime }) => arrivedTime !== undefined)
  // The browser says nothing while they stand there, and cannot measure where that is: they are not silent.
  await first.page.evaluate(() => {
    navigator.geolocation.getCurrentPosition = (_measured, failed) =>
      failed?.({ code: 2 } as GeolocationPositionError)
  })
  await first.page.clock.fastForward(65_000)
  const isRepeated = ({ lat, data }: Point) => lat === 52.375 && data?.isRepeated === true
  while (!(await listPoints(call, rita.email)).some(isRepeated)) await first.page.clock.fastForward(1_000)

  // This phone cannot ask what is open: it learns of it when it begins.
  await second.context.route("**/location-histories*", (route) => route.abort())
  await signInOnThePhone(stage, second.page, rita)
  await second.page.getByRole("button", start).click()
  await second.page.getByText(/already running: it was started on another device/).waitFor()
  await second.page.evaluate(() => localStorage.removeItem("fieldway.shift.rita@fieldway.test"))
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
    `/location-histories?email=${rita.email}&startFinish=true`,
  )
  assert.deepEqual(
    tasks.data.map(({ finish }) => finish !== undefined),
    [true],
  )
  await first.context.close()
  await second.context.close()
})

type Call = Awaited<ReturnType<typeof anOwner>>["call"]

interface Point {
  lat: number
  data?: { isRepeated?: boolean }
}

async function listPoints(call: Call, email: string): Promise<Point[]> {
  const path = `/location-histories?email=${email}&limit=200`
  return (await call<{ tasks: { data: Point[] } }>("GET", path)).tasks.data
}

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
  const { workers, token, aDelivery } = await aHubWithWorkers(stage, ["sami"])
  const [sami] = workers
  const taskId = await aDelivery("Foundry", [sami])
  const { context, page } = await aPhone(stage)
  await signInOnThePhone(stage, page, sami)
  await page
    .getByRole("link", { name: /Foundry/ })
    .first()
    .waitFor()
  await keptByTheBrowser(page)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await context.route("**/api/v3/**", (route) => released.then(() => route.continue()).catch(() => undefined))
  await page.clock.install()
  await page.goto(`${stage.address}/field`)
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
  const done = await taskWhen(stage, { token, taskId }, isDone)
  assert.equal(done.receivedBy, "The founder")
  await page.clock.fastForward(20_000)
  await page.getByText("The server responds slowly").waitFor({ state: "detached" })
  await context.close()
})

test("a role with more: the order of the day, work nearby, a correction, and how far a locked stop is away", {
  skip: process.env.FIELDWAY_LONG === undefined && "long round only",
}, async () => {
  const { call } = await anOwner(stage)
  const roles = await call<{ data: { name: string; permissionList: string[] }[] }>("GET", "/roles")
  const { permissionList = [] } = roles.data.find(({ name }) => name === "field user") ?? {}
  await call("POST", "/role", {
    name: "Courier",
    permissionList: [...permissionList, "task/reorder", "task/claim"],
  })
  const { workers, token, hubId, aDelivery } = await aHubWithWorkers(stage, ["thea"], /^Courier$/)
  const [thea] = workers
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
    ...{ assignee: [thea.email], orderIndex: 3 },
  })
  const bakery = await aDelivery("Bakery", [thea], { orderIndex: 1 })
  await aDelivery("Chapel", [thea], { orderIndex: 2 })
  await aDelivery("Stray parcel", [], { deliveryPoint: "52.371,4.9" })
  const { context, page, troubles } = await aPhone(stage)
  await signInOnThePhone(stage, page, thea)
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
  await taskWhen(stage, { token, taskId: bakery }, isDone)
  await page.getByText("1 done in the last 24 hours").click()
  await page.getByRole("link", { name: "Bakery" }).click()
  await page.getByRole("button", { name: "Correct it" }).click()
  await page.getByLabel("Received by").fill("The baker's son")
  await page.getByRole("button", { name: "Send correction" }).click()
  const { additions } = await taskWhen(
    stage,
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

test("the map around the stops, quick replies and new tasks work with and without a network", {
  skip: process.env.FIELDWAY_LONG === undefined && "long round only",
}, async () => {
  const { token, call } = await anOwner(stage)
  await installMap(demoApi(stage.address, token))
  const { organizationId } = await call<{ organizationId: string }>("GET", "/user")
  const quickReplies = ["I am late", "The gate is locked"]
  await call("PUT", `/organization/${organizationId}`, { configuration: { quickReplies } })
  const roles = await call<{ data: { name: string; permissionList: string[] }[] }>("GET", "/roles")
  const { permissionList = [] } = roles.data.find(({ name }) => name === "field user") ?? {}
  await call("POST", "/role", { name: "Installer", permissionList: [...permissionList, "add/task"] })
  const { workers, aDelivery } = await aHubWithWorkers(stage, ["wilma"], /^Installer$/)
  const [wilma] = workers
  const [longitude, latitude] = depots.harbour.place
  await aDelivery("Harbour", [wilma], { deliveryPoint: `${latitude},${longitude}` })
  const { context, page, troubles } = await aPhone(stage, { geolocation: { latitude, longitude } })
  await signInOnThePhone(stage, page, wilma)
  await keptByTheBrowser(page)

  const createOne = async (name: string) => {
    await page.goto(`${stage.address}/field`)
    await page.getByRole("link", { name: "New task" }).click()
    await page.getByLabel("Kind of task").selectOption("Delivery")
    await page.getByRole("button", { name: "Create task" }).click()
    await page.getByRole("alert").filter({ hasText: "Something is missing" }).waitFor()
    await page.getByLabel("Receiver name").fill(name)
    await page.getByLabel("Address", { exact: true }).fill("Quay 9")
    await page.getByRole("button", { name: "Create task" }).click()
    await page.getByRole("heading", { name: "Today" }).waitFor()
  }
  const reply = async (text: string) => {
    await page.goto(`${stage.address}/field/inbox`)
    await page.getByRole("link", { name: "Message my planner" }).click()
    await page.getByRole("button", { name: text }).click()
    await page.locator(".bubble").filter({ hasText: text }).waitFor()
  }
  await reply("I am late")

  await page.goto(`${stage.address}/field/map`)
  await page.getByRole("button", { name: "Keep this area on the phone" }).click()
  await page.getByText(/^About .+ for \d+ map tiles around your stops/).waitFor()
  await page.getByRole("button", { name: "Download" }).click()
  await page.getByText(/^This area is on the phone \(.+\) and works without a network/).waitFor()

  await context.setOffline(true)
  const tiles: { address: string; size: number }[] = []
  const missing: string[] = []
  page.on("response", async (response) => {
    if (!response.url().includes("/maps/")) return
    const size = (await response.body().catch(() => Buffer.alloc(0))).length
    tiles.push({ address: response.url(), size })
  })
  page.on("requestfailed", (request) => {
    if (request.url().includes("/maps/")) missing.push(request.url())
  })
  await page.reload()
  await page.getByRole("link", { name: "Stop 1: Harbour" }).waitFor()
  await page.locator(".map [data-drawn], .map[data-drawn]").first().waitFor()
  assert.deepEqual(missing, [], "every tile in sight is on the phone")
  assert.ok(
    tiles.some(({ size }) => size > 1_000),
    JSON.stringify(tiles),
  )
  if (process.env.FIELD_PICTURES)
    await page.screenshot({ path: `${process.env.FIELD_PICTURES}/offline-map.png` })

  // This page is opened for the first time.
  await createOne("Offline Books")
  await page.getByText("1 task waits to be sent").waitFor()
  await reply("The gate is locked")
  const lastText = async () =>
    (await call<{ data: { lastText: string }[] }>("GET", "/conversations")).data[0]?.lastText
  assert.equal(await lastText(), "I am late", "nothing has left the phone")
  await context.setOffline(false)
  await page.goto(`${stage.address}/field`)
  await createOne("Online Books")
  for (const name of [/Online Books/, /Offline Books/]) await page.getByRole("link", { name }).waitFor()
  await page.getByText(/waits? to be sent/).waitFor({ state: "detached" })
  const { tasks } = await call<{
    tasks: { data: { _id: string; receiverName: string; assignee: string[] }[] }
  }>("GET", "/tasks?q=Books")
  assert.deepEqual(
    tasks.data.map(({ receiverName, assignee }) => [receiverName, assignee]).sort(),
    [
      ["Offline Books", [wilma.email]],
      ["Online Books", [wilma.email]],
    ],
    "each was created once, for the person who needed it",
  )
  for (let last = ""; last !== "The gate is locked"; last = (await lastText()) ?? "");
  assert.deepEqual(troubles, [])
  await context.close()
})
