import assert from "node:assert/strict"
import { test } from "node:test"
import { getDocumentProxy } from "unpdf"
import { extractBytes } from "#packages/osm-extract/testing/encode.ts"
import { aFlow, aHub, anOrganization, aTask, aUser } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"
import { unzipped } from "#testing/unzipped.ts"
import { download, writeExports } from "../../files/exports/fixtures/exports.ts"
import { buildMap } from "../../location/maps/build/build-job.ts"
import { visualRuns } from "./bidi-runs.ts"

const pages = [
  {
    id: "page0",
    title: "العميل",
    components: [
      { id: "receiver", component: "input", type: "String", title: "المستلم", showAs: "title" },
      { id: "note", component: "input", type: "String", title: "Нотатка" },
      { id: "secret", component: "input", type: "String", title: "Internal" },
      { id: "language", component: "input", type: "String" },
      { id: "bill", component: "bill", title: "Bill" },
    ],
  },
]

/** The texts of the pages, each piece in the order in which it is read. */
async function readBack(pdf: Buffer): Promise<string> {
  const document = await getDocumentProxy(new Uint8Array(pdf), { verbosity: 0 })
  const texts: string[] = []
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent()
    texts.push(items.map((item) => ("str" in item ? item.str : "")).join("|"))
  }
  return texts.join("\n")
}

test("a service report has its parts in any script, with the words in the right order", async (t) => {
  const { sql, as } = await testApp(t)
  const org = await anOrganization(sql, { name: "شركة البحر" })
  const [hub, flow] = [await aHub(sql, { org }), await aFlow(sql, { org, pages })]
  const values = {
    receiver: "فاتورة رقم 123 لشركة ACME الدولية",
    note: "Привіт, Ελλάδα, สวัสดี, שלום עולם",
    secret: "margin 40 %",
    language: "ar",
    bill: [{ title: "قهوة", qty: 2, unitPrice: 5 }],
  }
  const task = await aTask(sql, { org, hub, flow, title: "فاتورة", status: "DONE", values })
  const calls = as(org.owner).expect(200)
  await calls.put(`/flow/${flow.id}/report-settings`, { hiddenFields: ["secret"], foot: "Reg. 4711" })
  const reply = await calls.get(`/task/${task.id}/report`)
  assert.equal(reply.headers["content-type"], "application/pdf")
  const text = await readBack(reply.rawPayload)
  const words = text.normalize("NFKC")
  assert.ok(words.includes("تقرير الخدمة"), words)
  assert.ok(words.includes("فاتورة رقم"), words)
  assert.ok(words.includes("ACME"), words)
  assert.ok(words.includes("שלום עולם"), words)
  assert.ok(words.includes("Привіт"), words)
  assert.match(words, /Reg\. 4711.*SHA-256 [0-9a-f]{64}/s)
  assert.ok(!words.includes("margin"), words)
  const english = await readBack((await calls.get(`/task/${task.id}/report?language=en`)).rawPayload)
  assert.match(english, /Service report/)
})

test("brackets face the other way in right-to-left text, and stay in the Latin text within", () => {
  const texts = visualRuns("שלום (עולם) [ACME]", true, () => "one").map(({ text }) => text)
  assert.ok(texts.join("|").includes(")עולם("), texts.join("|"))
  assert.deepEqual(
    visualRuns("a (b)", false, () => "one"),
    [{ text: "a (b)", font: "one" }],
  )
})

const village = extractBytes({
  nodes: [
    { id: 1, lat: 10.003, lon: 20.001 },
    { id: 2, lat: 10.003, lon: 20.005 },
    { id: 3, lat: 10.004, lon: 20.005 },
  ],
  ways: [{ id: 1, refs: [1, 2, 3], tags: { highway: "residential", name: "Harbour Road" } }],
})

test("reports of many tasks are one archive or one document, with a map where one is installed", async (t) => {
  const app = await testApp(t)
  const { sql, as } = app
  const org = await anOrganization(sql)
  await sql`insert into installation (operator_organization_id) values (${org.id})`
  const map = { name: "village", file: { filename: "village.osm.pbf", content: village } }
  const { buildId } = (await as(org.owner).expect(200).upload("/map-regions", map)).json().data
  await buildMap.handle(app.jobContext(), { buildId })
  const [hub, other, flow] = [
    await aHub(sql, { org }),
    await aHub(sql, { org }),
    await aFlow(sql, { org, pages }),
  ]
  const tasks = await Promise.all(
    [hub, hub, other].map((at, place) =>
      aTask(sql, { org, hub: at, flow, title: `Visit ${place}`, status: "DONE" }),
    ),
  )
  await sql`update tasks set lat = 10.0032, lng = 20.003 where id = ${tasks[0]?.id ?? ""}`
  await sql`update tasks set lat = 51.5, lng = 0.25, ref_id = 'A/7' where id = ${tasks[1]?.id ?? ""}`
  const permissions = ["view/task", "export/task"] as const
  const planner = as(await aUser(sql, { org, hubs: [hub], permissions: [...permissions] })).expect(200)
  const taskIds = tasks.map(({ id }) => id).join(",")
  const asked = await planner.post("/tasks/reports", {
    taskIds,
    sortBy: "title",
    sortOrder: "asc",
    language: "en",
  })
  assert.equal(asked.json().data.status, "Processing")
  await writeExports(app)
  const [entry] = (await planner.get("/tasks/export-log?dataType=report")).json().data
  assert.deepEqual([entry._source.status, entry._source.totalRecords], ["Done", 2])
  const files = await unzipped(await download(app, entry._source.fileUrl))
  assert.deepEqual(
    [...files.keys()].sort(),
    [`report-${tasks[0]?.id}.pdf`, `report-A_7-${tasks[1]?.id}.pdf`].sort(),
  )
  const [near, far] = await Promise.all([...files.values()].map(readBack))
  assert.match(near ?? "", /Visit 0.*10\.00320, 20\.00300.*Map.*Harbour Road.*OpenStreetMap/s)
  assert.match(far ?? "", /Visit 1.*51\.50000, 0\.25000/s)
  assert.doesNotMatch(far ?? "", /OpenStreetMap/)
  await planner.post("/tasks/reports", { taskIds, sortBy: "title", sortOrder: "asc", download: "pdf" })
  await writeExports(app)
  const log = (await planner.get("/tasks/export-log?dataType=report")).json().data
  const joined = log.find(({ _source }: typeof entry) => _source.fileType === "pdf")._source
  const all = await download(app, joined.fileUrl)
  assert.match(await readBack(all), /Visit 0.*Harbour Road.*Visit 1.*51\.50000/s)
  const bookmarks = await (await getDocumentProxy(new Uint8Array(all), { verbosity: 0 })).getOutline()
  assert.deepEqual(
    bookmarks.map(({ title }) => title),
    [`Visit 0 · ${tasks[0]?.id.slice(-8)}`, "Visit 1 · A/7"],
  )
})
