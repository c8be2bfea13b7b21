import assert from "node:assert/strict"
import type { BrowserContext, Page } from "playwright-core"
import { picturePng } from "../sample/pictures.ts"
import { aPage, fillSignIn, type Person, type Stage } from "../stage.ts"
import {
  aHubWithWorkers,
  anOwner,
  aPhone,
  enterPassword,
  keptByTheBrowser,
  signInOnThePhone,
  taskWhen,
} from "./phone.ts"

/**
 * The day of a person who is new to the field app: stops in order, the network gone at every other one, one stop that fails and
 * one that is done in part, a disk that is full for a while, a break, and a colleague who borrows the phone. In the end the planner's
 * data and screen agree with what was done.
 */
const reasons = { failed: "Nobody home", partial: "Damaged" } as const

interface Stop {
  name: string
  taskId: string
  outcome: "done" | "failed" | "partial"
}

/** Another amount at each stop. */
const cashOf = ({ name }: Stop) => `${/\d+/.exec(name)?.[0]}.5`

const photo = () => ({ name: "door.png", mimeType: "image/png", buffer: Buffer.from(picturePng("door")) })

export async function workADay(stage: Stage, stopCount: number): Promise<void> {
  const { workers, token, hubId } = await aHubWithWorkers(stage, ["dora", "emil"])
  const [dora, emil] = workers
  const addStop = await aRound(stage, hubId)
  const stops: Stop[] = []
  for (let number = 1; number <= stopCount; number += 1) {
    const outcome = number === 2 ? "failed" : number === 3 ? "partial" : "done"
    const name = `Stop${number}x`
    stops.push({ name, outcome, taskId: await addStop(name, dora, number) })
  }
  const emils: Stop = { name: "Emil1x", outcome: "done", taskId: await addStop("Emil1x", emil, 1) }
  const { context, page, troubles } = await aPhone(stage)
  await context.addInitScript(prepareDisk)
  await signInOnThePhone(stage, page, dora)
  await page.getByText(`0 of ${stopCount} done`).waitFor()
  await page.getByRole("button", { name: "Start work" }).click()
  await page.getByText(/Working since/).waitFor()
  await keptByTheBrowser(page)
  for (const [index, stop] of stops.entries()) {
    await context.setOffline(index % 2 === 1)
    if (index === 1) await page.reload()
    await workAt(page, stop, { isDiskFull: index === Math.min(7, stopCount - 1) })
    if (index === Math.floor(stopCount / 2) + 1) await takeABreak(page)
    if (index === Math.floor(stopCount / 2)) await lendPhone({ context, page }, { dora, emil, emils })
  }
  await context.setOffline(false)
  await page.getByText("Nothing to do right now").waitFor()
  await page.getByText(/wait(s)? to be sent/).waitFor({ state: "detached" })
  assert.equal(await page.getByText("was refused").count(), 0)
  await page.getByText(`${stopCount} of ${stopCount} done`).waitFor()
  await page.getByRole("button", { name: "Finish work" }).click()
  await page.getByText("Your position is sent only while you work").waitFor()
  await page.waitForFunction(noPositionWaits)
  assert.deepEqual(troubles, [])
  await context.close()
  for (const stop of stops) await agrees(stage, token, stop, dora)
  await agrees(stage, token, emils, emil)
  const [first] = stops
  // Who set out for the second stop had left the first.
  const left = await taskWhen(stage, { token, taskId: first?.taskId ?? "" }, ({ leftTime }) =>
    Boolean(leftTime),
  )
  assert.ok(Date.parse(String(left.leftTime)) >= Date.parse(String(left.arrivedTime)))
  await agreesOnHours(stage, token, dora)
  await agreesOnScreen(stage, stops)
}

/** Stops with a quantity, a photo and the outcomes of a courier. */
async function aRound(stage: Stage, hubId: string) {
  const { call } = await anOwner(stage)
  const text = (id: string, title: string, more: object = {}) => ({
    ...{ id, component: "input", type: "String", title, ...more },
  })
  const list = [
    { outcome: "failed", reasons: [reasons.failed, "Refused"], reasonRequired: true, required: ["door"] },
    { outcome: "partial", reasons: [reasons.partial, "Missing"], reasonRequired: true, required: ["crates"] },
  ]
  const { flow } = await call<{ flow: { _id: string } }>("POST", "/flow", {
    name: "Round of a day",
    pages: [
      { id: "page0", title: "Stop", components: [text("site", "Site", { showAs: "title", required: true })] },
      {
        id: "page1",
        title: "Proof",
        components: [
          text("who", "Received by", { required: true }),
          { id: "crates", component: "input", type: "Numeric", title: "Crates", required: true },
          { id: "cash", component: "input", type: "Numeric", title: "Cash received" },
          { id: "door", component: "photo", title: "Door", min: 1, max: 3, selectGallery: true },
        ],
      },
    ],
    configurations: [{ id: "outcomes", list }],
  })
  return async (site: string, worker: Person, orderIndex: number) => {
    const { task } = await call<{ task: { _id: string } }>("POST", "/task", {
      ...{ flow: "Round of a day", flowId: flow._id, hubId, site, orderIndex, assignee: [worker.email] },
    })
    return task._id
  }
}

async function workAt(page: Page, stop: Stop, { isDiskFull = false } = {}): Promise<void> {
  await page
    .getByRole("link", { name: new RegExp(stop.name) })
    .first()
    .click()
  await page.getByRole("button", { name: "On the way" }).click()
  await page.getByText(/On the way \d\d:\d\d UTC/).waitFor()
  await page.getByRole("button", { name: "Arrived" }).click()
  await page.getByText(/Arrived \d\d:\d\d UTC/).waitFor()
  if (stop.outcome !== "done") {
    await page.getByRole("button", { name: "Something else happened" }).click()
    await page.getByRole("button", { name: stop.outcome === "failed" ? "Failed" : "Partly done" }).click()
    await page.getByLabel("Reason").selectOption(reasons[stop.outcome])
  }
  if (stop.outcome !== "failed") {
    await page.getByRole("button", { name: "Next" }).click()
    await page.getByLabel("Received by").fill(`Keeper of ${stop.name}`)
    await page.getByLabel("Crates").fill(stop.outcome === "partial" ? "3" : "12")
    await page.getByLabel("Cash received").fill(cashOf(stop))
  }
  await page.locator("input[type=file]").setInputFiles(photo())
  await page.getByRole("img", { name: "Photo 1" }).waitFor()
  const finish = page.getByRole("button", { name: /^Finish/ })
  if (isDiskFull) {
    await setDisk(page, true)
    await finish.click()
    await page.getByText("This phone could not store your last entries").waitFor()
    assert.equal(await page.getByRole("img", { name: "Photo 1" }).count(), 1)
    await setDisk(page, false)
  }
  await finish.click()
  await page.getByRole("heading", { name: "Today" }).waitFor()
}

async function takeABreak(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Break" }).click()
  await page.getByText(/On a break since/).waitFor()
  await page.getByRole("button", { name: "Continue work" }).click()
  await page.getByText(/Working since/).waitFor()
}

/** A colleague signs in on the phone while work waits on it, does a stop, and gives it back. */
async function lendPhone(
  { context, page }: { context: BrowserContext; page: Page },
  { dora, emil, emils }: { dora: Person; emil: Person; emils: Stop },
): Promise<void> {
  // Calls about tasks get lost; signing in and out goes through.
  await context.route("**/api/v3/task/**", (route) => route.abort())
  await context.setOffline(false)
  await page.getByText(/waits? to be sent/).waitFor()
  await signOut(page, "Sign out and keep it here")
  await enterPassword(page, emil)
  assert.equal(await page.getByText(/Stop\d+x/).count(), 0, "a colleague sees nothing of hers")
  await context.unroute("**/api/v3/task/**")
  await workAt(page, emils)
  await page.getByText(/wait(s)? to be sent/).waitFor({ state: "detached" })
  await page.getByText("1 of 1 done").waitFor()
  await signOut(page, "Sign out")
  await enterPassword(page, dora)
  // What she sees was removed from the phone when she signed out.
  await page.getByText(/\d+ of \d+ done/).waitFor()
}

async function signOut(page: Page, button: string): Promise<void> {
  await page.getByRole("link", { name: "This phone" }).click()
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByRole("dialog").getByRole("button", { name: button }).click()
}

async function agrees(stage: Stage, token: string, stop: Stop, worker: Person): Promise<void> {
  const task = await taskWhen(stage, { token, taskId: stop.taskId }, ({ status }) => status === "DONE")
  assert.deepEqual([stop.name, task.outcome, task.doneBy], [stop.name, stop.outcome, worker.email])
  assert.equal(task.outcomeReason ?? undefined, stop.outcome === "done" ? undefined : reasons[stop.outcome])
  const crates = { done: 12, partial: 3, failed: undefined }[stop.outcome]
  assert.equal(task.crates ?? undefined, crates, stop.name)
  assert.equal(
    task.cash ?? undefined,
    stop.outcome === "failed" ? undefined : Number(cashOf(stop)),
    stop.name,
  )
  assert.deepEqual(task.additions ?? [], [], stop.name)
  assert.match(String(task.arrivedTime), /^\d{4}-/, stop.name)
  const photos = [...new Set(JSON.stringify(task).match(/https?:[^"]+_door[^"]*/g) ?? [])]
  assert.equal(photos.length, 1, `${stop.name}: ${photos}`)
}

async function agreesOnHours(stage: Stage, token: string, { email }: Person): Promise<void> {
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const path = `/attendance?timeFrom=${at(-12)}&timeTo=${at(1)}`
  const { data } = (await stage.call(token, "GET", path)) as {
    data: { email: string; finishTime: string | null; sessions: number }[]
  }
  const [own, ...others] = data.filter((entry) => entry.email === email)
  assert.deepEqual([own?.sessions, others.length], [2, 0], "before and after the break")
  assert.match(String(own?.finishTime), /^\d{4}-/)
}

/** What the planner sees of the stops that went wrong. */
async function agreesOnScreen(stage: Stage, stops: readonly Stop[]): Promise<void> {
  const { context, page } = await aPage(stage)
  const failed = stops.find(({ outcome }) => outcome === "failed")
  await page.goto(`${stage.address}/tasks?task=${failed?.taskId}`)
  await fillSignIn(page, stage.owner)
  const panel = page.getByRole("dialog")
  await panel.getByText(reasons.failed).first().waitFor()
  await panel.getByText("Failed", { exact: true }).first().waitFor()
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('[role="dialog"] img[src*="_door"]')].some(
      ({ naturalWidth }) => naturalWidth > 0,
    ),
  )
  await context.close()
}

function setDisk(page: Page, isFull: boolean): Promise<unknown> {
  return page.evaluate((full) => Object.assign(globalThis, { isFull: full }), isFull)
}

/** Runs in the page: a disk that can be full. */
function prepareDisk(): void {
  const phone = globalThis as unknown as { isFull?: boolean }
  const put = IDBObjectStore.prototype.put
  IDBObjectStore.prototype.put = function (...given) {
    if (phone.isFull) throw new DOMException("The disk is full", "QuotaExceededError")
    return put.apply(this, given)
  }
}

/** Runs in the page: whether the server has all positions. */
function noPositionWaits(): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const opened = indexedDB.open("fieldway-field")
    opened.onerror = () => reject(opened.error)
    opened.onsuccess = () => {
      const count = opened.result.transaction("points").objectStore("points").count()
      count.onsuccess = () => {
        opened.result.close()
        resolve(count.result === 0)
      }
    }
  })
}
