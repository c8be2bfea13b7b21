import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { SampleOptions, SampleWork } from "./work.ts"

interface Made {
  data: { _id: string }
}

/** One of everything that extends the product: automations with a log, webhooks, a plugin, a route, an import. */
export async function sampleExtensions(options: SampleOptions & { work: SampleWork }) {
  const address = await otherSystem()
  const [automations, pluginId, moduleId, resultId, importId] = await Promise.all([
    sampleAutomations(options, address),
    samplePlugin(options),
    sampleIntegrations(options, address),
    sampleRoute(options),
    sampleImport(options),
  ])
  await leaveTraces(options)
  return { ...automations, pluginId, moduleId, resultId, importId }
}

const stockRoom = `<!doctype html><meta charset="utf-8"><title>Stock room</title>
<body style="font: 15px system-ui; margin: 32px; background: #fff; color: #222">
<h1 style="font-size: 20px">Stock room</h1><p>Boxes: 412 · Pallets: 18 · Cool boxes: 36</p>`

/** Another system: it takes what comes to /orders, is out of order at /archive, and has a page of its own. */
async function otherSystem(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    if (request.method === "GET") {
      response.setHeader("content-type", "text/html")
      response.end(stockRoom)
      return
    }
    response.statusCode = request.url === "/orders" ? 200 : 503
    response.end(request.url === "/orders" ? '{"received":true}' : "out of order")
  }).listen(0, "127.0.0.1")
  server.unref()
  await new Promise((resolve) => server.once("listening", resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function sampleAutomations({ call, work }: SampleOptions & { work: SampleWork }, address: string) {
  const rules = { flow: "Delivery", flowId: work.flowId }
  const automate = async (name: string, automationType: string, automationDetails: object, event: string) =>
    (await call<Made>("POST", "/automation", { name, event, automationType, automationDetails, rules })).data
      ._id
  const webhookId = await automate(
    "Tell the shop what was ordered",
    "webhook",
    { url: `${address}/orders`, signature: true },
    "onTaskCreated",
  )
  await automate("Archive of proofs", "webhook", { url: `${address}/archive` }, "onTaskCreated")
  const automationId = await automate(
    "Pallets go to the east depot",
    "moveTask",
    { hubId: work.hubs[1]?._id },
    "onTaskCreated",
  )
  for (const receiverName of ["Flower stall", "Print shop", "Law office"])
    await call("POST", "/task", {
      flow: "Delivery",
      flowId: work.flowId,
      hubId: work.hubs[0]?._id,
      receiverName,
      deliveryAddress: "Calle Colonia 1820, Montevideo",
      parcelType: "Pallet",
    })
  return { automationId, webhookId }
}

async function samplePlugin({ stage, token, call }: SampleOptions): Promise<string> {
  const form = new FormData()
  const file = new URL("../../../examples/plugins/checklist-counter.js", import.meta.url)
  form.set("name", "Checklist counter")
  form.set("description", "Counts the fields of a task that are filled in")
  form.set(
    "resourceFile",
    new Blob([await readFile(file)], { type: "text/javascript" }),
    "checklist-counter.js",
  )
  const { data } = (await stage.send(token, "/plugin", form)) as { data: { id: string } }
  await call("PUT", `/plugin/${data.id}/installation`, {
    isUsed: true,
    grantedPermissions: ["view/task", "view/flow"],
  })
  return data.id
}

async function sampleIntegrations({ call }: SampleOptions, address: string): Promise<string> {
  await call("POST", "/app-integration", {
    integrationType: "oidc",
    name: "Company directory",
    issuerUrl: "https://login.demo.fieldway.example",
    clientId: "fieldway",
    clientSecret: "of-the-client-only",
  })
  const internal = { name: "Stock room", type: "internal", url: `${address}/stock` }
  return (await call<Made>("POST", "/custom-module", internal)).data._id
}

interface Visit {
  visitTime: number | null
  timeWindow: { startTime: string | null; endTime: string | null }
  coordinate: string
}

/** Two vans around the harbour depot, and one visit that fits in neither. */
async function sampleRoute({ call, work }: SampleOptions & { work: SampleWork }): Promise<string> {
  const hubId = work.hubs.find(({ name }) => name.startsWith("Harbour"))?._id
  const query = `/tasks?hubId=${hubId}&status=UNASSIGNED&limit=40&fields=title`
  const listed = await call<{ tasks: { data: { _id: string }[] } }>("GET", query)
  const taskIds = listed.tasks.data.map(({ _id }) => _id)
  const { data } = await call<{ data: Visit[] }>("POST", "/routing/visits", { taskIds })
  const visits = data
    .filter(({ coordinate }) => coordinate !== "")
    .map(({ visitTime, timeWindow: { startTime, endTime }, ...visit }, index) => ({
      ...visit,
      visitTime: visitTime ?? 6,
      timeWindow: { ...(startTime ? { startTime } : {}), ...(endTime ? { endTime } : {}) },
      ...(index === 0 ? { tags: ["freezer"] } : {}),
    }))
  const van = (id: string, name: string) => ({
    id,
    name,
    workingTime: { startTime: "08:00", endTime: "12:00" },
  })
  const made = await call<Made>("POST", "/routing", {
    hubId,
    name: "Tomorrow, harbour",
    visits,
    vehicles: [van("van-2", "Van 2"), van("van-3", "Van 3"), van("van-4", "Van 4")],
    configuration: { returnToHub: true, useAllVehicle: true, clustering: "balanced" },
  })
  return made.data._id
}

/** A file whose third row lacks what the flow demands. */
async function sampleImport({ stage, token, work }: SampleOptions & { work: SampleWork }): Promise<string> {
  const rows = [
    "Receiver name,Address,Parcel type",
    "Hotel reception,Rua da Prata 4,Box",
    "Café on the square,,Box",
  ]
  rows.push(",Rua Augusta 31,Envelope", "Book shop,Avenida de Roma 12,Box")
  const form = new FormData()
  form.set("type", "task")
  form.set("flowId", work.flowId)
  form.set("hubId", work.hubs[0]?._id ?? "")
  form.set("file", new Blob([rows.join("\n")], { type: "text/csv" }), "orders-monday.csv")
  return ((await stage.send(token, "/data/import", form)) as Made).data._id
}

/** Something in the trash, an export and what was sent by mail. */
async function leaveTraces({ call, work }: SampleOptions & { work: SampleWork }): Promise<void> {
  const unwanted = await call<{ task: { _id: string } }>("POST", "/task", {
    flow: "Delivery",
    flowId: work.flowId,
    hubId: work.hubs[0]?._id,
    receiverName: "Ordered twice",
  })
  await call("DELETE", `/task/${unwanted.task._id}`)
  await call("POST", "/tasks/export", { download: "xlsx" })
}
