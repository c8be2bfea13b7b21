/*
 * The morning of a dispatcher with 40 people and 600 tasks on the dispatch screen, with clicks, keys and minutes; then everything
 * is undone, and looked for in the audit log.
 * Run: node bench/desk/morning.ts [tasks] [people] [areas]
 */
import { aPage, enterAs, startStage } from "../../console/tests/stage.ts"
import { inBoxes, loopAround, onScreen, type Place, type Work } from "./areas.ts"
import { aCompany, type Company } from "./company.ts"
import { aHand, changeDue, type Effort, type Hand } from "./hand.ts"
import { checkAudit, stateOf, undoEverything } from "./morning-undo.ts"

const tasks = Number(process.argv[2] ?? 600)
const people = Number(process.argv[3] ?? 40)
/** Fewer take less time; each costs the same. */
const wantedAreas = Number(process.argv[4] ?? people)

const stage = await startStage()
try {
  process.stdout.write("building the map of the city and the company\n")
  const company = await aCompany(stage, { people, tasks, assigned: 0, isOnRoads: true })
  const before = await stateOf(company)
  const started = new Date()
  const { page, context, troubles } = await aPage(stage, { viewport: { width: 1440, height: 900 } })
  await enterAs(context, stage, stage.owner)
  await page.goto(`${stage.address}/`)
  await page.getByRole("heading", { level: 1 }).waitFor()
  const hand = aHand(page)
  const places = await placesOf(company)
  const areas = inBoxes(places, tasks / people).slice(0, wantedAreas)
  report("on the dispatch screen", await onTheDesk(hand, company, { areas, places }))
  await undoEverything(hand, company, before, started, report)
  await checkAudit(hand, stage, company, started)
  if (troubles.length > 0) process.stdout.write(`scripts complained: ${troubles.join("; ")}\n`)
} finally {
  await stage.close()
}

function report(title: string, jobs: Record<string, Effort>): void {
  process.stdout.write(`\n${title}\n`)
  const total: Effort = { clicks: 0, keys: 0, drags: 0, seconds: 0, minutes: 0 }
  for (const [name, effort] of Object.entries(jobs)) {
    for (const key of Object.keys(total) as (keyof Effort)[]) total[key] += effort[key]
    process.stdout.write(`${lineOf(name, effort)}\n`)
  }
  process.stdout.write(`${lineOf("in all", total)}\n`)
}

function lineOf(name: string, { clicks, keys, drags, seconds, minutes }: Effort): string {
  return `| ${name} | ${clicks} | ${drags} | ${keys} | ${seconds.toFixed(1)} | ${minutes.toFixed(1)} |`
}

async function placesOf({ owner }: Company): Promise<Place[]> {
  const day = await owner.call<{ data: { tasks: { lng: number; lat: number }[] } }>("GET", "/dispatch/day")
  return day.data.tasks.map(({ lng, lat }) => [lng, lat])
}

/** The jobs of the morning, with what the one screen offers. */
async function onTheDesk(
  hand: Hand,
  { owner, people }: Company,
  { areas, places }: Work,
): Promise<Record<string, Effort>> {
  const { page } = hand
  const list = page.getByRole("listbox", { name: "Tasks", exact: true })
  const bar = page.getByRole("toolbar")
  const said = (text: RegExp) => page.getByText(text).last().waitFor()
  const suggestion = page.locator(".desk-suggestion:has(.desk-reasons)")
  const jobs: Record<string, Effort> = {}

  jobs["see what is nobody's, late, and who has how much"] = await hand.job(async () => {
    await hand.click(page.getByRole("link", { name: "Dispatch", exact: true }))
    await list.getByRole("option").first().waitFor()
    await page.locator(".desk-map [data-drawn]").waitFor()
  })
  const at = await onScreen(page, places)
  jobs[`give ${areas.flat().length} tasks to ${areas.length} people by area`] = await hand.job(async () => {
    for (const [index, area] of areas.entries()) {
      await hand.click(page.getByRole("button", { name: "Select by drawing" }))
      await hand.drag(loopAround(area.map(at)))
      await hand.click(bar.getByRole("button", { name: "Assign…" }))
      const person = people[index % people.length]?.name ?? ""
      await hand.type(page.locator(".desk-choice input"), person)
      await hand.press("Enter")
      await said(new RegExp(`tasks? for ${person}$`))
    }
  })
  jobs["somebody is ill: their stops go to the best other person"] = await hand.job(async () => {
    await hand.click(page.getByRole("button", { name: /^Courier 2 Van/ }))
    await hand.press("Tab")
    await hand.press("Control+a")
    await hand.press("m")
    await suggestion.first().waitFor()
    await hand.click(suggestion.filter({ hasNotText: /^Courier 2\b(?!\d)/ }).first())
    await said(/tasks for Courier/)
  })
  await urgentTask(owner)
  jobs["an urgent order: the best person, with the reasons"] = await hand.job(async () => {
    const order = list.getByRole("option", { name: /Urgent order/ })
    await hand.click(order)
    await hand.press("m")
    await suggestion.first().waitFor()
    process.stdout.write(`suggested: ${(await suggestion.first().innerText()).replaceAll("\n", " · ")}\n`)
    await hand.click(suggestion.first())
    await said(/1 task for Courier/)
  })
  jobs["one stop to another person, at a place among the stops"] = await hand.job(async () => {
    const [from, to] = ["Courier 1", "Courier 3"].map((name) =>
      page.getByRole("listbox", { name: `Stops of ${name}`, exact: true }).getByRole("option"),
    )
    const [source, target] = await Promise.all([from?.nth(3).boundingBox(), to?.nth(2).boundingBox()])
    if (!source || !target) throw new Error("no such stops")
    await hand.drag(
      [
        [source.x + 4, source.y + source.height / 2],
        [target.x + target.width - 1, target.y + target.height / 2],
      ],
      async () => {
        await page.locator(".desk-ghost .desk-source").waitFor()
        await page.waitForTimeout(500)
        process.stdout.write(
          `before dropping: ${(await page.locator(".desk-ghost").innerText()).replaceAll("\n", " · ")}\n`,
        )
      },
    )
    await said(/1 task for Courier 3/)
  })
  const tomorrow = new Date(Date.now() + 36 * 3_600_000).toISOString().slice(0, 10)
  jobs["ten tasks are due tomorrow instead"] = await hand.job(async () => {
    await selectTen(hand)
    await hand.click(bar.getByRole("button", { name: "Change…" }))
    await changeDue(hand, `${tomorrow}T12:00`)
    await said(/10 tasks changed/)
  })
  jobs["twelve orders were cancelled: delete"] = await hand.job(async () => {
    await selectTen(hand, 12)
    await hand.click(bar.getByRole("button", { name: "Delete" }))
    await hand.click(page.getByRole("dialog").getByRole("button", { name: "Delete" }))
    await said(/12 tasks are in the trash/)
  })
  return jobs
}

/** An order that comes in by the API meanwhile. */
async function urgentTask(owner: Company["owner"]): Promise<void> {
  const hubs = await owner.call<{ data: { _id: string }[] }>("GET", "/hubs")
  const now = Date.now()
  await owner.call("POST", "/task", {
    flow: "Delivery",
    hubId: hubs.data[0]?._id,
    startTime: new Date(now).toISOString(),
    endTime: new Date(now + 3 * 3_600_000).toISOString(),
    receiverName: "Urgent order",
    deliveryAddress: "Avenida Italia, Montevideo",
    deliveryPoint: "-34.8872,-56.1265",
    parcelType: "Box",
    weight: 1,
    priority: "urgent",
  })
}

/** The first rows of the list of open tasks. */
async function selectTen({ page, click }: Hand, count = 10): Promise<void> {
  await click(page.getByText(/^Open \d/))
  const options = page.getByRole("listbox", { name: "Tasks", exact: true }).getByRole("option")
  await click(options.first())
  await click(options.nth(count - 1), { modifiers: ["Shift"] })
}
