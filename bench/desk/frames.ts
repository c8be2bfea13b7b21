/*
 * Frames of the dispatch screen while 200 people move and 5,000 tasks are shown: the time of scripts and layout of each frame, and
 * the frames that the browser drew. A browser without a graphics card draws the map by software, so both are measured with the map
 * and without it.
 * Run: node bench/desk/frames.ts [seconds] [people] [tasks]
 */
import { setTimeout as pause } from "node:timers/promises"
import { destination } from "#packages/geodesy/geodesy.ts"
import { aPage, enterAs, startStage } from "../../console/tests/stage.ts"
import { depots } from "../../server/demo/city.ts"
import { seededRandom } from "../../server/demo/random.ts"
import { aCompany, type Company } from "./company.ts"
import { recordFrames } from "./record-frames.ts"

const seconds = Number(process.argv[2] ?? 20)
const people = Number(process.argv[3] ?? 200)
const tasks = Number(process.argv[4] ?? 5_000)

const stage = await startStage()
const stop = new AbortController()
try {
  const company = await aCompany(stage, { people, tasks, assigned: 0.8, isOnRoads: false })
  const moving = move(company, stop.signal)
  const { page, context } = await aPage(stage, { viewport: { width: 1440, height: 900 } })
  await enterAs(context, stage, stage.owner)
  await page.goto(`${stage.address}/dispatch`)
  await page.locator(".desk-block").first().waitFor()
  await page.locator(".desk-map [data-drawn]").waitFor()
  await pause(5_000)
  const record = async (name: string, work: () => Promise<void> = () => pause(seconds * 1000)) =>
    process.stdout.write(`${name}: ${await recordFrames(stage.browser, page, work)}\n`)
  await record("map, list and timeline, people moving")
  await page.getByRole("button", { name: "Panels" }).click()
  await page
    .getByRole("menuitemcheckbox", { name: "Show the map" })
    .or(page.getByText("Show the map"))
    .click()
  await page.keyboard.press("Escape")
  await page.locator(".desk-map").waitFor({ state: "detached" })
  await record("list and timeline, people moving")
  const block = await page.locator(".desk-block[data-done=false]").first().boundingBox()
  if (!block) throw new Error("no stop to drag")
  await record("a stop dragged over the timeline", async () => {
    await page.mouse.move(block.x + 3, block.y + block.height / 2)
    await page.mouse.down()
    for (let step = 0; step < 240; step += 1) {
      await page.mouse.move(500 + (step % 120) * 6, block.y + 20 + (step % 60) * 4)
      await pause(16)
    }
    await page.keyboard.press("Escape")
    await page.mouse.up()
  })
  stop.abort()
  await moving
} finally {
  stop.abort()
  await stage.close()
}

/** Everybody drives on, and says so once a second. */
async function move({ owner, people: all }: Company, signal: AbortSignal): Promise<void> {
  const random = seededRandom(5)
  const at = all.map(() => ({
    place: destination(depots.north.place, random() * 360, random() * 3_000),
    bearing: random() * 360,
  }))
  while (!signal.aborted) {
    const positions = all.map(({ email }, index) => {
      const own = at[index]
      if (!own) throw new Error("one place for each person")
      own.place = destination(own.place, own.bearing, 9)
      own.bearing += random() * 20 - 10
      const [lon, lat] = own.place
      return { email, lat, lon, speed: 9, createdTime: new Date().toISOString() }
    })
    const sent = performance.now()
    await owner.call("POST", "/location-history/bulk", { location_histories: positions })
    await pause(Math.max(0, 1_000 - (performance.now() - sent)), undefined, { signal }).catch(() => undefined)
  }
}
