import assert from "node:assert/strict"
import type { Page } from "playwright-core"
import { open, settled } from "./visit.ts"

/** The focused element, as a screen reader announces it. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    return element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? ""
  })

async function chooseThree(page: Page): Promise<void> {
  await page.getByRole("grid").focus()
  await page.keyboard.press("Escape")
  await page.keyboard.press("Space")
  await page.keyboard.press("ArrowDown")
  await page.keyboard.press("Shift+ArrowDown")
  await page.getByText("3 selected").waitFor({ timeout: 5_000 })
}

/** From the address bar to a chosen task and back with the keyboard alone. */
export async function useKeyboard(page: Page): Promise<void> {
  await page.keyboard.press("Tab")
  assert.equal(await focused(page), "Skip to content")
  await page.keyboard.press("Enter")
  assert.equal(await page.evaluate(() => document.activeElement?.id), "content")

  await page.keyboard.press("Control+k")
  const palette = page.getByRole("dialog")
  await palette.getByRole("combobox").waitFor()
  await page.keyboard.type("vehic")
  await palette.getByRole("option", { name: /Vehicles/ }).waitFor()
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { level: 1, name: "Vehicles" }).waitFor()
  await page.keyboard.press("Control+k")
  await palette.getByRole("combobox").waitFor()
  await page.keyboard.press("Escape")
  await palette.waitFor({ state: "detached" })

  await page.getByRole("link", { name: "Tasks", exact: true }).focus()
  await page.keyboard.press("Enter")
  // The page before stays until the next one is loaded.
  await page.getByRole("grid", { name: "Tasks" }).getByRole("row").nth(4).waitFor()
  await settled(page)
  // A refetch at this moment moves the focus away: start again.
  await chooseThree(page).catch(() => chooseThree(page))
  await page.keyboard.press("Escape")
  await page.getByText("3 selected").waitFor({ state: "detached" })
  await page.keyboard.press("F2")
  const first = await focused(page)
  assert.match(first, /^Change .+ of /)
  await page.keyboard.press("ArrowRight")
  assert.notEqual(await focused(page), first)
  await page.keyboard.press("Escape")
  await page.keyboard.press("Enter")
  const panel = page.getByRole("dialog")
  await panel.getByRole("button", { name: "Close" }).waitFor()
  assert.equal(await panel.evaluate((dialog) => dialog.contains(document.activeElement)), true)
  const title = () => panel.getByRole("heading", { level: 2 }).first().innerText()
  const opened = new URL(page.url()).searchParams.get("task")
  await page.keyboard.press("j")
  await page.waitForURL((url) => url.searchParams.get("task") !== opened)
  const next = await title()
  await panel.getByRole("button", { name: "More" }).click()
  await page.getByRole("menuitem", { name: "Duplicate" }).click()
  const form = page.getByRole("dialog", { name: "New task" })
  await form.getByRole("button", { name: "Create task" }).waitFor()
  assert.ok((await form.getByRole("textbox").first().inputValue()) !== "", `made like ${next}`)
  await page.keyboard.press("Escape")
  await form.waitFor({ state: "detached" })
  await page.keyboard.press("Escape")
  await panel.waitFor({ state: "detached" })

  await page.getByRole("button", { name: "New task" }).focus()
  await page.keyboard.press("Enter")
  await form.waitFor()
  await page.keyboard.press("Escape")
  await form.waitFor({ state: "detached" })
  await page.waitForFunction(() => document.activeElement?.textContent === "New task")

  await page.keyboard.press("?")
  await page.getByRole("dialog", { name: "Keys" }).waitFor()
  await page.keyboard.press("Escape")
  await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "detached" })
  await page.keyboard.press("c")
  await form.waitFor()
  await page.keyboard.press("Escape")
  await form.waitFor({ state: "detached" })
  await page.keyboard.press("g")
  await page.keyboard.press("v")
  await page.getByRole("heading", { level: 1, name: "Vehicles" }).waitFor()
  await page.keyboard.press("g")
  await page.keyboard.press("t")
  await page.getByRole("heading", { level: 1, name: "Tasks" }).waitFor()

  const account = page.getByRole("button", { name: /Owner/ })
  await account.focus()
  await page.keyboard.press("Enter")
  await page.getByRole("menuitem", { name: "Sign out" }).waitFor()
  await page.keyboard.press("ArrowDown")
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("role")), "menuitem")
  await page.keyboard.press("Escape")
  await page.getByRole("menuitem", { name: "Sign out" }).waitFor({ state: "detached" })
  assert.match(await focused(page), /Owner/)

  const status = page.getByRole("combobox", { name: "Status" })
  await status.focus()
  await page.keyboard.press("Enter")
  const ongoing = page.getByRole("option", { name: "Ongoing" })
  await ongoing.waitFor()
  // A key that arrives while the list is still being drawn moves nothing.
  for (let tries = 0; tries < 5 && (await ongoing.getAttribute("data-combobox-selected")) === null; tries++)
    await page.keyboard.press("ArrowDown")
  await page.keyboard.press("Enter")
  await page.waitForURL(/status=ONGOING/)
}

/** People are grouped and lose a column; a saved view brings both back. */
export async function saveGrouping(page: Page): Promise<void> {
  const email = page.getByRole("columnheader", { name: "E-mail" })
  const arrange = page.getByRole("button", { name: "Columns" })
  await arrange.click()
  await page.getByRole("combobox", { name: "Group by" }).click()
  await page.getByRole("option", { name: "Role" }).click()
  await page.getByRole("button", { name: /^Field user/ }).waitFor()
  await page.getByRole("checkbox", { name: "E-mail" }).click()
  await email.waitFor({ state: "detached" })
  await page.keyboard.press("Escape")
  const views = page.getByRole("button", { name: "Views" })
  await views.click()
  await page.getByRole("textbox", { name: "Name of the view" }).fill("By role")
  await page.getByRole("button", { name: "Save", exact: true }).click()
  await page.getByRole("button", { name: "By role", exact: true }).waitFor()
  await page.keyboard.press("Escape")
  await arrange.click()
  await page.getByRole("checkbox", { name: "E-mail" }).click()
  await email.waitFor()
  await page.keyboard.press("Escape")
  await open(page, "/people?sort=email")
  await views.click()
  await page.getByRole("button", { name: "By role", exact: true }).click()
  await page.getByRole("button", { name: /^Field user/ }).waitFor()
  await email.waitFor({ state: "detached" })
}

/** A card goes to another column by the mouse; its menu offers the same to the keyboard. */
export async function moveOnBoard(page: Page): Promise<void> {
  const column = (name: string) => page.getByRole("region", { name, exact: true })
  const card = column("Ongoing").locator(".task-card[draggable=true]").first()
  await card.waitFor()
  await card.dragTo(column("Unassigned"))
  await page.getByText(/is unassigned now/).waitFor()
  const menu = column("Unassigned")
    .getByRole("button", { name: /Move to/ })
    .first()
  await menu.focus()
  await page.keyboard.press("Enter")
  await page.getByRole("menuitem", { name: "Ongoing" }).waitFor()
  await page.keyboard.press("Escape")
}

/** A task is dragged to another hour of the calendar, then moved on by keys, and starts then. */
export async function moveInCalendar(page: Page): Promise<void> {
  const task = page.locator(".calendar-task[data-status=ONGOING]").first()
  await task.waitFor()
  const id = await task.getAttribute("data-task")
  // The same hour of the day before or after.
  const cell = task.locator("xpath=..")
  const [before, after] = [
    cell.locator("xpath=preceding-sibling::*[1]"),
    cell.locator("xpath=following-sibling::*[1]"),
  ]
  const isFirst = (await before.getAttribute("class"))?.includes("calendar-hour") ?? true
  const from = (await cell.getAttribute("data-cell")) ?? ""
  const there = hoursLater(from, isFirst ? 24 : -24)
  await task.dragTo(isFirst ? after : before)
  await page.getByText(/ starts .* now/).waitFor()
  const at = (hour: string) => page.locator(`[data-cell="${hour}"] [data-task="${id}"]`)
  await at(there).waitFor()
  await at(there).focus()
  await page.keyboard.press("Shift+ArrowUp")
  await at(hoursLater(there, -1)).waitFor()
  await page.waitForFunction((task) => document.activeElement?.getAttribute("data-task") === task, id)
}

/** An hour of the calendar, such as `2026-11-21T09`, and some hours later. */
function hoursLater(hour: string, hours: number): string {
  return new Date(Date.parse(`${hour}:00Z`) + hours * 3_600_000).toISOString().slice(0, 13)
}

/** Creates a read-only token for hubs, uses it, renames and revokes it. Returns the API's responses. */
export async function useToken(page: Page, address: string): Promise<Record<string, number>> {
  const statusOf = async (token: string, path: string) =>
    (await fetch(`${address}/api/v3${path}`, { headers: { authorization: `Bearer ${token}` } })).status
  await page.getByRole("button", { name: "New token" }).click()
  const form = page.getByRole("dialog", { name: "New token" })
  await form.getByRole("textbox", { name: "Name" }).fill("Gate")
  await form.getByRole("radio", { name: "Only chosen permissions" }).check()
  await form.getByRole("button", { name: "Create token" }).click()
  await form.getByText("Choose at least one permission").waitFor()
  await form.getByRole("textbox", { name: "Find a permission" }).fill("view hub")
  await form.getByRole("checkbox", { name: /^View hub/ }).check()
  await form.getByRole("button", { name: "Create token" }).click()
  const made = page.getByRole("dialog", { name: "Gate" })
  const token = await made.locator("pre").innerText()
  await made.getByRole("button", { name: "Done" }).click()
  const said = { hubs: await statusOf(token, "/hubs"), tasks: await statusOf(token, "/tasks") }
  const row = page.getByRole("row", { name: /Gate/ })
  await row.getByRole("button", { name: "1 permission" }).waitFor()
  await row.getByRole("button", { name: "Rename: Gate" }).click()
  const renaming = page.getByRole("dialog", { name: "Rename token" })
  await renaming.getByRole("textbox", { name: "Name" }).fill("Gate at the harbour")
  await renaming.getByRole("button", { name: "Save" }).click()
  await page.getByRole("button", { name: "Revoke: Gate at the harbour" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
  await page.getByRole("cell", { name: "Gate at the harbour", exact: true }).waitFor({ state: "detached" })
  return { ...said, revoked: await statusOf(token, "/hubs") }
}
