/*
 * What a screen with a live map costs while everybody of a large fleet sends a position every 30 seconds: bytes, and processor
 * time of Node and of PostgreSQL, a minute. What the positions cost without a screen is subtracted.
 * Run: node bench/scale/live-screens.ts [people] [seconds]
 */
import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { startBench } from "../load/harness.ts"
import { databaseMilliseconds, postmasterOf } from "../load/processor-time.ts"
import { seedFleet } from "../load/seed-fleet.ts"

const people = Number(process.argv[2] ?? 50_000)
const seconds = Number(process.argv[3] ?? 60)
const writesPerSecond = 10
const secondsBetweenPositions = 30
const rowsOfDesk = 200
const panSeconds = 3

const bench = await startBench()
const { sql, address, app } = bench
const org = await seedFleet(sql, people)
const postmaster = await postmasterOf(sql)
const token = await bench.tokenOf(org.owner)
const api = `${address}/api/v3`
const ids = await sql<{ id: string }[]>`
  select id from users where organization_id = ${org.id} order by number limit ${rowsOfDesk}`
const ofDesk = `userId=${ids.map(({ id }) => id).join()}`
const views = Array.from({ length: Math.ceil(seconds / panSeconds) }, (_, index) => {
  const west = 6 + (index % 8) * 0.5
  return `bbox=${west},46,${west + 1},47`
})

let part = 0
const parts = writesPerSecond * secondsBetweenPositions
const writing = setInterval(() => {
  part = (part + 1) % parts
  void sql`
    update person_positions set lat = lat + 0.0001, recorded_at = now(), received_at = now(), xid = pg_current_xact_id()
    where organization_id = ${org.id} and person_number % ${parts} = ${part}`.then(() => app.live.wake())
}, 1000 / writesPerSecond)

interface Screen {
  atOnce: readonly string[]
  /** In turn, every `panSeconds`. */
  views?: readonly (readonly string[])[]
}
const screens: Record<string, Screen> = {
  "no screen": { atOnce: [] },
  "everybody (the console before)": { atOnce: ["positions", "events?"] },
  "the 200 people of the dispatch screen": { atOnce: [`positions?${ofDesk}`, `events?${ofDesk}`] },
  "an area with 1 % of all": { atOnce: [`positions?${views[0]}`, `events?${views[0]}`] },
  "such areas, another every 3 seconds": {
    atOnce: [],
    views: views.map((view) => [`positions/clusters?${view}&zoom=8`, `positions?${view}`, `events?${view}`]),
  },
  "a page without a map": { atOnce: ["events?positions=none"] },
}

try {
  process.stdout.write("| Screen | kB a minute | Node ms | PostgreSQL ms |\n|---|---|---|---|\n")
  const bare = await measure(screens["no screen"] as Screen)
  for (const [name, screen] of Object.entries(screens)) {
    const { bytes, node, database } = await measure(screen)
    const cells = [bytes / 1000, node - bare.node, database - bare.database]
    const perMinute = cells.map((value) => ((value * 60) / seconds).toFixed(0))
    process.stdout.write(`| ${name} | ${perMinute.join(" | ")} |\n`)
  }
} finally {
  clearInterval(writing)
  await bench.close()
}

async function measure(screen: Screen): Promise<{ bytes: number; node: number; database: number }> {
  const reader = spawn(process.execPath, [
    fileURLToPath(new URL("../load/read-stream.ts", import.meta.url)),
    token,
  ])
  reader.stderr.pipe(process.stderr)
  // Dead versions of rows would make each screen dearer than the one before.
  await sql.unsafe("vacuum person_positions")
  const [cpu, before] = [process.cpuUsage(), databaseMilliseconds(postmaster)]
  const ends = Date.now() + seconds * 1000
  for (const path of screen.atOnce) reader.stdin.write(`${api}/${path}\n`)
  for (const view of screen.views ?? []) {
    for (const path of view) reader.stdin.write(`${api}/${path}\n`)
    await sleep(panSeconds * 1000)
  }
  await sleep(Math.max(0, ends - Date.now()))
  reader.stdin.end()
  const bytes = Number(await text(reader.stdout))
  const used = process.cpuUsage(cpu)
  return {
    bytes,
    node: (used.user + used.system) / 1000,
    database: databaseMilliseconds(postmaster) - before,
  }
}
