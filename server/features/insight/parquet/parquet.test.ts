import assert from "node:assert/strict"
import { test } from "node:test"
import { parquetReadObjects } from "hyparquet"
import { aHub, aTask } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"
import { encodeParquet } from "./encode.ts"
import { writeParquet } from "./jobs.ts"

interface File {
  table: string
  month: string
  rows: number
  bytes: number
  url: string
  writtenTime: string
}

test("months are written as Parquet when they changed, with as many rows as reports count", async (t) => {
  const { sql, as, jobContext, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const at = (text: string) => ({
    startTime: Temporal.Instant.from(text),
    doneTime: Temporal.Instant.from(text),
  })
  const made = { org, hub, status: "DONE" as const }
  await aTask(sql, { ...made, ...at("2031-04-30T10:00:00Z") })
  for (const day of ["02", "03"]) await aTask(sql, { ...made, ...at(`2031-05-${day}T10:00:00Z`) })
  const list = async (): Promise<File[]> =>
    (await as(org.owner).expect(200).get("/analytics/files?table=tasks")).json().data.data
  const write = () => writeParquet.handle(jobContext(), { organizationId: org.id })
  await write()
  const files = await list()
  assert.deepEqual(
    files.map(({ month, rows }) => [month, rows]),
    [
      ["2031-04", 1],
      ["2031-05", 2],
    ],
  )
  const { data } = (
    await as(org.owner).get(
      "/reports/figures?metrics=finished&groupBy=month&from=2031-04-01&until=2031-05-31",
    )
  ).json()
  assert.deepEqual(
    data.rows.map(({ values }: { values: Record<string, number> }) => values.finished),
    [1, 2],
  )
  await sql`update tasks set title = 'Changed' where organization_id = ${org.id} and start_time > '2031-05-03'`
  await write()
  const again = await list()
  assert.equal(again[0]?.url.split("?")[0], files[0]?.url.split("?")[0], "April did not change")
  assert.notEqual(again[1]?.url.split("?")[0], files[1]?.url.split("?")[0])
  await sql`delete from tasks where organization_id = ${org.id} and start_time < '2031-05-01'`
  await write()
  assert.deepEqual(
    (await list()).map(({ month }) => month),
    ["2031-05"],
  )
})

test("numbers, times, lists and missing values are read back as they were", async () => {
  const columns = [
    { name: "at", type: "timestamp with time zone" },
    { name: "is_late", type: "boolean" },
    { name: "lat", type: "double precision" },
    { name: "tasks", type: "bigint" },
    { name: "values", type: "jsonb" },
    { name: "assignee", type: "text[]" },
    { name: "title", type: "text" },
  ]
  const at = Date.parse("2031-05-06T10:00:00.123Z")
  const cells = [
    String(at),
    "true",
    "-34.90128405",
    "9007199254740993",
    '{"qty": 0.1, "x": "ñ"}',
    '["a"]',
    "Ñandú 🚚",
  ]
  const none = columns.map(() => null)
  const early = [String(Date.parse("1969-12-31T23:59:59.999Z")), "false", "1e-7", "-1", "[]", "[]", ""]
  const bytes = encodeParquet(columns, [{ cells }, { cells: none }, { cells: early }])
  const rows = await parquetReadObjects({ file: Uint8Array.from(bytes).buffer })
  assert.deepEqual(rows.map(Object.values), [
    [new Date(at), true, -34.90128405, 9007199254740993n, { qty: 0.1, x: "ñ" }, ["a"], "Ñandú 🚚"],
    columns.map(() => null),
    [new Date("1969-12-31T23:59:59.999Z"), false, 1e-7, -1n, [], [], ""],
  ])
})
