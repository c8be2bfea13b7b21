import type { Page } from "playwright-core"
import { loopAround, onScreen, type Work } from "./areas.ts"
import type { Company } from "./company.ts"
import type { Effort, Hand } from "./hand.ts"

/**
 * The jobs of the morning as they were done before there was a dispatch screen: with the list, map and forms of tasks alone, and
 * with what those could do then. Nothing suggests people, shows how much each has to do, or changes dates of many tasks.
 */
export async function onTheLists(
  hand: Hand,
  { people }: Company,
  { areas, places }: Work,
  urgentTask: () => Promise<void>,
): Promise<Record<string, Effort>> {
  const { page } = hand
  const bar = page.getByRole("toolbar")
  const dialog = page
    .getByRole("dialog")
    .filter({ has: page.getByRole("button", { name: /^(Assign|Cancel)$/ }) })
  const said = (text: RegExp) => page.getByText(text).last().waitFor()
  const jobs: Record<string, Effort> = {}
  const assignTo = async (person: string) => {
    await hand.click(
      bar
        .getByRole("button", { name: "Assign…" })
        .or(bar.getByRole("button", { name: /^Assign/ }))
        .first(),
    )
    await hand.type(dialog.getByRole("combobox"), person)
    await page.getByRole("option", { name: person, exact: true }).waitFor()
    await hand.press("ArrowDown")
    await hand.press("Enter")
    await hand.click(dialog.getByRole("button", { name: "Assign", exact: true }))
    await dialog.waitFor({ state: "detached" })
  }
  const filterBy = async (name: string, option: string) => {
    await hand.click(page.getByRole("combobox", { name, exact: true }))
    await hand.click(page.getByRole("option", { name: option, exact: true }))
  }
  const find = async (text: string) => {
    await hand.type(page.getByRole("textbox", { name: "Search tasks" }), text)
    await page
      .getByRole("row", { name: new RegExp(text) })
      .first()
      .waitFor()
  }

  jobs["see what is nobody's, late, and who has how much"] = await hand.job(async () => {
    await hand.click(page.getByRole("link", { name: "Tasks", exact: true }))
    await filterBy("Status", "Unassigned")
    await hand.click(page.getByRole("button", { name: "Sort by Due" }))
    await rows(page).first().waitFor()
  })
  jobs[`give ${areas.flat().length} tasks to ${areas.length} people by area`] = await hand.job(async () => {
    await hand.click(page.getByText("Map", { exact: true }))
    await page.locator(".map [data-drawn]").waitFor()
    const at = await onScreen(page, places)
    for (const [index, area] of areas.entries()) {
      await hand.click(page.getByRole("button", { name: "Draw a loop" }))
      await hand.drag(loopAround(area.map(at)))
      await assignTo(people[index % people.length]?.name ?? "")
    }
  })
  jobs["somebody is ill: their stops go to somebody else"] = await hand.job(async () => {
    await hand.click(page.getByText("Table", { exact: true }))
    await filterBy("Status", "Ongoing")
    await filterBy("Assigned to", "Courier 2")
    await rows(page).first().waitFor()
    await hand.click(page.getByRole("checkbox", { name: "Select the rows that are shown" }))
    await assignTo("Courier 9")
  })
  await urgentTask()
  jobs["an urgent order: somebody, without reasons"] = await hand.job(async () => {
    await hand.click(page.getByRole("button", { name: "Clear filters" }).first())
    await find("Urgent order")
    await hand.click(rows(page).first().getByRole("checkbox"))
    await assignTo("Courier 10")
  })
  jobs["one stop to another person, without a place among the stops"] = await hand.job(async () => {
    await hand.click(page.getByRole("button", { name: "Clear filters" }).first())
    await filterBy("Assigned to", "Courier 1")
    await rows(page).first().waitFor()
    await hand.click(rows(page).nth(3).getByRole("checkbox"))
    await assignTo("Courier 3")
  })
  const tomorrow = new Date(Date.now() + 36 * 3_600_000).toISOString().slice(0, 10)
  jobs["ten tasks are due tomorrow instead, each in its form"] = await hand.job(async () => {
    await hand.click(page.getByRole("button", { name: "Clear filters" }).first())
    for (let at = 0; at < 10; at += 1) {
      await hand.click(rows(page).nth(at).getByRole("gridcell").nth(1))
      await hand.click(page.getByRole("button", { name: "Edit", exact: true }))
      const form = page.getByRole("dialog", { name: "Edit task" })
      await hand.type(form.getByLabel("Due", { exact: true }), `${tomorrow}T12:00`)
      await hand.click(form.getByRole("button", { name: "Save" }))
      await form.waitFor({ state: "detached" })
      await hand.press("Escape")
    }
  })
  jobs["twelve orders were cancelled: delete"] = await hand.job(async () => {
    await hand.click(rows(page).nth(0).getByRole("checkbox"))
    await hand.click(rows(page).nth(11).getByRole("checkbox"), { modifiers: ["Shift"] })
    await hand.click(bar.getByRole("button", { name: "More" }))
    await hand.click(page.getByRole("menuitem", { name: "Delete" }))
    await hand.click(page.getByRole("dialog").getByRole("button", { name: "Delete" }))
    await said(/tasks are in the trash/)
  })
  return jobs
}

/** Without the titles. */
function rows(page: Page) {
  return page.getByRole("row").filter({ has: page.getByRole("gridcell") })
}
