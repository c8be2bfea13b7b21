import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { after, test } from "node:test"
import { createFieldway } from "../../packages/api-client/src/index.ts"
import { aPage, fillSignIn, openStage } from "./stage.ts"

const stage = await openStage()
const owner = createFieldway({ url: stage.address })
await owner.signIn(stage.owner.email, stage.owner.password)
const taskId = await aTaskWithPlace()
const elsewhere = await anotherServer()
after(() => elsewhere.server.close())
const { page } = await aPage(stage)
// Maps are drawn in software here, and this test is not about them.
await page.route("**/assets/TaskPlaceMap-*.js", (route) =>
  route.fulfill({ contentType: "text/javascript", body: "export default () => null" }),
)
await page.goto(`${stage.address}/sign-in`)
await fillSignIn(page, stage.owner)
await page.getByRole("link", { name: "Tasks", exact: true }).waitFor()

test("an uploaded plugin asks for permissions, and shows its panel beside a task", async () => {
  await page.goto(`${stage.address}/plugins`)
  await page.getByRole("button", { name: "Upload a plugin" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Name").fill("Distance to the hub")
  await dialog.getByLabel("Description").fill("Shows how far a task is from its hub")
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    dialog.getByRole("button", { name: "Script (.js)" }).click(),
  ])
  await chooser.setFiles(example("distance-to-hub.js"))
  await dialog.getByRole("button", { name: "Upload" }).click()
  await page.getByRole("checkbox", { name: "View hub" }).waitFor()
  await page.getByRole("button", { name: "Switch on" }).last().click()
  await page.getByText("Distance to the hub is on").waitFor()

  await page.goto(`${stage.address}/tasks?task=${taskId}`)
  const panel = page.getByRole("region", { name: "Distance to the hub" })
  await panel.getByText("11.1 km").waitFor()
  await panel.getByText("Depot").waitFor()
})

test("a plugin adds an action to tasks and a page to the menu", async () => {
  await install("Checklist counter", await readFile(example("checklist-counter.js"), "utf8"), [
    "view/task",
    "view/flow",
  ])
  // It starts by itself, in the window that is open.
  await page.getByRole("region", { name: "Checklist" }).getByText("2 of 3 fields are filled in").waitFor()
  await page.getByText("Required and empty").waitFor()
  await owner.api.patchTask({ path: { taskId }, body: { remark: "Ring twice" } })
  await page.getByRole("button", { name: "Count again" }).click()
  await page.getByText("3 of 3 fields are filled in").waitFor()
  await page.getByText("Everything that is required is filled in.").waitFor()
  await page.getByRole("button", { name: "Close" }).click()
  await page.getByRole("link", { name: "Checklists" }).click()
  await page.getByRole("row", { name: /Harbour Books.*3 of 3/ }).waitFor()
})

test("a plugin reaches no cookie, no page, no network and nothing that it did not ask for", async () => {
  const script = await readFile(fixture("hostile-plugin.js"), "utf8")
  await install("Hostile", script.replace("https://elsewhere.example", elsewhere.address), ["view/task"])
  await page.getByRole("link", { name: "Hostile", exact: true }).click()
  await page.getByRole("cell", { name: "read 1" }).waitFor()
  const cells = await page.getByRole("row").locator("td").allTextContents()
  const outcomes = cells.flatMap((what, index) => (index % 2 === 0 ? [`${what}: ${cells[index + 1]}`] : []))
  assert.ok(outcomes.length > 15)
  assert.deepEqual(
    outcomes.filter((outcome) => !/: refused$/.test(outcome)),
    ["tasks that it asked for: read 1"],
  )
  // Its frame may not even be led away, with what it read in the address.
  const refused = page.waitForEvent("console", (message) => /frame-src|Content Security/.test(message.text()))
  await page.getByRole("button", { name: "Leave" }).click()
  await refused
  assert.equal(new URL(page.url()).origin, stage.address, "the window was not led away")
  assert.deepEqual(elsewhere.visits, [])
})

test("a plugin that floods is stopped, and one that is switched off is gone at once", async () => {
  await page.reload()
  await page.getByRole("button", { name: "Flood" }).click()
  await page.getByRole("link", { name: "Hostile", exact: true }).waitFor({ state: "detached" })
  await page.getByRole("link", { name: "Plugins", exact: true }).click()
  await page.getByText("Stopped in this window: it sent too many messages").waitFor()

  await page.goto(`${stage.address}/tasks?task=${taskId}`)
  await page.getByRole("region", { name: "Distance to the hub" }).waitFor()
  const { data } = await owner.api.listPlugins({ query: { q: "Distance" } })
  const path = { pluginId: data.data[0]?.id ?? "" }
  await owner.api.installPlugin({ path, body: { isUsed: false } })
  await page.getByRole("region", { name: "Distance to the hub" }).waitFor({ state: "detached" })
})

test("automations that are built here move a task and call another system", async () => {
  const { api } = owner
  const north = await api.createHub({ body: { name: "North", address: "Quay 2", lat: 52.5, lng: 4.9 } })
  await page.goto(`${stage.address}/automations`)
  await page.getByRole("link", { name: "New automation" }).click()
  await page.getByLabel("Name").fill("Clinics go north")
  await choose("Flow", "Visit")
  await page.getByRole("button", { name: "Add a condition" }).click()
  await choose("Field", "Customer")
  await page.getByLabel("Value").fill("Meadow Clinic")
  await choose("Action", "Move the task to a hub")
  await choose("Hub", "North")
  await page.getByRole("button", { name: "Save" }).click()
  await page.getByRole("heading", { name: "Clinics go north" }).waitFor()

  await page.getByRole("link", { name: "Automations", exact: true }).click()
  await page.getByRole("link", { name: "New automation" }).click()
  await page.getByLabel("Name").fill("Tell the warehouse")
  await page.getByRole("button", { name: "Add a condition" }).click()
  await choose("Field", "Hub")
  await choose("Value", "Depot")
  await choose("Flow", "Visit")
  await page.getByRole("button", { name: "Add a condition" }).click()
  await choose("Field", "Hub")
  await choose("Value", "Depot")
  await page.getByLabel("Address").fill(`${elsewhere.address}/hook`)
  await page.getByRole("button", { name: "Save" }).click()
  await page.getByText("Key to check the signature with").waitFor()

  elsewhere.visits.length = 0
  const called = elsewhere.nextVisit()
  const { data: hubs } = await api.listHubs({ query: {} })
  const depot = (hubs as { _id: string; name: string }[]).find(({ name }) => name === "Depot")
  const body = { flow: "Visit", hubId: depot?._id ?? "", customer: "Meadow Clinic", place: "52.4,4.9" }
  const { task } = await api.createTask({ body })
  assert.equal(await called, "POST /hook")
  await page.getByText("Log", { exact: true }).click()
  await page.getByRole("row", { name: /Succeeded.*200/ }).click()
  await page.getByText(String(task._id)).first().waitFor()
  await page.getByRole("button", { name: "Send again" }).click()
  await page.getByText("Sent again").waitFor()
  assert.deepEqual(elsewhere.visits, ["POST /hook", "POST /hook"])
  await page.goto(`${stage.address}/automations?view=log`)
  await page.getByRole("row", { name: /Clinics go north.*Succeeded/ }).waitFor()
  const moved = await api.getTask({ path: { taskId: String(task._id) } })
  assert.equal(moved.task.hubId, north.data._id)
})

test("a webhook is paused here, what happens waits, and is sent when it is resumed", async () => {
  await page.getByRole("link", { name: "Webhooks", exact: true }).click()
  await page.getByRole("button", { name: "Pause" }).click()
  await page.getByText(/Paused manually on/).waitFor()
  elsewhere.visits.length = 0
  const hubId = (await owner.api.getTask({ path: { taskId } })).task.hubId
  const body = { flow: "Visit", hubId: String(hubId), customer: "Late Library", place: "52.4,4.9" }
  await owner.api.createTask({ body })
  const { data } = await owner.api.listAutomations({ query: { automationType: "webhook" } })
  const path = { automationId: String(data.data[0]?._id) }
  while ((await owner.api.getAutomation({ path })).data.delivery?.waiting !== 1)
    await new Promise((resolve) => setTimeout(resolve, 20))
  assert.deepEqual(elsewhere.visits, [])
  const called = elsewhere.nextVisit()
  await page.getByRole("button", { name: "Resume" }).click()
  assert.equal(await called, "POST /hook")
  await page.getByText("One delivery is being sent").waitFor()
})

test("a tool of the organization's own opens inside the console, in its frame", async () => {
  const { api } = owner
  const url = `${elsewhere.address}/tool`
  const { data } = await api.createCustomModule({
    body: { name: "Stock", label: "stock", type: "internal", url },
  })
  await page.goto(`${stage.address}/modules/${data._id}`)
  const tool = page.frameLocator('iframe[title="Stock"]').frameLocator('iframe[title="Stock"]')
  await tool.getByText("The stock of the warehouse").waitFor()
  assert.equal(new URL(page.url()).origin, stage.address)
})

/** Chooses an option of a select by its visible words. */
async function choose(label: string, option: string): Promise<void> {
  await page.locator("#content").getByRole("combobox", { name: label, exact: true }).click()
  await page.getByRole("option", { name: option, exact: true }).click()
}

interface Elsewhere {
  server: Server
  address: string
  /** Every call that arrived. */
  visits: string[]
  nextVisit(): Promise<string>
}

/** A server that accepts all calls: what does not arrive here was blocked by the browser. */
async function anotherServer(): Promise<Elsewhere> {
  const visits: string[] = []
  const waiting: ((visit: string) => void)[] = []
  const server = createServer((request, response) => {
    const visit = `${request.method} ${request.url}`
    visits.push(visit)
    for (const resolveVisit of waiting.splice(0)) resolveVisit(visit)
    const isTool = request.url === "/tool"
    response.writeHead(200, {
      "access-control-allow-origin": "*",
      "content-type": isTool ? "text/html" : "application/json",
    })
    response.end(isTool ? "<h1>The stock of the warehouse</h1>" : "{}")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const nextVisit = () => new Promise<string>((resolve) => waiting.push(resolve))
  return { server, visits, nextVisit, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function example(name: string): string {
  return new URL(`../../examples/plugins/${name}`, import.meta.url).pathname
}

function fixture(name: string): string {
  return new URL(`fixtures/${name}`, import.meta.url).pathname
}

async function install(name: string, content: string, grantedPermissions: string[]): Promise<void> {
  const files = { resourceFile: { name: "plugin.js", content } }
  const fields = { name, description: `Installed by a test: ${name}` }
  const { data } = await owner.upload("createPlugin", { fields, files })
  await owner.api.installPlugin({ path: { pluginId: data.id }, body: { isUsed: true, grantedPermissions } })
}

/** Ten kilometres north of its hub, under way, its second page still empty. */
async function aTaskWithPlace(): Promise<string> {
  const { api } = owner
  const hub = await api.createHub({ body: { name: "Depot", address: "Quay 1", lat: 52.3, lng: 4.9 } })
  const component = "input"
  const text = { component, type: "String", required: true }
  await api.createFlow({
    body: {
      name: "Visit",
      pages: [
        {
          id: "page0",
          components: [
            { ...text, id: "customer", title: "Customer", showAs: "title" },
            { component, type: "Geolocation", id: "place", title: "Place", showAs: "expectedCoordinate" },
          ],
        },
        { id: "page1", components: [{ ...text, id: "remark", title: "Remark" }] },
      ],
      configurations: [],
    },
  })
  const body = { flow: "Visit", hubId: hub.data._id, customer: "Harbour Books", place: "52.4,4.9" }
  const made = await api.createTask({ body: { ...body, assignee: [stage.owner.email] } })
  return String(made.task._id)
}
