/*
 * One object by id, against the route that does nothing, over real connections of a second thread.
 * Run: node bench/http.ts
 */
import { aFlow, aHub, anOrganization, aTask } from "#samples/builders.ts"
import { printRatio, startBench, trivialPath } from "./load/harness.ts"

const requests = Number(process.argv[2] ?? 20_000)
const bench = await startBench()
try {
  const { sql } = bench
  const org = await anOrganization(sql)
  const hubs = await several(() => aHub(sql, { org }))
  const flows = await several(() => aFlow(sql, { org }))
  const [hub, flow] = [hubs[0], flows[0]]
  if (!hub || !flow) throw new Error("nothing to ask for")
  const tasks = await several(() => aTask(sql, { org, hub, flow }))
  const token = await bench.tokenOf(org.owner)

  // As in a database that has been running for a minute: the planner knows its tables.
  await sql`analyze`
  const objects: Record<string, readonly string[]> = {
    "GET /hub/{id}": hubs.map((one) => `/api/v3/hub/${one.id}`),
    "GET /flow/{id}": flows.map((one) => `/api/v3/flow/${one.id}`),
    "GET /task/{id}": tasks.map((task) => `/api/v3/task/${task.id}`),
  }
  for (const [name, path] of Object.entries(objects)) {
    const { measured, base } = await bench.compare({ path, token }, { path: trivialPath }, requests)
    printRatio({ name, measured, base, unit: "requests/s", atLeast: 0.3 })
  }
} finally {
  await bench.close()
}

async function several<Made>(make: () => Promise<Made>): Promise<Made[]> {
  const made: Made[] = []
  for (let count = 0; count < 100; count += 1) made.push(await make())
  return made
}
