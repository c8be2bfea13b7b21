import assert from "node:assert/strict"
import { readFile, writeFile } from "node:fs/promises"
import { test } from "node:test"
import { prepareZXingModule, writeBarcode } from "zxing-wasm/writer"
import { aPage, fillSignIn, openStage } from "../stage.ts"
import {
  aHubWithWorkers,
  aPhone,
  keptByTheBrowser,
  readTask,
  sign,
  signInOnThePhone,
  taskWhen,
} from "./phone.ts"

/** A field worker's phone: tasks are done without a network and arrive once, whole, when there is one again. */
const stage = await openStage()

const never = (): never => assert.fail("the sample has a worker")

test("a task with a photo and a signature is done without a network and arrives exactly once", async () => {
  const { workers, token, aDelivery } = await aHubWithWorkers(stage, ["wendel"])
  const [worker] = workers
  const taskId = await aDelivery("Harbour Books", [worker])
  const { context, page, troubles } = await aPhone(stage)
  await signInOnThePhone(stage, page, worker)
  await page
    .getByRole("link", { name: /Harbour Books/ })
    .first()
    .waitFor()
  await keptByTheBrowser(page)
  const kept = await page.evaluate(namesOfKeptFiles)
  assert.ok(kept.includes("coarse-land") && !kept.includes("fine-land"), kept.join(" "))

  await context.setOffline(true)
  // Without a network the worker's own requests fail too.
  await context.route("**/assets/**", (route) => route.abort())
  await page.reload()
  await page.getByText("No network").waitFor()
  await page
    .getByRole("link", { name: /Harbour Books/ })
    .first()
    .click()
  await page.getByRole("button", { name: "Next" }).click()
  await page.getByLabel("Received by").fill("The neighbour at 14")
  const photo = { name: "door.png", mimeType: "image/png", buffer: await page.screenshot() }
  await page.locator("input[type=file]").setInputFiles(photo)
  await page.getByRole("img", { name: "Photo 1" }).waitFor()
  await sign(page)
  await page.getByRole("button", { name: "Finish task" }).click()
  await page.getByText("1 task waits to be sent").waitFor()
  const notice = await page.locator(".status-notice").boundingBox()
  const work = await page.locator(".field-main").boundingBox()
  assert.ok(notice && work && notice.y + notice.height < work.y + 20, "the next stop is not covered")
  const before = await readTask(stage, token, taskId)
  assert.equal(before.status, "ONGOING", "nothing has left the phone")

  await page.reload()
  await page.getByText("1 task waits to be sent").waitFor()
  await context.unroute("**/assets/**")
  await context.setOffline(false)
  await page.getByText("1 task waits to be sent").waitFor({ state: "detached" })
  await page.getByText("Nothing to do right now").waitFor()

  const done = await readTask(stage, token, taskId)
  assert.equal(done.status, "DONE")
  assert.equal(done.receivedBy, "The neighbour at 14")
  assert.equal(done.histories.filter(({ action }) => action === "patch").length, 1, "it was finished once")
  assert.match(JSON.stringify(done.proofPhoto ?? done), /https?:[^"]+proofPhoto/)
  assert.match(JSON.stringify(done.receiverSignature), /https?:/)
  assert.deepEqual(troubles, [])
  await context.close()
})

test("a stop of tomorrow is shown after those of today, whatever its place in the plan", async () => {
  const { workers, aDelivery } = await aHubWithWorkers(stage, ["demi"])
  const [worker] = workers
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const tomorrow = { startTime: inHours(30), endTime: inHours(31), orderIndex: 1 }
  await aDelivery("Early Bird", [worker], tomorrow)
  await aDelivery("Late Lunch", [worker], { startTime: inHours(-1), endTime: inHours(2), orderIndex: 2 })
  const { page } = await aPhone(stage)
  await signInOnThePhone(stage, page, worker)
  const list = page.locator(".field-tasks")
  await list
    .getByRole("link", { name: /Early Bird/ })
    .first()
    .waitFor()
  const entries = await list.locator(":scope > li").allInnerTexts()
  assert.equal(entries.length, 3)
  assert.match(entries[0] ?? "", /^Next stop[\s\S]*Late Lunch/)
  assert.doesNotMatch(entries[1] ?? "", /Bird/, "the heading of the day")
  assert.match(entries[2] ?? "", /Early Bird/)
  assert.match(await page.locator(".field-header").innerText(), /0 of 1 done/)
})

test("a record that is chosen on the phone fills the fields of the task", async () => {
  const { workers, token, call, hubId } = await aHubWithWorkers(stage, ["lena"])
  const [worker] = workers
  const fields = [
    { id: "dataId", title: "Code", type: "primaryKey", primaryKey: true, required: true },
    { id: "crates", title: "Crates", type: "number" },
  ]
  const { data_type: type } = await call<{ data_type: { _id: string } }>("POST", "/data-type", {
    ...{ name: "Depot", fields, commonData: false, limitUser: false },
  })
  await call("POST", "/data", { dataTypeId: type._id, hubId, dataId: "D-7", crates: "12" })
  const components = [
    {
      id: "code",
      component: "input",
      type: "String",
      title: "Depot code",
      showAs: "title",
      workerCanEdit: true,
    },
    { id: "boxes", component: "input", type: "Numeric", title: "Boxes" },
    { id: "result", component: "select", options: ["SUKSES", "GAGAL"], title: "Result", showAs: "label" },
  ]
  const mapped = [
    { id: "dataId", title: "Code", type: "primaryKey", primaryKey: true, componentId: "code" },
    { id: "crates", title: "Crates", type: "number", componentId: "boxes" },
  ]
  const { flow } = await call<{ flow: { _id: string } }>("POST", "/flow", {
    name: "Round",
    pages: [{ id: "page0", title: "Stop", components }],
    configurations: [{ id: "dataSource", list: [{ typeId: type._id, fields: mapped }] }],
  })
  const { task } = await call<{ task: { _id: string } }>("POST", "/task", {
    ...{ flow: "Round", flowId: flow._id, hubId, code: "somewhere", assignee: [worker.email] },
  })
  const { context, page } = await aPhone(stage)
  await signInOnThePhone(stage, page, worker)
  await page
    .getByRole("link", { name: /somewhere/ })
    .first()
    .click()
  await page.getByRole("combobox", { name: "Depot code" }).fill("D-")
  await page.getByRole("option", { name: "D-7" }).click()
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>("input[inputmode]")?.value === "12",
  )
  await page.getByRole("combobox", { name: "Result" }).selectOption("SUKSES")
  await page.getByRole("button", { name: "Finish task" }).click()
  await page.getByRole("heading", { name: "Today" }).waitFor()
  await page
    .getByRole("link", { name: /somewhere/ })
    .first()
    .waitFor({ state: "detached" })
  // It leaves the list as soon as the phone keeps it, and is sent after that.
  const done = await taskWhen(stage, { token, taskId: task._id }, ({ status }) => status === "DONE")
  assert.deepEqual([done.status, done.code, done.boxes], ["DONE", "D-7", 12], "ruling 35: a number")
  assert.deepEqual([done.result, done.label], [["SUKSES"], ["SUKSES"]], "ruling 35: a list")
  await context.close()
})

test("ruling 35: the console shows values in any form, and writes numbers and lists", async () => {
  const { token, call, hubId } = await aHubWithWorkers(stage, ["nils"])
  const components = [
    { id: "outlet", component: "input", type: "String", title: "Outlet", showAs: "title" },
    { id: "weight", component: "input", type: "Numeric", title: "Weight", showAs: "content" },
    { id: "result", component: "select", options: ["SUKSES", "GAGAL"], title: "Result", showAs: "label" },
    { id: "sign", component: "signature", title: "Signature" },
  ]
  await call("POST", "/flow", { name: "Visit", pages: [{ id: "page0", title: "Visit", components }] })
  const elsewhere = "https://elsewhere.example/sign.png"
  const { task } = await call<{ task: { _id: string } }>("POST", "/task", {
    ...{ flow: "Visit", hubId, outlet: "Shop 9", weight: "1250.5", result: ["SUKSES"], sign_url: elsewhere },
  })
  const fields = [
    { id: "dataId", title: "Code", type: "primaryKey", primaryKey: true, required: true },
    { id: "stock", title: "Stock", type: "number" },
  ]
  const { data_type: type } = await call<{ data_type: { _id: string } }>("POST", "/data-type", {
    ...{ name: "Outlets", fields, commonData: true, limitUser: false },
  })
  const { data: record } = await call<{ data: { _id: string } }>("POST", "/data", {
    ...{ dataTypeId: type._id, dataId: "O-1", stock: "1250.5" },
  })
  const { context, page } = await aPage(stage)
  const asked: string[] = []
  page.on("request", (request) => asked.push(request.url()))
  await page.goto(`${stage.address}/tasks?task=${task._id}`)
  await fillSignIn(page, stage.owner)
  const panel = page.getByRole("dialog")
  await panel.getByText("1,250.5", { exact: true }).waitFor()
  await panel.getByText(elsewhere).waitFor()
  assert.deepEqual(
    asked.filter((url) => url.includes("elsewhere.example")),
    [],
    "ruling 40: files of other places are not opened",
  )
  await panel.getByRole("button", { name: "Edit" }).click()
  const form = page.getByRole("dialog", { name: "Edit task" })
  const result = form.getByRole("combobox", { name: "Result" })
  await result.waitFor()
  assert.equal(await result.inputValue(), "SUKSES")
  assert.equal(await form.getByLabel("Weight").inputValue(), "1250.5")
  await form.getByLabel("Weight").fill("800")
  await result.click()
  await page.getByRole("option", { name: "GAGAL" }).click()
  await form.getByRole("button", { name: "Save" }).click()
  await form.waitFor({ state: "detached" })
  const saved = await readTask(stage, token, task._id)
  assert.deepEqual([saved.weight, saved.result, saved.content, saved.label], [800, ["GAGAL"], 800, ["GAGAL"]])

  await page.goto(`${stage.address}/data/${type._id}`)
  await page.getByRole("button", { name: "1,250.5" }).waitFor()
  await page.getByRole("button", { name: /O-1/ }).click()
  const drawer = page.getByRole("dialog", { name: "O-1" })
  assert.equal(await drawer.getByLabel("Stock").inputValue(), "1250.5")
  await drawer.getByLabel("Stock").fill("7")
  await drawer.getByRole("button", { name: "Save" }).click()
  await drawer.waitFor({ state: "detached" })
  const { data } = await call<{ data: { stock: unknown } }>("GET", `/data/${record._id}`)
  assert.equal(data.stock, 7)
  await context.close()
})

test("new stops and messages reach the inbox, a message waits for a network, and codes are read with a load check", async () => {
  const { workers, call, aDelivery } = await aHubWithWorkers(stage, ["nora"])
  const [worker] = workers
  const { context, page, troubles } = await aPhone(stage)
  await signInOnThePhone(stage, page, worker)
  await page.getByRole("link", { name: /Open inbox/ }).click()
  await page.getByText("Nothing new").waitFor()
  await aDelivery("Harbour Books", [worker], { refId: "P-101" })
  await aDelivery("Mill", [worker], { refId: "P-102" })
  await page.getByText("New stop").first().waitFor()
  await page.getByText("Harbour Books").waitFor()
  await page.getByRole("link", { name: "Message my planner" }).click()
  await page.getByText("No messages yet").waitFor()
  await context.setOffline(true)
  await page.getByLabel("Write a message").fill("The gate is locked")
  await page.getByRole("button", { name: "Send" }).click()
  await page.getByText("1 message waits to be sent").waitFor()
  await context.setOffline(false)
  await page.getByText("1 message waits to be sent").waitFor({ state: "detached" })
  const { data } = await call<{ data: { userId: string; lastText: string }[] }>("GET", "/conversations")
  assert.equal(data[0]?.lastText, "The gate is locked")
  await call("POST", "/message", { userId: data[0]?.userId, text: "Use the side entrance" })
  await page.getByText("Use the side entrance").waitFor()

  await writeFile(stage.film, await filmOf("P-102"))
  await page.goto(`${stage.address}/field/load`)
  await page.getByRole("button", { name: "Scan the load" }).click()
  // The camera sees it by itself, and counts it once however long it looks.
  await page
    .getByRole("status")
    .filter({ hasText: /Mill: 1 of 1/ })
    .waitFor()
  const scanned = async (code: string, verdict: RegExp) => {
    const photo = { name: "code.png", mimeType: "image/png", buffer: await barcode(code) }
    await page.locator("label input[type=file], input[type=file]").first().setInputFiles(photo)
    await page.getByRole("status").filter({ hasText: verdict }).waitFor()
  }
  await page.getByRole("button", { name: "Take photo", disabled: false }).waitFor()
  await scanned("X-999", /Unknown: X-999/)
  await scanned("P-101", /Harbour Books: 1 of 1/)
  await page.getByRole("button", { name: "Done" }).click()
  await page.getByText("Everything is loaded").waitFor()
  await page.getByText("X-999").waitFor()
  assert.deepEqual(troubles, [])
  await context.close()
})

test("a push message that arrives with the page closed is shown, and a tap opens the stop that it is about", async () => {
  const { workers, aDelivery } = await aHubWithWorkers(stage, ["pia"])
  const [worker] = workers
  const taskId = await aDelivery("Harbour Books", [worker])
  const { context, page } = await aPhone(stage)
  await signInOnThePhone(stage, page, worker)
  await keptByTheBrowser(page)
  const [serviceWorker = never()] = context.serviceWorkers()
  // A browser without a screen refuses notifications: the worker's call is recorded in their place.
  await serviceWorker.evaluate(() => {
    const scope = globalThis as unknown as { registration: object; shown?: object }
    Object.assign(scope.registration, {
      showNotification: async (title: string, options: object) => {
        scope.shown = { title, ...options }
      },
    })
  })
  const other = await context.newPage()
  const devtools = await context.newCDPSession(other)
  const registered = new Promise<string>((resolve) =>
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(stage.address))
      if (own) resolve(own.registrationId)
    }),
  )
  await devtools.send("ServiceWorker.enable")
  const registrationId = await registered
  await page.close()
  const data = JSON.stringify({ kinds: { taskNew: 1 }, language: "id", taskId })
  await devtools.send("ServiceWorker.deliverPushMessage", { origin: stage.address, registrationId, data })
  const again = await context.newPage()
  await again.goto(`${stage.address}/field`)
  await again.getByRole("heading", { name: "Today" }).waitFor()
  const shown = await serviceWorker.evaluate(() => {
    const scope = globalThis as unknown as EventTarget & { shown?: { title: string; body: string } }
    const { title, body } = scope.shown ?? {}
    scope.dispatchEvent(
      Object.assign(new Event("notificationclick"), {
        notification: { ...scope.shown, close: () => undefined },
        waitUntil: () => undefined,
      }),
    )
    return { title, body }
  })
  assert.deepEqual(shown, { title: "Fieldway", body: "1 perhentian baru" }, "no names and no places")
  await again.waitForURL(`${stage.address}/field/${taskId}`)
  await context.close()
})

async function loadWriter(): Promise<void> {
  const wasm = await readFile(new URL(import.meta.resolve("zxing-wasm/writer/zxing_writer.wasm")))
  prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(wasm).buffer } })
}

/** A real barcode as a picture. */
async function barcode(text: string): Promise<Buffer> {
  const { image } = await writeBarcode(text, { format: "Code128", scale: 4 })
  assert.ok(image)
  return Buffer.from(await image.arrayBuffer())
}

/** What a camera sees that is held over a code: one frame of an uncompressed film (YUV4MPEG2), which the browser repeats. */
async function filmOf(text: string): Promise<Buffer> {
  await loadWriter()
  const { symbol } = await writeBarcode(text, { format: "QRCode" })
  const [width, height, dot, edge] = [640, 480, 10, 80]
  const brightness = Buffer.alloc(width * height, 255)
  for (let y = 0; y < symbol.height * dot; y += 1)
    for (let x = 0; x < symbol.width * dot; x += 1) {
      const isDark = symbol.data[Math.floor(y / dot) * symbol.width + Math.floor(x / dot)] === 0
      if (isDark) brightness[(y + edge) * width + x + edge] = 0
    }
  const colors = Buffer.alloc((width * height) / 2, 128)
  const header = `YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\nFRAME\n`
  return Buffer.concat([Buffer.from(header), brightness, colors])
}

/** Runs in the page: the files that its worker keeps, without the hash of their content. */
async function namesOfKeptFiles(): Promise<string[]> {
  const requests = await Promise.all(
    (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
  )
  return requests.flat().map(({ url }) => url.replace(/^.*\/|-[^-]*$/g, ""))
}
