import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { test } from "node:test"
import { fileURLToPath } from "node:url"
import { openSheet } from "../../packages/spreadsheets/open-sheet.ts"
import { aPage, fillSignIn, openStage } from "./stage.ts"
import { walkAsNewcomer } from "./walk.ts"

/** The main job of the product, in a real browser: from an empty organization to the exported spreadsheet. */
const stage = await openStage()
const { page, troubles } = await aPage(stage)
page.setDefaultTimeout(60_000)

const password = "field-User-1"
const stops = fileURLToPath(new URL("fixtures/stops.csv", import.meta.url))

/** Chooses an option of a Mantine select by its visible words. */
async function choose(label: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: label, exact: true }).click()
  await page.getByRole("option", { name: option, exact: true }).click()
}

test("a dispatcher imports a spreadsheet, assigns the work, sees it done and exports it", async () => {
  const steps = [
    signIn,
    createHub,
    addFieldUsers,
    inviteOne,
    seeTheDefaultFlow,
    importTasks,
    assignTasks,
    seeAWorkerMove,
    seeATaskFinish,
    exportFinishedTasks,
  ]
  for (const step of steps) await step()
  assert.deepEqual(troubles, [], "nothing was thrown on any page")
  await page.context().close()
})

// What the test above goes through, built by hand where that imports and samples.
if (process.env.FIELDWAY_LONG) {
  const another = await openStage()
  test("a newcomer builds, invites, schedules, does and exports the work", () => walkAsNewcomer(another))
}

/** A wrong password is rejected with a message, the right one leads to the first steps. */
async function signIn(): Promise<void> {
  await page.goto(stage.address)
  await fillSignIn(page, { ...stage.owner, password: "not the password" })
  await page.getByRole("alert").waitFor()
  await fillSignIn(page, stage.owner)
  await page.getByRole("heading", { level: 2, name: "Set up your operation" }).waitFor()
}

/** A hub is created by clicking on the map. */
async function createHub(): Promise<void> {
  await page.getByRole("link", { name: /Create a hub/ }).click()
  const map = page.locator(".map[data-ready=true]")
  await map.waitFor()
  await map.locator("canvas").click({ position: { x: 220, y: 300 } })
  await page.getByRole("status").filter({ hasText: "Drag the pin or click again to move it" }).waitFor()
  await page.getByRole("textbox", { name: "Name" }).fill("Depot north")
  await page.getByRole("textbox", { name: "Address" }).fill("Quay 1")
  await page.getByRole("button", { name: "Save hub" }).click()
  await page.getByRole("cell", { name: "Depot north", exact: true }).waitFor()
}

/** Two field users are created. */
async function addFieldUsers(): Promise<void> {
  await page.getByRole("link", { name: "People", exact: true }).click()
  for (const name of ["Mara", "Joris"]) {
    await page.getByRole("button", { name: "Add person" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("textbox", { name: "Name" }).fill(name)
    await dialog.getByRole("textbox", { name: "E-mail" }).fill(`${name.toLowerCase()}@fieldway.test`)
    await dialog.getByLabel("Password", { exact: true }).fill(password)
    await dialog.getByRole("button", { name: "Add person" }).click()
    await dialog.waitFor({ state: "hidden" })
    await page.getByRole("row", { name: new RegExp(`${name}.*Field user.*Depot north.*Active`) }).waitFor()
  }
}

/** Without a password and a mail server, the page says where the invitation waits. */
async function inviteOne(): Promise<void> {
  await page.getByRole("button", { name: "Add person" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("textbox", { name: "Name" }).fill("Noor")
  await dialog.getByRole("textbox", { name: "E-mail" }).fill("noor@fieldway.test")
  await dialog.getByRole("button", { name: "Add person" }).click()
  await dialog.getByRole("link", { name: "Open the outbox" }).click()
  await page.getByRole("row", { name: /noor@fieldway\.test/ }).waitFor()
}

/** The default flow shows its pages as on a phone. */
async function seeTheDefaultFlow(): Promise<void> {
  await page.getByRole("link", { name: "Flows", exact: true }).click()
  await page.getByRole("link", { name: "Delivery", exact: true }).click()
  await page.getByText("Proof of delivery").waitFor()
}

/** A spreadsheet becomes tasks, its columns mapped by hand, the bad rows reported. */
async function importTasks(): Promise<void> {
  await page.getByRole("link", { name: "Imports", exact: true }).click()
  await page.getByRole("link", { name: "Import tasks" }).click()
  await choose("Flow", "Delivery")
  await page.locator("input[type=file]").setInputFiles(stops)
  await page.getByRole("heading", { name: "Which column is which?" }).waitFor()
  await choose("Receiver name", "Customer")
  await choose("Address", "Street")
  await choose("Weight", "Kg")
  await choose("Note", "Remark")
  const isPaired = await page.getByRole("combobox", { name: "Coordinate: Latitude" }).isVisible()
  if (!isPaired) await page.getByRole("switch", { name: "From two columns" }).click()
  await choose("Coordinate: Latitude", "lat")
  await choose("Coordinate: Longitude", "lng")
  await page.getByRole("button", { name: "Import 8 rows" }).click()
  await page.getByRole("heading", { name: "2 rows were refused" }).waitFor()
  await page.getByText("tasks were imported", { exact: true }).waitFor()
  await page.getByRole("row").filter({ hasText: "95.2" }).waitFor()
}

/** The tasks are in the list and on the map, several are assigned together, and one gets another person in the table. */
async function assignTasks(): Promise<void> {
  await page.getByRole("link", { name: "Show the tasks" }).click()
  const grid = page.getByRole("grid", { name: "Tasks" })
  await grid.getByText("Canal Pharmacy").waitFor()
  await page.locator("label").filter({ hasText: "Map" }).click()
  await page.getByText("6 on the map").waitFor()
  await page.locator("label").filter({ hasText: "Table" }).click()
  for (const title of ["Harbour Books", "Canal Pharmacy"])
    await grid.getByRole("checkbox", { name: `Select ${title}` }).click()
  await page.getByRole("button", { name: "Assign", exact: true }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("combobox", { name: "Assign to" }).click()
  await page.getByRole("option", { name: "Mara" }).click()
  await dialog.getByRole("button", { name: "Assign", exact: true }).click()
  await grid.getByRole("row", { name: /Harbour Books.*Ongoing.*Mara/ }).waitFor()
  await grid.getByRole("row", { name: /Canal Pharmacy.*Ongoing.*Mara/ }).waitFor()
  await grid
    .getByRole("button", { name: /^Change .* of Canal Pharmacy$/ })
    .first()
    .click()
  const cell = page.getByRole("dialog", { name: "Assigned to" })
  await cell.getByRole("combobox", { name: "Assigned to" }).click()
  await page.getByRole("option", { name: "Joris" }).click()
  await cell.getByRole("button", { name: "Save" }).click()
  await cell.waitFor({ state: "detached" })
  await grid.getByRole("row", { name: /Canal Pharmacy.*Ongoing.*Mara, Joris/ }).waitFor()
}

/** A position that a device sends appears on the live page without a reload. */
async function seeAWorkerMove(): Promise<void> {
  await page.getByRole("link", { name: "Tracking", exact: true }).click()
  await page.getByRole("button", { name: /Mara.*Never seen/ }).waitFor()
  const worker = await stage.tokenOf("mara@fieldway.test", password)
  const point = { email: "mara@fieldway.test", lat: 52.37, lon: 4.9, createdTime: new Date().toISOString() }
  await stage.call(worker, "POST", "/location-history", point)
  await page.getByText("1 of 3 on the map").waitFor()
}

/** A task that the worker finishes shows as done at once. */
async function seeATaskFinish(): Promise<void> {
  await page.getByRole("link", { name: "Tasks", exact: true }).click()
  const grid = page.getByRole("grid", { name: "Tasks" })
  await grid.getByRole("row", { name: /Harbour Books.*Ongoing/ }).waitFor()
  const worker = await stage.tokenOf("mara@fieldway.test", password)
  const mine = (await stage.call(worker, "GET", "/tasks?status=ONGOING")) as {
    tasks: { data: { _id: string; title: string }[] }
  }
  const task = mine.tasks.data.find(({ title }) => title === "Harbour Books")
  assert.ok(task)
  await stage.call(worker, "PATCH", `/task/${task._id}`, { status: "DONE" })
  await grid.getByRole("row", { name: /Harbour Books.*Done/ }).waitFor()
}

/** The finished tasks are exported to a spreadsheet that holds what was imported. */
async function exportFinishedTasks(): Promise<void> {
  await choose("Status", "Done")
  await page.getByText("1 task", { exact: true }).waitFor()
  await page.getByRole("button", { name: "Export" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("button", { name: "Choose columns…" }).click()
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("What was done")
  await dialog.getByRole("button", { name: "Leave out Hub" }).click()
  await dialog.getByRole("textbox", { name: "Title of Title in the file" }).fill("Stop")
  await dialog.getByRole("combobox", { name: "Add a column" }).click()
  await page.getByRole("option", { name: /^Note · .*Delivery/ }).click()
  await dialog.getByRole("button", { name: "Save" }).click()
  await dialog.getByRole("button", { name: "Change" }).waitFor()
  await dialog.getByRole("button", { name: "Export" }).click()
  await dialog.getByText("1 task is in the file").waitFor()
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("link", { name: "Download" }).click(),
  ])
  const path = await download.path()
  assert.equal((await readFile(path)).subarray(0, 2).toString(), "PK")
  const sheet = await openSheet(path)
  const rows = (await Array.fromAsync(sheet.rows())).map((row) => JSON.stringify(row))
  await sheet.close()
  assert.ok(rows.some((row) => row.includes("Harbour Books") && row.includes("Ring twice")))
  assert.ok(rows[0]?.includes("Stop") && !rows[0].includes("Hub"), rows[0] ?? "there is no header")
  await dialog.getByRole("link", { name: "Open the export log" }).click()
  await page.getByRole("row", { name: /Tasks.*Ready.*1/ }).waitFor()
}
