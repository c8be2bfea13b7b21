import { systemClock } from "#core/clock.ts"
import type { Pool } from "#core/database/database.ts"
import { createLog } from "#core/telemetry/log.ts"
import { detachOldPartitions, dropDetachedPartitions } from "../../server/features/location/positions/jobs.ts"
import { median, printRatio } from "./harness.ts"
import { peopleCount } from "./seed-points.ts"

const log = createLog("error")
const fewPoints = 10_000
const manyPoints = 5_000_000

/**
 * The two steps of the product's own job on partitions that are past what is kept, in the large store: until nobody sees
 * the points any more, and until the file system has their space back, which nobody waits for.
 */
export async function measureDrops(sql: Pool, organizationId: string): Promise<void> {
  const times = { few: [] as Retention[], many: [] as Retention[] }
  // The first of a process loads what the others have.
  await retain(sql, organizationId, fewPoints)
  for (const [few, many] of [
    [2, 1],
    [2, 1],
    [1, 1],
  ] as const) {
    for (let count = 0; count < few; count += 1) times.few.push(await retain(sql, organizationId, fewPoints))
    for (let count = 0; count < many; count += 1)
      times.many.push(await retain(sql, organizationId, manyPoints))
  }
  printRatio({
    name: `taking ${manyPoints} points that are past keeping away, against ${fewPoints}`,
    measured: median(times.many.map((time) => time.away)),
    base: median(times.few.map((time) => time.away)),
    unit: "ms",
    atMost: 2,
  })
  process.stdout.write(
    `       freeing their space afterwards: ${median(times.many.map((time) => time.freed)).toFixed(1)} against ${median(times.few.map((time) => time.freed)).toFixed(1)} ms\n`,
  )
}

interface Retention {
  away: number
  freed: number
}

async function retain(sql: Pool, organizationId: string, points: number): Promise<Retention> {
  await fillOldMonth(sql, organizationId, points)
  // A month that is past retention was written long ago: nothing of it is on its way to the disk.
  await sql`checkpoint`
  const context = { sql, clock: systemClock, log, signal: new AbortController().signal }
  const started = performance.now()
  await detachOldPartitions(context)
  const away = performance.now() - started
  await dropDetachedPartitions(context)
  return { away, freed: performance.now() - started - away }
}

async function fillOldMonth(sql: Pool, organizationId: string, count: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`select ensure_location_partition(now() - interval '14 months')`
    await tx`
      insert into location_points (recorded_at, received_at, lat, lng, organization_number, person_number, fingerprint)
      select at, at, 51, 4, number, place % ${peopleCount}::int, place
      from (select place, organizations.number,
          date_trunc('month', now() - interval '14 months', 'UTC') + place * interval '0.4 seconds' as at
        from generate_series(1, ${count}::int) as place, organizations where organizations.id = ${organizationId}) as fixes`
  })
}
