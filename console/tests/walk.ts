import assert from "node:assert/strict"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import type { BrowserContextOptions, Page } from "playwright-core"
import { openSheet } from "../../packages/spreadsheets/open-sheet.ts"
import { aPage, desktopSize as desktop, fillSignIn, phoneSize as phone, type Stage } from "./stage.ts"

/**
 * A first-time user sets the product up by the screen alone: a colleague with a custom role, a
 * flow with a photo and a signature, a task done on the phone without a network, a weekly schedule, the week as a
 * file. With WALK_PICTURES set, every step is photographed into that folder, in both themes and sizes.
 */
let stage: Stage
const troubles: string[] = []

const pictures = process.env.WALK_PICTURES
const password = "field-User-1"
/** A day that has begun everywhere, the first of the seven that end with it, and one that has not ended anywhere. */
const [firstDay, day, dayAfter] = [7, 1, -2].map((days) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10),
)

async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  // The device is far from the organization, whose clock counts.
  const { page } = await aPage(stage, { timezoneId: "Asia/Tokyo", ...options })
  page.on("pageerror", (error) => troubles.push(String(error)))
  return page
}

async function look(page: Page, name: string): Promise<void> {
  if (!pictures) return
  await mkdir(pictures, { recursive: true })
  const before = page.viewportSize()
  for (const colorScheme of ["light", "dark"] as const)
    for (const [size, viewport] of Object.entries({ desktop, phone })) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(viewport)
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 200))),
      )
      await page.screenshot({ path: join(pictures, `${name}-${colorScheme}-${size}.png`) })
    }
  await page.emulateMedia({ colorScheme: "light" })
  if (before) await page.setViewportSize(before)
}

export async function walkAsNewcomer(given: Stage): Promise<void> {
  stage = given
  const page = await openPage()
  await signIn(page, stage.owner)
  await page.getByRole("heading", { level: 2, name: "Set up your operation" }).waitFor()
  await look(page, "today")
  await createHub(page)
  await inviteWithOwnRole(page)
  await addWorker(page)
  await buildFlow(page)
  await createTask(page)
  await doOnThePhone()
  await page.getByRole("row", { name: /Harbour Books.*Done/ }).waitFor()
  await page.getByText("Harbour Books", { exact: true }).first().click()
  await page.getByRole("img", { name: "Meter photo 1" }).waitFor()
  await page.getByRole("img", { name: "Signature 1" }).waitFor()
  await look(page, "task-arrived")
  await page.keyboard.press("Escape")
  await scheduleWeekly(page)
  await exportWeek(page)
  assert.deepEqual(troubles, [])
}

async function signIn(page: Page, person: { email: string; password: string }): Promise<void> {
  await page.goto(stage.address)
  await fillSignIn(page, person)
}

async function createHub(page: Page): Promise<void> {
  await page.getByRole("link", { name: /Create a hub/ }).click()
  const map = page.locator(".map[data-ready=true]")
  await map.waitFor()
  await map.locator("canvas").click({ position: { x: 220, y: 300 } })
  await page.getByRole("textbox", { name: "Name" }).fill("Depot north")
  await page.getByRole("textbox", { name: "Address" }).fill("Quay 1")
  await page.getByRole("button", { name: "Save hub" }).click()
  await page.getByRole("cell", { name: "Depot north", exact: true }).waitFor()
}

/** A role is created as a copy of the planner's, and the colleague accepts with the link in the outbox. */
async function inviteWithOwnRole(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Settings", exact: true }).click()
  await page.getByRole("button", { name: "New role" }).click()
  const role = page.getByRole("dialog")
  await role.getByRole("textbox", { name: "Name" }).fill("Night planner")
  await role.getByRole("combobox", { name: "Start from" }).click()
  await page.getByRole("option", { name: "Planner", exact: true }).click()
  await role.getByRole("button", { name: "Create role" }).click()
  await role.waitFor({ state: "hidden" })
  await page.getByRole("link", { name: "People", exact: true }).click()
  await page.getByRole("button", { name: "Invite several" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("textbox", { name: "E-mails" }).fill("lena@northside.example")
  await dialog.getByRole("combobox", { name: "Role" }).click()
  await page.getByRole("option", { name: "Night planner" }).click()
  await look(page, "invite")
  await dialog.getByRole("button", { name: /^Invite 1/ }).click()
  await dialog.waitFor({ state: "hidden" })
  await page.getByRole("link", { name: "Settings", exact: true }).click()
  await page.getByRole("link", { name: "Outbox" }).click()
  await page.locator("table button").first().click()
  await look(page, "outbox")
  const link = await page.getByRole("dialog").getByRole("link").first().getAttribute("href")
  assert.ok(link)
  await page.keyboard.press("Escape")
  const colleague = await openPage()
  await colleague.goto(link)
  await colleague.getByLabel("Your name").fill("Lena")
  await colleague.getByLabel("Password", { exact: true }).fill(password)
  await colleague.getByLabel("Repeat password").fill(password)
  await look(colleague, "accept-invitation")
  await colleague.getByRole("button", { name: "Join", exact: true }).click()
  await colleague.getByRole("heading", { level: 1, name: /Today|Dispatch/ }).waitFor()
  await colleague.getByText("Night planner").waitFor()
  await colleague.context().close()
}

async function addWorker(page: Page): Promise<void> {
  await page.getByRole("link", { name: "People", exact: true }).click()
  await page.getByRole("button", { name: "Add person" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("textbox", { name: "Name" }).fill("Mara")
  await dialog.getByRole("textbox", { name: "E-mail" }).fill("mara@fieldway.test")
  await dialog.getByLabel("Password", { exact: true }).fill(password)
  await dialog.getByRole("button", { name: "Add person" }).click()
  await dialog.waitFor({ state: "hidden" })
  await look(page, "people")
}

async function buildFlow(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Flows", exact: true }).click()
  await page.getByRole("link", { name: "New flow" }).click()
  await page.getByRole("textbox", { name: "Name of the flow" }).fill("Meter reading")
  const add = async (pageNumber: number, kind: string) => {
    await page.getByRole("button", { name: "Add a field" }).nth(pageNumber).click()
    await page.getByRole("menuitem", { name: kind, exact: true }).click()
  }
  const title = page.getByRole("textbox", { name: "Title", exact: true })
  await add(0, "Input")
  await title.fill("Customer")
  await page.getByRole("combobox", { name: "Shown as" }).click()
  await page.getByRole("option", { name: "Title of the task" }).click()
  await page.getByRole("button", { name: "Add page" }).click()
  await page.getByRole("textbox", { name: "Title of page 2" }).fill("Proof")
  await add(1, "Photo")
  await title.fill("Meter photo")
  await page.getByLabel("At least").fill("1")
  await add(1, "Signature")
  await page.getByRole("switch", { name: "Required" }).click()
  await look(page, "flow-builder")
  await page.getByRole("button", { name: "Save flow" }).click()
  await page.getByRole("heading", { level: 1, name: "Meter reading" }).waitFor()
  await page.getByRole("cell", { name: "meterPhoto" }).waitFor()
  await look(page, "flow")
}

async function createTask(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Tasks", exact: true }).click()
  await page.getByRole("button", { name: "New task" }).first().click()
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("combobox", { name: "Flow" }).click()
  await page.getByRole("option", { name: "Meter reading" }).click()
  await dialog.getByLabel("Customer").fill("Harbour Books")
  // 9 in the morning for the organization, whatever the clock of this device.
  await dialog.getByLabel("Start").fill(`${day}T09:00`)
  await dialog.getByLabel("Due").fill(`${dayAfter}T09:00`)
  await dialog.getByRole("combobox", { name: "Assign to" }).click()
  await page.getByRole("option", { name: "Mara" }).click()
  await page.keyboard.press("Tab")
  await look(page, "new-task")
  await dialog.getByRole("button", { name: "Create task" }).click()
  await page.getByRole("row", { name: /Harbour Books.*Ongoing.*Mara.*, 09:00/ }).waitFor()
  await look(page, "tasks")
}

async function doOnThePhone(): Promise<void> {
  const place = { latitude: 52.37, longitude: 4.9 }
  const page = await openPage({
    viewport: phone,
    hasTouch: true,
    isMobile: true,
    geolocation: place,
    permissions: ["geolocation"],
  })
  await signIn(page, { email: "mara@fieldway.test", password })
  await page.getByRole("link", { name: /Harbour Books/ }).waitFor()
  await page.waitForFunction(async () => (await navigator.serviceWorker.ready).active?.state === "activated")
  await page.context().setOffline(true)
  await page.reload()
  await page.getByText("No network").waitFor()
  await page.getByRole("button", { name: "Start work" }).click()
  await page.getByText("Working since").waitFor()
  await look(page, "field-offline")
  await page.getByRole("link", { name: /Harbour Books/ }).click()
  await page.getByRole("button", { name: "Next" }).click()
  await page.getByRole("button", { name: "Finish task" }).click()
  await page.getByText("Fill in: Meter photo, Signature").waitFor()
  const photo = { name: "meter.png", mimeType: "image/png", buffer: await page.screenshot() }
  await page.locator("input[type=file]").setInputFiles(photo)
  await page.getByText("Fill in: Signature").waitFor()
  await page.locator("canvas").scrollIntoViewIfNeeded()
  const box = await page.locator("canvas").boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + 20, box.y + 40)
  await page.mouse.down()
  await page.mouse.move(box.x + 150, box.y + 70, { steps: 4 })
  await page.mouse.up()
  await look(page, "field-task")
  await page.getByRole("button", { name: "Finish task" }).click()
  await page.getByText("1 task waits to be sent").waitFor()
  await page.context().setOffline(false)
  await page.getByText("1 task waits to be sent").waitFor({ state: "detached" })
  await look(page, "field-sent")
  await page.context().close()
}

async function scheduleWeekly(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Schedules", exact: true }).click()
  await page.getByRole("button", { name: "New schedule" }).first().click()
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("Weekly reading")
  await dialog.getByRole("combobox", { name: "Flow" }).click()
  await page.getByRole("option", { name: "Meter reading" }).click()
  await dialog.getByLabel("Customer").fill("Harbour Books")
  await dialog.getByText(/^Every Monday at 08:00/).waitFor()
  await look(page, "schedule")
  await dialog.getByRole("button", { name: "Save schedule" }).click()
  await page.getByRole("button", { name: "Weekly reading", exact: true }).click()
  await page.locator("button.run-day[data-state=run]").first().click()
  await page.locator("button.run-day[data-state=skipped]").waitFor()
  await look(page, "schedule-runs")
  await page.keyboard.press("Escape")
}

async function exportWeek(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Tasks", exact: true }).click()
  await page.getByRole("button", { name: "Any day" }).click()
  await page.getByLabel("From").fill(firstDay ?? "")
  await page.getByLabel("To", { exact: true }).fill(day ?? "")
  await page.keyboard.press("Escape")
  await page.getByText("1 task", { exact: true }).waitFor()
  await look(page, "week")
  await page.getByRole("button", { name: "Export" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("button", { name: "Export" }).click()
  await dialog.getByText("1 task is in the file").waitFor()
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("link", { name: "Download" }).click(),
  ])
  const sheet = await openSheet(await download.path())
  const rows = (await Array.fromAsync(sheet.rows())).map((row) => JSON.stringify(row))
  await sheet.close()
  assert.ok(rows.some((row) => row.includes("Harbour Books")))
}
