import assert from "node:assert/strict"
import { test } from "node:test"
import type { BrowserContext, Page, Route } from "playwright-core"
import { openStage, type Person } from "../stage.ts"
import { aHubWithWorkers, aPhone, enterPassword, readTask } from "./phone.ts"

/**
 * Random schedules of work and faults on a phone that two people share: outages, lost responses, killed pages, changed
 * clocks, ended sessions, a full disk. A model beside it knows who finished what and when; at the end the server has all
 * of it, once. `FIELD_SEED=7 FIELDWAY_SCHEDULES=1` repeats one schedule; `FIELDWAY_LONG` runs many.
 */
const seed = Number(process.env.FIELD_SEED ?? 1)
const scheduleCount = Number(process.env.FIELDWAY_SCHEDULES ?? (process.env.FIELDWAY_LONG ? 10_000 : 10))
const schedulesPerPhone = 10
/** Some minutes of the hour that a test of `npm run test:long` may take. */
const schedulesPerTest = 100
const stepsPerSchedule = 4

const stage = await openStage()

/** A small generator of numbers from 0 to 1 (mulberry32): a failure names its seed. */
function randomOf(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Network = "works" | "cut" | "loses responses" | "is busy"

interface Finished {
  taskId: string
  by: string
  receivedBy: string
  at: number
}

/** The phone under test with what the model knows of it. */
class SharedPhone {
  network: Network = "works"
  readonly finished: Finished[] = []
  readonly log: string[] = []
  page!: Page
  private clockMilliseconds = 0
  private readonly context: BrowserContext
  private readonly workers: readonly [Person, Person]
  worker: Person

  constructor(context: BrowserContext, workers: readonly [Person, Person]) {
    this.context = context
    this.workers = workers
    this.worker = workers[0]
  }

  async start(page: Page): Promise<void> {
    this.page = page
    await this.context.addInitScript(preparePhone)
    await this.context.route("**/api/v3/**", (route) => this.pass(route).catch(() => undefined))
    await page.goto(`${stage.address}/field`)
    await enterPassword(page, this.worker)
  }

  private async pass(route: Route): Promise<void> {
    const isWrite = route.request().method() !== "GET" && !route.request().url().includes("/login")
    if (this.network === "works" || route.request().url().includes("/logout")) return route.continue()
    if (this.network === "cut") return route.abort()
    if (!isWrite) return route.continue()
    if (this.network === "is busy") return route.fulfill({ status: 503, json: { message: "Busy" } })
    await route.fetch()
    return route.abort()
  }

  /** Finishes an open stop; another time than the first, the disk is full at that moment. */
  async finish(name: string, taskId: string, isFull: boolean): Promise<void> {
    const stop = this.page.getByRole("link", { name: new RegExp(`^${name}\\b`) }).first()
    await stop.click()
    await this.page.getByRole("button", { name: "Next" }).click()
    const receivedBy = `${name} ${this.worker.email} ${this.finished.length}`
    await this.page.getByLabel("Received by").fill(receivedBy)
    const finish = this.page.getByRole("button", { name: "Finish task" })
    if (isFull) {
      await this.setPhone({ isFull: true })
      await finish.click()
      await this.page.getByText("This phone could not keep").first().waitFor()
      await this.setPhone({ isFull: false })
    }
    const entry = { taskId, by: this.worker.email, receivedBy, at: Date.now() }
    await finish.click()
    await this.page.getByRole("heading", { name: "Today" }).waitFor()
    this.finished.push(entry)
  }

  async kill(): Promise<void> {
    await this.page.close()
    this.page = await this.context.newPage()
    await this.open()
  }

  async setClock(hours: number): Promise<void> {
    this.clockMilliseconds = hours * 3_600_000
    await this.setPhone({ clockError: this.clockMilliseconds })
  }

  async endSession(): Promise<void> {
    await this.context.clearCookies()
  }

  async switchPerson(): Promise<void> {
    this.network = "works"
    await this.open()
    await this.page.getByRole("link", { name: "This phone" }).click()
    await this.page.getByRole("button", { name: "Sign out" }).click()
    await this.page
      .getByRole("dialog")
      .getByRole("button", { name: /^Sign out/ })
      .click()
    this.worker = this.worker === this.workers[0] ? this.workers[1] : this.workers[0]
    await enterPassword(this.page, this.worker)
  }

  /** Opens the page as its person, who signs in again where the session has ended. */
  async open(): Promise<void> {
    await this.page.goto(`${stage.address}/field`)
    const today = this.page.getByRole("heading", { name: "Today" })
    await today.or(this.page.getByLabel("E-mail")).first().waitFor()
    if (await today.isVisible()) return
    this.network = "works"
    await enterPassword(this.page, this.worker)
  }

  /** Everything of the present person reaches the server. */
  async settle(): Promise<void> {
    this.network = "works"
    await this.open()
    for (;;) {
      const state = await this.page.waitForFunction(() => {
        const shown = document.body.innerText
        if (shown.includes("Sign in again")) return "signed out"
        const isShown = document.querySelector("h1")?.textContent === "Today"
        return !isShown || /waits? to be sent|No network/.test(shown) ? false : "sent"
      })
      if ((await state.jsonValue()) === "sent") break
      await this.page.getByRole("link", { name: "Sign in", exact: true }).click()
      await enterPassword(this.page, this.worker)
    }
    assert.equal(await this.page.getByText("was refused").count(), 0, this.log.join("\n"))
  }

  private async setPhone(values: { isFull?: boolean; clockError?: number }): Promise<void> {
    await this.page.evaluate((given) => {
      Object.assign(globalThis, given)
      if (given.clockError !== undefined) localStorage.setItem("test.clock-error", String(given.clockError))
    }, values)
  }
}

/** Runs in the page: a clock that can be changed, and a disk that can be full. */
function preparePhone(): void {
  const phone = globalThis as unknown as { isFull?: boolean; clockError: number }
  phone.clockError = Number(localStorage.getItem("test.clock-error") ?? 0)
  const RealDate = Date
  class ShiftedDate extends RealDate {
    constructor(...given: unknown[]) {
      if (given.length === 0) super(RealDate.now() + phone.clockError)
      else super(...(given as [number]))
    }
    static override now() {
      return RealDate.now() + phone.clockError
    }
  }
  globalThis.Date = ShiftedDate as DateConstructor
  const put = IDBObjectStore.prototype.put
  IDBObjectStore.prototype.put = function (...given) {
    if (phone.isFull) throw new DOMException("The disk is full", "QuotaExceededError")
    return put.apply(this, given)
  }
}

/** One step of a schedule, chosen by a number from 0 to 1. */
async function step(phone: SharedPhone, random: () => number, open: { name: string; taskId: string }[]) {
  const chance = random()
  const note = (text: string) => phone.log.push(`${phone.worker.email}: ${text}`)
  if (chance < 0.55) {
    const mine = open.filter(
      ({ taskId }) => !phone.finished.some((one) => one.taskId === taskId && one.by === phone.worker.email),
    )
    const stop = mine[Math.floor(random() * mine.length)]
    if (!stop) return
    const link = phone.page.getByRole("link", { name: new RegExp(`^${stop.name}\\b`) })
    if ((await link.count()) === 0) return note(`does not see ${stop.name}`)
    const isFull = random() < 0.15
    note(`finishes ${stop.name}${isFull ? " on a full disk" : ""}`)
    return phone.finish(stop.name, stop.taskId, isFull)
  }
  if (chance < 0.8) {
    const states = ["works", "cut", "cut", "loses responses", "loses responses", "is busy"] as const
    phone.network = states[Math.floor(random() * states.length)] ?? "cut"
    return note(`the network ${phone.network}`)
  }
  if (chance < 0.86) {
    note("the page is killed")
    return phone.kill()
  }
  if (chance < 0.92) {
    const hours = Math.round(random() * 12) - 6
    note(`the clock is ${hours} h off`)
    return phone.setClock(hours)
  }
  if (chance < 0.95) {
    note("the session ends")
    return phone.endSession()
  }
  note("signs out")
  return phone.switchPerson()
}

/** Everything that was finished is on the server once: as the task's own entries, or attached to it. */
async function compare(token: string, taskIds: readonly string[], phone: SharedPhone, run: string) {
  const context = `${run}\n${phone.log.join("\n")}`
  for (const taskId of taskIds) {
    const task = await readTask(stage, token, taskId)
    const wanted = phone.finished.filter((entry) => entry.taskId === taskId)
    const own = task.status === "DONE" ? [{ ...task, values: task as Record<string, unknown> }] : []
    const found = [...own, ...(task.additions ?? [])].map(({ doneBy = "", doneTime, values }) => ({
      receivedBy: String(values.receivedBy),
      doneBy,
      doneTime: Date.parse(String(doneTime)),
    }))
    assert.deepEqual(
      found.map(({ receivedBy, doneBy }) => `${receivedBy} by ${doneBy}`).sort(),
      wanted.map(({ receivedBy, by }) => `${receivedBy} by ${by}`).sort(),
      context,
    )
    for (const { receivedBy, doneTime } of found) {
      const at = wanted.find((entry) => entry.receivedBy === receivedBy)?.at ?? 0
      assert.ok(Math.abs(doneTime - at) < 60_000, `${receivedBy}: ${new Date(doneTime)}\n${context}`)
    }
  }
}

for (let start = 0; start < scheduleCount; start += schedulesPerTest) {
  const end = Math.min(start + schedulesPerTest, scheduleCount)
  const seeds = `from seed ${seed + start}`
  test(`${end - start} random schedules of faults lose nothing and repeat nothing, ${seeds}`, () =>
    runSchedules(start, end))
}

/** Phones at once: one waits for a network while another works. */
const phonesAtOnce = 3

async function runSchedules(start: number, end: number): Promise<void> {
  let next = start
  const workThrough = async () => {
    while (next < end) {
      const first = next
      next += schedulesPerPhone
      await runPhone(first, Math.min(schedulesPerPhone, end - first))
    }
  }
  await Promise.all(Array.from({ length: phonesAtOnce }, workThrough))
}

/** A phone and its two people: one schedule after the other, then all that they did is compared. */
async function runPhone(first: number, count: number): Promise<void> {
  const { workers, token, aDelivery } = await aHubWithWorkers(stage, [`ulla-${first}`, `vito-${first}`])
  const [ulla, vito] = workers
  const run = `FIELD_SEED=${seed + first}`
  const random = randomOf(seed + first)
  const tasks: { name: string; taskId: string }[] = []
  for (let index = 0; index < 2 * count; index += 1) {
    const name = `Stop${first + index}x`
    tasks.push({ name, taskId: await aDelivery(name, [ulla, vito]) })
  }
  const { context, page, troubles } = await aPhone(stage)
  const phone = new SharedPhone(context, [ulla, vito])
  try {
    await phone.start(page)
    for (let schedule = 0; schedule < count; schedule += 1) {
      for (let number = 0; number < stepsPerSchedule; number += 1) await step(phone, random, tasks)
      await phone.settle()
    }
    await phone.switchPerson()
    await phone.settle()
  } catch (error) {
    throw new Error(`${run}\n${phone.log.join("\n")}`, { cause: error })
  }
  const taskIds = tasks.map(({ taskId }) => taskId)
  await compare(token, taskIds, phone, run)
  assert.ok(phone.finished.length > 0, `hardly anything was finished: ${run}\n${phone.log.join("\n")}`)
  assert.deepEqual(troubles, [], run)
  await context.close()
}
