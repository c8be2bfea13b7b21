import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import type { Browser, Page } from "playwright-core"
import { openBrowser } from "./browser.ts"
import { type StartedFieldway, startForBrowser } from "./started-fieldway.ts"

/** A field worker's phone: tasks are done without a network and arrive once, whole, when there is one again. */
let fieldway: StartedFieldway
let browser: Browser

before(async () => {
  ;[fieldway, browser] = await Promise.all([startForBrowser(), openBrowser()])
})

after(async () => {
  await browser?.close()
  await fieldway?.close()
})

interface Done {
  status: string
  receivedBy?: string
  proofPhoto?: unknown
  receiverSignature?: unknown
  doneTime?: string
  histories: { action: string }[]
}

test("a task with a photo and a signature is done without a network and arrives exactly once", async () => {
  const { worker, ownerToken, taskId } = await aWorkerWithATask()
  const context = await browser.newContext({
    locale: "en-GB",
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: "reduce",
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const troubles: string[] = []
  page.on("pageerror", (error) => troubles.push(String(error)))

  await signInOnThePhone(page, worker)
  await page.getByRole("link", { name: /Harbour Books/ }).waitFor()
  // The page has told the browser to keep itself: from here on the phone needs nobody.
  await page.waitForFunction(async () => {
    const registration = await navigator.serviceWorker.ready
    return registration.active?.state === "activated"
  })

  await context.setOffline(true)
  await page.reload()
  await page.getByText("No network").waitFor()
  await page.getByRole("link", { name: /Harbour Books/ }).click()
  await page.getByRole("button", { name: "Next" }).click()
  await page.getByLabel("Received by").fill("The neighbour at 14")
  const photo = { name: "door.png", mimeType: "image/png", buffer: await page.screenshot() }
  await page.locator("input[type=file]").setInputFiles(photo)
  await page.getByRole("img", { name: "Photo 1" }).waitFor()
  await sign(page)
  await page.getByRole("button", { name: "Finish task" }).click()
  await page.getByText("1 task waits to be sent").waitFor()
  const before = await readTask(ownerToken, taskId)
  assert.equal(before.status, "ONGOING", "nothing has left the phone")

  await page.reload()
  await page.getByText("1 task waits to be sent").waitFor()
  await context.setOffline(false)
  await page.getByText("1 task waits to be sent").waitFor({ state: "detached" })
  await page.getByText("Nothing to do right now").waitFor()

  const done = await readTask(ownerToken, taskId)
  assert.equal(done.status, "DONE")
  assert.equal(done.receivedBy, "The neighbour at 14")
  assert.equal(done.histories.filter(({ action }) => action === "patch").length, 1, "it was finished once")
  assert.match(JSON.stringify(done.proofPhoto ?? done), /https?:[^"]+proofPhoto/)
  assert.match(JSON.stringify(done.receiverSignature), /https?:/)
  assert.deepEqual(troubles, [])
})

test("a record that is chosen on the phone fills the fields of the task", async () => {
  const { worker, ownerToken, hubId } = await aWorkerWithATask("lena")
  const call = async <T>(method: string, path: string, body?: unknown) =>
    (await fieldway.call(ownerToken, method, path, body)) as T
  const fields = [
    { id: "dataId", title: "Code", type: "primaryKey", primaryKey: true, required: true },
    { id: "crates", title: "Crates", type: "number" },
  ]
  const { data_type: type } = await call<{ data_type: { _id: string } }>("POST", "/data-type", {
    ...{ name: "Depot", fields, commonData: false, limitUser: false },
  })
  await call("POST", "/data", { dataTypeId: type._id, hubId, dataId: "D-7", crates: 12 })
  const components = [
    { id: "code", component: "input", type: "String", title: "Depot code", showAs: "title" },
    { id: "boxes", component: "input", type: "Numeric", title: "Boxes" },
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
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  await signInOnThePhone(page, worker)
  await page.getByRole("link", { name: /somewhere/ }).click()
  await page.getByRole("combobox", { name: "Depot code" }).fill("D-")
  await page.getByRole("option", { name: "D-7" }).click()
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>("input[inputmode]")?.value === "12",
  )
  await page.getByRole("button", { name: "Finish task" }).click()
  await page.getByRole("heading", { name: "My tasks" }).waitFor()
  await page.getByRole("link", { name: /somewhere/ }).waitFor({ state: "detached" })
  // It leaves the list as soon as the phone keeps it, and is sent after that.
  const read = async () => (await readTask(ownerToken, task._id)) as Done & { code: string; boxes: number }
  let done = await read()
  while (done.status !== "DONE") done = await read()
  assert.deepEqual([done.status, done.code, done.boxes], ["DONE", "D-7", 12])
  await context.close()
})

async function signInOnThePhone(page: Page, worker: { email: string; password: string }): Promise<void> {
  await page.goto(`${fieldway.address}/field`)
  await page.getByLabel("E-mail").fill(worker.email)
  await page.getByLabel("Password", { exact: true }).fill(worker.password)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("heading", { name: "My tasks" }).waitFor()
}

/** A stroke across the place for the signature. */
async function sign(page: Page): Promise<void> {
  const canvas = page.locator("canvas")
  await canvas.scrollIntoViewIfNeeded()
  const box = await canvas.boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + 20, box.y + 40)
  await page.mouse.down()
  await page.mouse.move(box.x + 120, box.y + 70, { steps: 4 })
  await page.mouse.move(box.x + 200, box.y + 20, { steps: 4 })
  await page.mouse.up()
}

async function readTask(token: string, taskId: string): Promise<Done> {
  const { task } = (await fieldway.call(token, "GET", `/task/${taskId}`)) as { task: Done }
  return task
}

async function aWorkerWithATask(name = "mara") {
  const worker = { email: `${name}@fieldway.test`, password: "field-User-1" }
  const ownerToken = await fieldway.tokenOf(fieldway.owner.email, fieldway.owner.password)
  const call = async <T>(method: string, path: string, body?: unknown) =>
    (await fieldway.call(ownerToken, method, path, body)) as T
  const hub = await call<{ data: { _id: string } }>("POST", "/hub", {
    name: `Depot of ${name}`,
    address: "Quay 1",
    lat: 52.37,
    lng: 4.9,
  })
  const roles = await call<{ data: { _id: string; name: string }[] }>("GET", "/roles")
  const roleId = roles.data.find(({ name }) => /field/i.test(name))?._id
  await call("POST", "/user", {
    name,
    email: worker.email,
    password: worker.password,
    roleId,
    hubId: [hub.data._id],
  })
  const flows = await call<{ flows: { data: { _id: string; name: string }[] } }>("GET", "/flows")
  const delivery = flows.flows.data.find(({ name }) => name === "Delivery")
  assert.ok(delivery)
  const created = await call<{ task: { _id: string } }>("POST", "/task", {
    flow: delivery.name,
    flowId: delivery._id,
    hubId: hub.data._id,
    receiverName: "Harbour Books",
    deliveryAddress: "Quay 3",
    assignee: [worker.email],
  })
  return { worker, ownerToken, taskId: created.task._id, hubId: hub.data._id }
}
