import assert from "node:assert/strict"
import type { Browser, BrowserContext, Page } from "playwright-core"
import type { StartedFieldway } from "../started-fieldway.ts"

/** A field worker's phone and what the planner has for it, for the tests of the phone page. */
export const phoneSize = { width: 390, height: 844 }

export interface Worker {
  email: string
  password: string
}

export interface Phone {
  context: BrowserContext
  page: Page
  /** What the page's script complained about. */
  troubles: string[]
}

export async function aPhone(
  browser: Browser,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<Phone> {
  const context = await browser.newContext({
    locale: "en-GB",
    viewport: phoneSize,
    hasTouch: true,
    isMobile: true,
    reducedMotion: "reduce",
    // Without an answer to the question for its place, the page waits for seconds at each finish.
    permissions: ["geolocation"],
    geolocation: { latitude: 52.37, longitude: 4.9, accuracy: 10 },
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const troubles: string[] = []
  page.on("pageerror", (error) => troubles.push(String(error)))
  return { context, page, troubles }
}

export async function signInOnThePhone(fieldway: StartedFieldway, page: Page, worker: Worker): Promise<void> {
  await page.goto(`${fieldway.address}/field`)
  await enterPassword(page, worker)
}

export async function enterPassword(page: Page, worker: Worker): Promise<void> {
  await page.getByLabel("E-mail").fill(worker.email)
  await page.getByLabel("Password", { exact: true }).fill(worker.password)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("heading", { name: "Today" }).waitFor()
}

/** Until the page has told the browser to keep itself: from here on the phone needs nobody. */
export async function keptByTheBrowser(page: Page): Promise<void> {
  await page.waitForFunction(async () => {
    const registration = await navigator.serviceWorker.ready
    return registration.active?.state === "activated"
  })
}

/** A stroke across the place for the signature. */
export async function sign(page: Page): Promise<void> {
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

export interface PhoneTask {
  status: string
  doneBy?: string
  doneTime?: string
  additions?: { doneBy: string; doneTime: string; values: Record<string, unknown> }[]
  histories: { action: string }[]
  [key: string]: unknown
}

export async function readTask(fieldway: StartedFieldway, token: string, taskId: string): Promise<PhoneTask> {
  const { task } = (await fieldway.call(token, "GET", `/task/${taskId}`)) as { task: PhoneTask }
  return task
}

export const isDone = ({ status }: { status: string }) => status === "DONE"

export async function finishStop(page: Page, name: RegExp, receivedBy: string): Promise<void> {
  await page.getByRole("link", { name }).first().click()
  await page.getByRole("button", { name: "Next" }).click()
  await page.getByLabel("Received by").fill(receivedBy)
  await page.getByRole("button", { name: "Finish task" }).click()
  await page.getByRole("heading", { name: "Today" }).waitFor()
}

/** Waits until the server has the task as wanted. */
export async function taskWhen(
  fieldway: StartedFieldway,
  { token, taskId }: { token: string; taskId: string },
  isWanted: (task: PhoneTask) => boolean,
): Promise<PhoneTask> {
  for (;;) {
    const task = await readTask(fieldway, token, taskId)
    if (isWanted(task)) return task
  }
}

/** Calls of the API as the owner. */
export async function anOwner(fieldway: StartedFieldway) {
  const token = await fieldway.tokenOf(fieldway.owner.email, fieldway.owner.password)
  const call = async <T>(method: string, path: string, body?: unknown) =>
    (await fieldway.call(token, method, path, body)) as T
  return { token, call }
}

export async function aHubWithWorkers(fieldway: StartedFieldway, names: readonly string[], role = /field/i) {
  const { token, call } = await anOwner(fieldway)
  const hub = await call<{ data: { _id: string } }>("POST", "/hub", {
    ...{ name: `Depot of ${names.join(" and ")}`, address: "Quay 1", lat: 52.37, lng: 4.9 },
  })
  const hubId = hub.data._id
  const roles = await call<{ data: { _id: string; name: string }[] }>("GET", "/roles")
  const roleId = roles.data.find(({ name }) => role.test(name))?._id
  const workers: Worker[] = []
  for (const name of names) {
    const worker = { email: `${name}@fieldway.test`, password: "field-User-1" }
    await call("POST", "/user", { name, ...worker, roleId, hubId: [hubId] })
    workers.push(worker)
  }
  const flows = await call<{ flows: { data: { _id: string; name: string }[] } }>("GET", "/flows")
  const delivery = flows.flows.data.find(({ name }) => name === "Delivery")
  assert.ok(delivery)
  const aDelivery = async (receiverName: string, assignee: readonly Worker[], more: object = {}) => {
    const { task } = await call<{ task: { _id: string } }>("POST", "/task", {
      ...{ flow: delivery.name, flowId: delivery._id, hubId, receiverName, deliveryAddress: "Quay 3" },
      assignee: assignee.map(({ email }) => email),
      ...more,
    })
    return task._id
  }
  return { hubId, workers, token, call, aDelivery }
}
