/*
 * The main job of the product through the TypeScript client: orders come in as a CSV file, become tasks, are
 * given to workers who drive and finish them, and what was done leaves as a CSV file again.
 *
 *   FIELDWAY_URL=http://127.0.0.1:8080 FIELDWAY_EMAIL=… FIELDWAY_PASSWORD=… node examples/main-job.ts
 *
 * The user must be an owner or administrator. What it creates stays: a hub, tasks and two workers.
 */
import assert from "node:assert/strict"
import { openAsBlob } from "node:fs"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { ApiError, createFieldway, type Fieldway } from "../packages/api-client/src/index.ts"

export interface Job {
  url: string
  email: string
  password: string
  /** How long to wait between two looks at a running import. */
  pollMilliseconds?: number
}

const orders = fileURLToPath(new URL("deliveries.csv", import.meta.url))

/** Does the job and returns what came out. Throws at the first surprise. */
export async function mainJob({ url, email, password, pollMilliseconds = 250 }: Job) {
  const office = createFieldway({ url, retries: 20 })
  await office.signIn(email, password)
  const mark = Date.now().toString(36)
  const { hubId, flowId } = await setUp(office, mark)

  const imported = await importOrders(office, { flowId, hubId, pollMilliseconds })
  const workers = [await hire(office, url, hubId, `${mark}-1`), await hire(office, url, hubId, `${mark}-2`)]
  await assign(office, hubId, workers)
  for (const worker of workers) await drive(worker)
  const exported = await exportFinished(office, hubId)
  return { imported, finished: exported.rows, file: exported.file }
}

/** A hub, and the flow for deliveries that every organization starts with. */
async function setUp({ api }: Fieldway, mark: string) {
  const place = { lat: 52.3738, lng: 4.8909 }
  const hub = await api.createHub({ body: { name: `Depot ${mark}`, address: "Quay 1", ...place } })
  const { flows } = await api.listFlows({ query: { limit: 100 } })
  const delivery = flows.data.find(({ name }) => name === "Delivery")
  assert.ok(delivery?._id, "there is no flow called Delivery")
  return { hubId: hub.data._id, flowId: delivery._id }
}

/** The server suggests which column belongs to which field. */
async function importOrders(
  office: Fieldway,
  { flowId, hubId, pollMilliseconds }: { flowId: string; hubId: string; pollMilliseconds: number },
): Promise<number> {
  const files = { file: { name: "deliveries.csv", content: await openAsBlob(orders) } }
  const target = { type: "task" as const, flowId, hubId }
  const preview = await office.upload("previewImport", { fields: target, files })
  assert.deepEqual(preview.data.missing, [], "every required field has a column")
  const { columns } = preview.data
  const started = await office.upload("importData", { fields: { ...target, columns, force: true }, files })
  for (;;) {
    const path = { importId: started.data._id }
    const { status, totalValid, errorMessage } = (await office.api.getImport({ path })).data
    assert.notEqual(status, "failed", errorMessage ?? "")
    if (status === "success") return totalValid
    assert.notEqual(status, "partially", "some rows were refused")
    await pause(pollMilliseconds)
  }
}

interface Worker {
  email: string
  fieldway: Fieldway
}

async function hire({ api }: Fieldway, url: string, hubId: string, mark: string): Promise<Worker> {
  const roles = await api.listRoles()
  const role = roles.data.find(({ name }) => name === "field user")
  assert.ok(role, "there is no role for field users")
  const email = `driver-${mark}@fieldway.example`
  const password = `Drive-${mark}-1x!`
  await api.createUser({
    body: { name: `Driver ${mark}`, email, roleId: role._id, hubId: [hubId], password },
  })
  const fieldway = createFieldway({ url, retries: 20 })
  await fieldway.signIn(email, password)
  return { email, fieldway }
}

/** The tasks go to the workers in turn. */
async function assign(office: Fieldway, hubId: string, workers: readonly Worker[]): Promise<void> {
  const tasks: { _id: string; assignee: (string | undefined)[] }[] = []
  for await (const { _id } of office.each("listTasks", { query: { hubId, limit: 4, lazyLoad: 1 } }))
    tasks.push({ _id: String(_id), assignee: [workers[tasks.length % workers.length]?.email] })
  const { success, failed } = await office.api.assignTasks({ body: { tasks } })
  assert.deepEqual([success, failed], [tasks.length, 0])
}

/** A worker starts a session, goes from place to place, finishes each task there, and ends the session. */
async function drive({ email, fieldway: { api } }: Worker): Promise<void> {
  const query = { status: "ONGOING", sortBy: "orderIndex", sortOrder: "asc", limit: 1000 }
  const { tasks } = await api.listTasks({ query })
  const begun = Date.now() - tasks.data.length * 60_000
  const at = (minute: number) => new Date(begun + minute * 60_000).toISOString()
  const depot = { email, lat: 52.3738, lon: 4.8909 }
  await api.createLocation({ body: { ...depot, createdTime: at(0), startTime: at(0) } })
  for (const [index, task] of tasks.data.entries()) {
    const [lat = "", lon = ""] = String(task.expectedCoordinate).split(",")
    await api.createLocation({ body: { email, lat, lon, createdTime: at(index + 0.5) } })
    await api.patchTask({
      path: { taskId: String(task._id) },
      body: { receivedBy: "Reception", status: "DONE", doneCoordinate: `${lat},${lon}` },
    })
  }
  const end = at(tasks.data.length)
  await api.createLocation({ body: { ...depot, createdTime: end, finishTime: end } })
  const again = api.patchTask({
    path: { taskId: String(tasks.data[0]?._id) },
    body: { receivedBy: "Nobody" },
  })
  await assert.rejects(again, (error) => error instanceof ApiError && error.status === 400)
}

async function exportFinished(office: Fieldway, hubId: string): Promise<{ rows: number; file: string }> {
  const body = { download: "csv", hubId, status: "DONE", limitTask: false }
  const { data, total_data_be: rows } = await office.api.exportTasks({ body })
  assert.ok(data.link, "the export is ready at once")
  const file = await (await office.download(data.link)).text()
  assert.ok(file.includes("Harbour Books") && file.includes("Reception"), "the file holds what was done")
  return { rows, file }
}

if (import.meta.main) {
  const { FIELDWAY_URL: url = "http://127.0.0.1:8080" } = process.env
  const { FIELDWAY_EMAIL: email, FIELDWAY_PASSWORD: password } = process.env
  assert.ok(email && password, "set FIELDWAY_EMAIL and FIELDWAY_PASSWORD")
  const { imported, finished } = await mainJob({ url, email, password })
  process.stdout.write(`${imported} orders imported, ${finished} finished and exported\n`)
}
