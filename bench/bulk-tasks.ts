/*
 * POST /tasks/bulk with 2,000 tasks of 30 dynamic fields, against the bare multi-row insert of the same rows
 * into the same table with its indexes and triggers.
 * Run: node bench/bulk-tasks.ts
 */
import { aFlow, aHub, anOrganization } from "#samples/builders.ts"
import { median, printRatio, startBench } from "./load/harness.ts"

const count = 2_000
const rounds = 7
const bench = await startBench()
try {
  const { sql, app } = bench
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org })
  const components = Array.from({ length: 30 }, (_, index) => ({
    id: `field${index}`,
    component: "input",
    type: index % 3 === 0 ? "Numeric" : "String",
    ...(index === 1 ? { showAs: "title" } : {}),
  }))
  const flow = await aFlow(sql, { org, pages: [{ id: "page0", components }] })
  const token = await bench.tokenOf(org.owner)
  const tasks = Array.from({ length: count }, (_, number) => ({
    flow: flow.name,
    hubId: hub.id,
    ...Object.fromEntries(
      components.map(({ id, type }, index) => [
        id,
        type === "Numeric" ? number + index : `value ${number} ${index}`,
      ]),
    ),
  }))
  const payload = JSON.stringify({ tasks })
  const times = { bulk: [] as number[], insert: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now()
    const reply = await app.inject({
      method: "POST",
      url: "/api/v3/tasks/bulk",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      payload,
    })
    times.bulk.push(performance.now() - started)
    if (reply.json().success !== count) throw new Error(reply.body.slice(0, 300))
    const rows =
      await sql`select * from tasks where organization_id = ${org.id} order by created_time desc limit ${count}`
    const columns = Object.keys(rows[0] ?? {}).filter((name) => name !== "firstAssignee")
    const fresh = rows.map((row, index) =>
      Object.fromEntries(
        columns.map((name) => [
          name,
          name === "id"
            ? `${round}${index}`.padStart(24, "b")
            : name === "values" || name === "attributes"
              ? sql.json(row[name])
              : row[name],
        ]),
      ),
    )
    const bare = performance.now()
    await sql.begin(async (tx) => {
      for (let from = 0; from < count; from += 1_000)
        await tx`insert into tasks ${tx(fresh.slice(from, from + 1_000))}`
    })
    times.insert.push(performance.now() - bare)
  }
  const rate = (list: readonly number[]) => (count / median(list)) * 1000
  printRatio({
    name: "POST /tasks/bulk",
    measured: rate(times.bulk),
    base: rate(times.insert),
    unit: "tasks/s",
    atLeast: 0.35,
  })
} finally {
  await bench.close()
}
