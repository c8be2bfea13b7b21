/*
 * Newest positions of everybody, of an area, and since a cursor, in an organization of many people: processor time of
 * Node and of PostgreSQL, and bytes, and time to the last byte.
 * Run: node bench/scale/positions.ts [people] [repetitions]
 */
import { median, startBench } from "../load/harness.ts"
import { loadFromOtherProcess } from "../load/other-process.ts"
import { databaseMilliseconds, postmasterOf } from "../load/processor-time.ts"
import { seedFleet } from "../load/seed-fleet.ts"

const people = Number(process.argv[2] ?? 50_000)
const repetitions = Number(process.argv[3] ?? 5)
const moved = Math.round(people / 50)

const bench = await startBench()
try {
  const { sql } = bench
  const org = await seedFleet(sql, people)
  const postmaster = await postmasterOf(sql)
  const token = await bench.tokenOf(org.owner)
  const get = async (query: string) => {
    const response = await fetch(`${bench.address}/api/v3/positions${query}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text
  }
  const { cursor } = JSON.parse(await get("?bbox=0,0,1,1")) as { cursor: string }
  await sql`
    update person_positions set lat = lat + 0.0001, xid = pg_current_xact_id()
    where organization_id = ${org.id} and person_number % 50 = 0`
  process.stdout.write(
    "| Positions | Rows | kB | Node ms | PostgreSQL ms | ms to the last byte |\n|---|---|---|---|---|---|\n",
  )
  await measure("everybody", "")
  await measure("an area with 1 % of all", "?bbox=6,46,7,47")
  await measure("everybody counted in cells", "/clusters?zoom=5")
  await measure("an area with 1 % of all counted in cells", "/clusters?bbox=6,46,7,47&zoom=8")
  await measure("the first 100 of a search by name", "?q=son%20499&limit=100")
  await measure(`since a cursor, ${moved} moved`, `?after=${cursor}`)

  async function measure(name: string, query: string): Promise<void> {
    const text = await get(query)
    const requests = query === "" ? 3 : 20
    const [node, database, wall] = [[] as number[], [] as number[], [] as number[]]
    for (let round = 0; round < repetitions; round += 1) {
      const [cpu, ticks] = [process.cpuUsage(), databaseMilliseconds(postmaster)]
      const { seconds } = await loadFromOtherProcess({
        address: bench.address,
        method: "GET",
        headers: { authorization: `Bearer ${token}` },
        paths: [`/api/v3/positions${query}`],
        body: undefined,
        bodies: undefined,
        requests,
        connections: 1,
        warmUp: 0,
      })
      const used = process.cpuUsage(cpu)
      wall.push((seconds * 1000) / requests)
      node.push((used.user + used.system) / 1000 / requests)
      database.push((databaseMilliseconds(postmaster) - ticks) / requests)
    }
    const { data } = JSON.parse(text) as { data: unknown[] | { clusters: unknown[] } }
    const cells = [
      Array.isArray(data) ? data.length : data.clusters.length,
      Math.round(text.length / 1000),
      ...[node, database, wall].map((values) => median(values).toFixed(1)),
    ]
    process.stdout.write(`| ${name} | ${cells.join(" | ")} |\n`)
  }
} finally {
  await bench.close()
}
