import assert from "node:assert/strict"
import type { BrowserContextOptions, Page } from "playwright-core"
import { aPage, fillSignIn, type OpenPage, type Person, phoneSize, type Stage } from "../stage.ts"

/** A field worker's phone and what the planner has for it, for the tests of the phone page. */
export function aPhone(stage: Stage, options: BrowserContextOptions = {}): Promise<OpenPage> {
  return aPage(stage, {
    viewport: phoneSize,
    hasTouch: true,
    isMobile: true,
    // Without an answer to the question for its place, the page waits for seconds at each finish.
    permissions: ["geolocation"],
    geolocation: { latitude: 52.37, longitude: 4.9, accuracy: 10 },
    ...options,
  })
}

export async function signInOnThePhone(stage: Stage, page: Page, worker: Person): Promise<void> {
  await page.goto(`${stage.address}/field`)
  await enterPassword(page, worker)
}

export async function enterPassword(page: Page, worker: Person): Promise<void> {
  await fillSignIn(page, worker)
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
  _id: string
  status: string
  doneBy?: string
  doneTime?: string
  additions?: { doneBy: string; doneTime: string; values: Record<string, unknown> }[]
  histories: { action: string }[]
  [key: string]: unknown
}

export async function readTask(stage: Stage, token: string, taskId: string): Promise<PhoneTask> {
  const { task } = (await stage.call(token, "GET", `/task/${taskId}`)) as { task: PhoneTask }
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
  stage: Stage,
  { token, taskId }: { token: string; taskId: string },
  isWanted: (task: PhoneTask) => boolean,
): Promise<PhoneTask> {
  for (;;) {
    const task = await readTask(stage, token, taskId)
    if (isWanted(task)) return task
  }
}

/** Calls of the API as the owner. */
export async function anOwner(stage: Stage) {
  const token = await stage.tokenOf(stage.owner.email, stage.owner.password)
  const call = async <T>(method: string, path: string, body?: unknown) =>
    (await stage.call(token, method, path, body)) as T
  return { token, call }
}

export async function aHubWithWorkers<const Names extends readonly string[]>(
  stage: Stage,
  names: Names,
  role = /field/i,
) {
  const { token, call } = await anOwner(stage)
  const hub = await call<{ data: { _id: string } }>("POST", "/hub", {
    ...{ name: `Depot of ${names.join(" and ")}`, address: "Quay 1", lat: 52.37, lng: 4.9 },
  })
  const hubId = hub.data._id
  const roles = await call<{ data: { _id: string; name: string }[] }>("GET", "/roles")
  const roleId = roles.data.find(({ name }) => role.test(name))?._id
  const workers = names.map((name) => ({ name, email: `${name}@fieldway.test`, password: "field-User-1" }))
  for (const worker of workers) await call("POST", "/user", { ...worker, roleId, hubId: [hubId] })
  const flows = await call<{ flows: { data: { _id: string; name: string }[] } }>("GET", "/flows")
  const delivery = flows.flows.data.find(({ name }) => name === "Delivery")
  assert.ok(delivery)
  const aDelivery = async (receiverName: string, assignee: readonly Person[], more: object = {}) => {
    const { task } = await call<{ task: { _id: string } }>("POST", "/task", {
      ...{ flow: delivery.name, flowId: delivery._id, hubId, receiverName, deliveryAddress: "Quay 3" },
      assignee: assignee.map(({ email }) => email),
      ...more,
    })
    return task._id
  }
  return { hubId, workers: workers as { [Index in keyof Names]: Person }, token, call, aDelivery }
}
