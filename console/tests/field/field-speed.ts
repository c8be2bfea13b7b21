/*
 * The field app with a long day on the phone: how fast it opens without a network, and how fast a stop is finished.
 * Run: node console/tests/field/field-speed.ts [stops] [rounds]; four photos a stop wait on the phone. CPU_SLOWDOWN=4 imitates a phone.
 */
import { writeFile } from "node:fs/promises"
import type { CDPSession, Page } from "playwright-core"
import { startStage } from "../stage.ts"
import { aHubWithWorkers, aPhone, keptByTheBrowser, signInOnThePhone } from "./phone.ts"

const [stops = "150", rounds = "7"] = process.argv.slice(2)
const slowdown = Number(process.env.CPU_SLOWDOWN ?? 1)
const count = Number(stops)
const atMost = { open: 1_000, finish: 100 }

const stage = await startStage()
try {
  const { workers, aDelivery } = await aHubWithWorkers(stage, ["bea"])
  const [worker] = workers
  if (!worker) throw new Error("the sample has a worker")
  for (let number = 0; number < count; number += 1)
    await aDelivery(`Stop${number}x`, [worker], { orderIndex: number })
  const { context, page } = await aPhone(stage)
  await signInOnThePhone(stage, page, worker)
  await page.getByText(`0 of ${count} done`).waitFor()
  await keptByTheBrowser(page)
  await context.setOffline(true)
  await page.evaluate(keepPhotos, 4)
  const opened: number[] = []
  const finished: number[] = []
  const finishedCpu: number[] = []
  for (let round = 0; round < Number(rounds); round += 1) {
    const phone = await context.newPage()
    const devtools = await context.newCDPSession(phone)
    await slowDown(devtools)
    await phone.addInitScript(noteWhenShown)
    await phone.goto(`${stage.address}/field`)
    opened.push(await shownAt(phone))
    const { wall, cpu } = await finishFirst(phone, devtools, round === Number(rounds) - 1)
    finished.push(wall)
    finishedCpu.push(cpu)
    await phone.close()
  }
  report("opens without a network", opened, atMost.open)
  report("finishes a stop", finished, atMost.finish)
  // On a machine with other work, this is what the page itself needs.
  report("finishes a stop, processor time", finishedCpu, atMost.finish)
} finally {
  await stage.close()
}

async function slowDown(devtools: CDPSession): Promise<void> {
  if (slowdown > 1) await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown })
}

/** `tts` is the processor time of the thread, microseconds. */
type TraceEvent = Readonly<Record<string, string>>

/** `PROFILE=file` writes what the last round spent its time on, for the browser's developer tools. */
async function traced(
  devtools: CDPSession,
  isLast: boolean,
  run: () => Promise<void>,
): Promise<TraceEvent[]> {
  const { PROFILE } = process.env
  const more = PROFILE && isLast ? ["devtools.timeline", "disabled-by-default-v8.cpu_profiler"] : []
  const events: TraceEvent[] = []
  devtools.on("Tracing.dataCollected", ({ value }) => void events.push(...value))
  const traceConfig = { includedCategories: ["blink.user_timing", ...more] }
  await devtools.send("Tracing.start", { transferMode: "ReportEvents", traceConfig })
  await run()
  const ended = new Promise((resolve) => devtools.once("Tracing.tracingComplete", resolve))
  await devtools.send("Tracing.end")
  await ended
  if (PROFILE && isLast) await writeFile(PROFILE, JSON.stringify(events))
  return events
}

function report(name: string, taken: readonly number[], most: number): void {
  const worst = Math.max(...taken)
  const median = taken.toSorted((one, other) => one - other)[Math.floor(taken.length / 2)] ?? 0
  process.stdout.write(
    `${name}: median ${median.toFixed(0)} ms, slowest ${worst.toFixed(0)} ms, at most ${most} ms\n`,
  )
}

/** Runs in the page: notes when the first stop is on the screen, from the start of the navigation. */
function noteWhenShown(): void {
  const look = () => {
    if (document.querySelector(".stop-card")) Object.assign(globalThis, { shownAt: performance.now() })
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

async function shownAt(page: Page): Promise<number> {
  const handle = await page.waitForFunction(() => (globalThis as unknown as { shownAt?: number }).shownAt)
  return Number(await handle.jsonValue())
}

/** From the tap on the button until the list is shown without the stop, in milliseconds. */
async function finishFirst(page: Page, devtools: CDPSession, isLast: boolean) {
  await page.getByRole("link", { name: "Go on" }).click()
  await page.getByRole("button", { name: "Next" }).click()
  await page.getByLabel("Received by").fill("The keeper")
  await page.getByRole("button", { name: "Finish task" }).waitFor()
  let wall = 0
  const events = await traced(devtools, isLast, async () => {
    wall = await page.evaluate(tapFinish)
  })
  const [tap, shown] = ["tap", "shown"].map((mark) => Number(events.find(({ name }) => name === mark)?.tts))
  return { wall, cpu: ((shown ?? 0) - (tap ?? 0)) / 1_000 }
}

/** Runs in the page. */
function tapFinish(): Promise<number> {
  return new Promise((resolve) => {
    const button = [...document.querySelectorAll("button")].find(
      ({ textContent }) => textContent === "Finish task",
    )
    const began = performance.mark("tap").startTime
    const title = document.querySelector("h1")?.textContent ?? ""
    const look = () => {
      const cards = [...document.querySelectorAll(".stop-card")]
      const isThere = cards.length > 0 && !cards.some((card) => card.textContent?.includes(title))
      if (isThere) resolve(performance.mark("shown").startTime - began)
      else requestAnimationFrame(look)
    }
    button?.click()
    requestAnimationFrame(look)
  })
}

/** Runs in the page: photos of about 200 kB with what was entered for each stop, as kept after a day without a network. */
async function keepPhotos(each: number): Promise<void> {
  const opened = indexedDB.open("fieldway-field")
  await new Promise((resolve) => {
    opened.onsuccess = resolve
  })
  const database = opened.result
  const person = localStorage.getItem("fieldway.field-person")
  const read = database.transaction("reads").objectStore("reads").get(`${person}/my-tasks`)
  await new Promise((resolve) => {
    read.onsuccess = resolve
  })
  const transaction = database.transaction(["files", "drafts"], "readwrite")
  for (const { _id: taskId } of read.result as { _id: string }[]) {
    const names = Array.from({ length: each }, (_, index) => `${taskId}${index}`)
    for (const name of names) {
      const text = `data:image/jpeg;base64,${name.padEnd(24, "A")}${"QUJD".repeat(68_000)}`
      transaction.objectStore("files").put(text, `${person}/${name}`)
    }
    const values = { proofPhoto: names.map((name) => `kept-file:${name}`) }
    transaction.objectStore("drafts").put({ taskId, values, more: {} }, `${person}/${taskId}`)
  }
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve
    transaction.onerror = reject
  })
  database.close()
}
