import assert from "node:assert/strict"
import { test } from "node:test"
import { openStage, phoneSize } from "../stage.ts"
import { workADay } from "./courier-day.ts"
import { keepImpossiblePosition } from "./in-page.ts"
import {
  aHubWithWorkers,
  anOwner,
  aPhone,
  finishStop,
  isDone,
  keptByTheBrowser,
  readTask,
  signInOnThePhone,
  taskWhen,
} from "./phone.ts"

/** A courier's bad days: two people on one task, ended sessions, wrong clocks, full disks. */
const stage = await openStage()

test("two people finish one task: both are kept, and both learn of it; what was deleted meanwhile waits for its return", async () => {
  const { workers, token, call, aDelivery } = await aHubWithWorkers(stage, ["ida", "jon"])
  const [ida, jon] = workers
  const taskId = await aDelivery("Theatre", [ida, jon])
  const deleted = await aDelivery("Cinema", [jon])
  const [first, second] = [await aPhone(stage), await aPhone(stage)]
  await signInOnThePhone(stage, first.page, ida)
  await signInOnThePhone(stage, second.page, jon)
  await second.page
    .getByRole("link", { name: /Theatre/ })
    .first()
    .waitFor()
  await keptByTheBrowser(second.page)
  await second.context.setOffline(true)
  await finishStop(second.page, /Theatre/, "Stage door")
  await finishStop(second.page, /Cinema/, "The usher")
  await call("DELETE", `/task/${deleted}`)
  await finishStop(first.page, /Theatre/, "Box office")
  await taskWhen(stage, { token, taskId }, isDone)
  await second.context.setOffline(false)
  await second.page.getByText(/ida@fieldway.test finished “Theatre” first/).waitFor()
  const task = await taskWhen(stage, { token, taskId }, ({ additions = [] }) => additions.length > 0)
  assert.deepEqual([task.receivedBy, task.additions?.[0]?.values.receivedBy], ["Box office", "Stage door"])
  await first.page.getByText(/jon@fieldway.test also finished “Theatre”/).waitFor()
  const gone = second.page.getByRole("alert").filter({ hasText: "“Cinema” is no longer there" })
  await gone.getByRole("link", { name: "Message my planner" }).waitFor()
  const trash = await call<{ data: { _id: string; data: { _id: string } }[] }>("GET", "/trash")
  await call("POST", `/trash/${trash.data.find(({ data }) => data._id === deleted)?._id}/restore`)
  await gone.getByRole("button", { name: "Try again" }).click()
  const restored = await taskWhen(stage, { token, taskId: deleted }, isDone)
  assert.equal(restored.receivedBy, "The usher")
  await Promise.all([first.context.close(), second.context.close()])
})

test("what was entered for a stop that somebody else got is shown, sent to the planner, or discarded", async () => {
  const { workers, token, call, aDelivery } = await aHubWithWorkers(stage, ["wanda", "igor"])
  const [wanda, igor] = workers
  const [station, bakery] = [await aDelivery("Station", [wanda]), await aDelivery("Bakery", [wanda])]
  const { context, page, troubles } = await aPhone(stage)
  await signInOnThePhone(stage, page, wanda)
  for (const name of [/Station/, /Bakery/]) {
    await page.getByRole("link", { name }).first().click()
    await page.getByRole("button", { name: "Next" }).click()
    await page.getByLabel("Received by").fill("The guard")
    await page.goBack()
    await page.goBack()
  }
  await call("PUT", `/task/${station}/assign`, { assignee: [igor.email] })
  await call("DELETE", `/task/${bakery}`)
  const left = (title: string) =>
    page.getByRole("alert").filter({ hasText: `“${title}” is no longer one of` })
  await left("Bakery").waitFor()
  await left("Station").getByRole("link", { name: "View it" }).click()
  await page.getByText("The guard").waitFor()
  await page.getByRole("button", { name: "Send to my planner" }).click()
  await page.getByText("“Station” was no longer yours").waitFor()
  const given = await readTask(stage, token, station)
  assert.deepEqual(
    [given.status, given.additions?.map(({ doneBy, values }) => [doneBy, values.receivedBy])],
    ["ONGOING", [[wanda.email, "The guard"]]],
  )
  assert.equal(await left("Station").count(), 0)
  await left("Bakery").getByRole("link", { name: "View it" }).click()
  page.once("dialog", (question) => void question.accept())
  await page.getByRole("button", { name: "Discard" }).click()
  await page.getByText("Nothing to do right now").waitFor()
  assert.equal(await page.getByText(/is no longer one of/).count(), 0)
  assert.deepEqual(troubles, [])
  await context.close()
})

test("a wrong clock is named, work has the server's time, and positions that are refused are kept", async () => {
  const { workers, token, aDelivery } = await aHubWithWorkers(stage, ["paul"])
  const [paul] = workers
  const taskId = await aDelivery("Bridge", [paul])
  const { context, page } = await aPhone(stage)
  // Five hours behind.
  await context.addInitScript(() => {
    const RealDate = Date
    const shift = -5 * 3_600_000
    class ShiftedDate extends RealDate {
      constructor(...given: unknown[]) {
        if (given.length === 0) super(RealDate.now() + shift)
        else super(...(given as [number]))
      }
      static override now() {
        return RealDate.now() + shift
      }
    }
    globalThis.Date = ShiftedDate as DateConstructor
  })
  const before = Date.now()
  await signInOnThePhone(stage, page, paul)
  await page.getByText("The clock of this phone is 5 hours behind").waitFor()
  await page.getByRole("button", { name: "Start work" }).click()
  await page.getByText(/Working since/).waitFor()
  await finishStop(page, /Bridge/, "The keeper")
  const { doneTime = "" } = await taskWhen(stage, { token, taskId }, isDone)
  const done = Date.parse(doneTime)
  assert.ok(Math.abs(done - before) < 120_000, `done at ${doneTime}`)

  await page.evaluate(keepImpossiblePosition)
  await page.reload()
  const refused = page.getByText(
    /^The server refused 1 position: .*lat must be from -90 to 90.* It is kept on this phone\./,
  )
  await refused.waitFor()
  await page.reload()
  await refused.waitFor()
  page.once("dialog", (dialog) => dialog.accept())
  await page.getByRole("button", { name: "Discard" }).click()
  await refused.waitFor({ state: "detached" })
  await context.close()
})

test("a full phone loses nothing: photos are sent early, then refused, and what was entered stays on the page", async () => {
  const { workers, token, aDelivery } = await aHubWithWorkers(stage, ["rosa"])
  const [rosa] = workers
  const taskId = await aDelivery("Tower", [rosa])
  const { context, page } = await aPhone(stage)
  await context.addInitScript(() => {
    const phone = globalThis as unknown as { isFull?: boolean; isShort?: boolean }
    const put = IDBObjectStore.prototype.put
    IDBObjectStore.prototype.put = function (...given) {
      if (phone.isFull) throw new DOMException("The disk is full", "QuotaExceededError")
      return put.apply(this, given)
    }
    navigator.storage.estimate = async () => ({
      quota: 100_000_000,
      usage: phone.isFull ? 99_000_000 : phone.isShort ? 70_000_000 : 1_000_000,
    })
  })
  await signInOnThePhone(stage, page, rosa)
  await page.getByRole("link", { name: /Tower/ }).first().click()
  await page.getByRole("button", { name: "Next" }).click()
  const fill = (isFull: boolean) =>
    page.evaluate((full) => Object.assign(globalThis, { isFull: full, isShort: true }), isFull)
  await fill(false)
  const photo = { name: "door.png", mimeType: "image/png", buffer: await page.screenshot() }
  const sentEarly = page.waitForResponse(/\/task\/photo\//)
  await page.locator("input[type=file]").setInputFiles(photo)
  assert.equal((await sentEarly).ok(), true)
  await page.locator('img[alt="Photo 1"]:not([src^="data:"]):not([src^="blob:"])').waitFor()
  await fill(true)
  await page.getByLabel("Received by").fill("The guard")
  await page.getByText("This phone could not store your last entries").waitFor()
  // With a network a photo needs no room here; without one it is refused.
  await page.locator("input[type=file]").setInputFiles(photo)
  await page.locator('img[alt="Photo 2"]:not([src^="data:"]):not([src^="blob:"])').waitFor()
  await context.setOffline(true)
  await page.locator("input[type=file]").setInputFiles(photo)
  await page.getByText("No room for another photo").waitFor()
  await context.setOffline(false)
  await page.getByRole("button", { name: "Finish task" }).click()
  const warning = page.getByText("This phone could not store your last entries")
  await warning.waitFor()
  await page.evaluate(() => scrollTo(0, 0))
  const { y = 0, height = 0 } = (await warning.boundingBox()) ?? {}
  assert.ok(y > 0 && y + height < phoneSize.height, `in view above the button: ${y}`)
  assert.equal(await page.getByLabel("Received by").inputValue(), "The guard")
  assert.equal((await readTask(stage, token, taskId)).status, "ONGOING")
  await fill(false)
  await page.getByRole("button", { name: "Finish task" }).click()
  const done = await taskWhen(stage, { token, taskId }, isDone)
  assert.equal(done.receivedBy, "The guard")
  await context.close()
})

test("a stop that fails needs its own proof and reason; missing fields are focused, and Back goes a page back", async () => {
  const { workers, hubId, token } = await aHubWithWorkers(stage, ["sam"])
  const [sam] = workers
  const { call } = await anOwner(stage)
  const text = (id: string, title: string, more: object = {}) => ({
    ...{ id, component: "input", type: "String", title, ...more },
  })
  const list = [
    { outcome: "failed", reasons: ["Nobody home", "Refused"], reasonRequired: true, required: ["note"] },
  ]
  const { flow } = await call<{ flow: { _id: string } }>("POST", "/flow", {
    name: "Locker",
    pages: [
      { id: "page0", title: "Stop", components: [text("site", "Site", { showAs: "title", required: true })] },
      {
        id: "page1",
        title: "Proof",
        components: [text("who", "Received by", { required: true }), text("note", "Note")],
      },
    ],
    configurations: [{ id: "outcomes", list }],
  })
  const { task } = await call<{ task: { _id: string } }>("POST", "/task", {
    ...{ flow: "Locker", flowId: flow._id, hubId, site: "Locker 12", assignee: [sam.email] },
  })
  const { context, page } = await aPhone(stage)
  await signInOnThePhone(stage, page, sam)
  await page
    .getByRole("link", { name: /Locker 12/ })
    .first()
    .click()
  await page.getByRole("button", { name: "Arrived" }).click()
  await page.getByText(/Arrived \d\d:\d\d UTC/).waitFor()
  await page.getByRole("button", { name: "Next" }).click()
  await page.getByRole("button", { name: "Finish task" }).click()
  const who = page.getByLabel("Received by")
  assert.equal(await who.getAttribute("aria-invalid"), "true")
  assert.equal(await who.evaluate((input) => input === document.activeElement), true)
  await page.goBack()
  await page.getByText("Page 1 of 2").waitFor()
  await page.getByRole("button", { name: "Something else happened" }).click()
  await page.getByRole("button", { name: "Failed" }).click()
  await page.getByLabel("Reason").selectOption("Nobody home")
  await page.getByLabel("Note").fill("Left a card")
  await page.getByRole("button", { name: "Finish: Failed" }).click()
  const done = await taskWhen(stage, { token, taskId: task._id }, isDone)
  assert.deepEqual([done.outcome, done.outcomeReason, done.note], ["failed", "Nobody home", "Left a card"])
  assert.match(String(done.arrivedTime), /^\d{4}-/)
  await context.close()
})

test("what an earlier version of the page kept on the phone is sent", async () => {
  const { workers, token, aDelivery } = await aHubWithWorkers(stage, ["tess"])
  const [tess] = workers
  const [mill, quay] = [await aDelivery("Mill", [tess]), await aDelivery("Quay", [tess])]
  const own = await stage.tokenOf(tess.email, tess.password)
  const user = await stage.call(own, "GET", "/user")
  const { context, page } = await aPhone(stage)
  await page.goto(`${stage.address}/sign-in`)
  await page.evaluate(
    async ({ user, mill, quay }) => {
      const request = indexedDB.open("fieldway-field", 1)
      request.onupgradeneeded = () => {
        const at = (name: string) => request.result.createObjectStore(name)
        at("reads").put(user, "own-user")
        at("drafts").put({ note: "Ring twice" }, quay)
        const doneAt = new Date(Date.now() - 60_000).toISOString()
        const entry = { taskId: mill, title: "Mill", values: { receivedBy: "The miller" }, doneAt }
        at("waiting").put({ ...entry, coordinate: "52.37,4.9" }, mill)
        at("points")
      }
      await new Promise((resolve) => {
        request.onsuccess = resolve
      })
      request.result.close()
    },
    { user, mill, quay },
  )
  await signInOnThePhone(stage, page, tess)
  const done = await taskWhen(stage, { token, taskId: mill }, isDone)
  assert.deepEqual([done.receivedBy, done.doneBy], ["The miller", tess.email])
  await page.getByText("Draft").waitFor()
  await page.getByRole("link", { name: /^Quay/ }).first().click()
  assert.equal(await page.getByLabel("Note", { exact: true }).inputValue(), "Ring twice")
  await context.close()
})

// Its parts are in the tests above, at a fraction of the time.
if (process.env.FIELDWAY_LONG)
  test("a day of 20 stops with the network gone half of the time agrees with the planner's data", () =>
    workADay(stage, Number(process.env.FIELDWAY_STOPS ?? 20)))
