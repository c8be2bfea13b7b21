import type { Pool, Sql, Tx } from "#core/database/database.ts"

/** In the order in which searches and the publication of a version lock them. */
export const placeTables = [
  "place_entries",
  "place_words",
  "place_houses",
  "place_lines",
  "place_crossings",
] as const

/** What searches need of each table, made after its rows are there. */
export const placeIndexes: Readonly<Record<(typeof placeTables)[number], readonly string[]>> = {
  place_entries: [
    "(id)",
    "using gin (words) with (fastupdate = off)",
    "(importance desc)",
    "using gist (point(lon, y))",
  ],
  place_words: ["(word)", "using gin (deletions) with (fastupdate = off)"],
  place_houses: ["(street, value)", "using gist (point(lon, y))"],
  place_lines: ["using gist (extent)"],
  place_crossings: ["(street, other)"],
}

interface MapVersion {
  readonly region: string
  readonly version: string
}

/** The id of a version's tables. A version that was loaded before starts again. */
export async function insertVersion(sql: Pool, { region, version }: MapVersion): Promise<number> {
  await discardAddresses(sql, { version })
  const [row] = await sql<{ id: number }[]>`
    insert into place_versions (region, version) values (${region}, ${version}) returning id`
  if (!row) throw new Error("the version was not stored")
  return row.id
}

const allTables = placeTables.join(", ")

/** A search takes several statements: all of them read the same versions. */
export const readLock = `lock table only ${allTables.replaceAll(", ", ", only ")} in access share mode`
const writeLock = readLock.replace("access share", "access exclusive")

/** Makes the rows of a version visible, and removes those of the region's previous one, in the map's transaction. */
export async function publishAddresses(tx: Tx, { region, version }: MapVersion): Promise<void> {
  await removeAddresses(tx, region)
  await tx.unsafe(writeLock)
  const [row] = await tx<{ id: number }[]>`
    update place_versions set is_current = true where version = ${version} returning id`
  // A ready-made archive has no addresses.
  if (!row) return
  for (const table of placeTables)
    await tx.unsafe(`alter table ${table} attach partition ${table}_${row.id} for values in (${row.id})`)
}

/** Makes the empty tables of the visible versions, for a restore that loads `place_versions` before their rows. */
export async function makeAddressTables(tx: Tx): Promise<void> {
  const rows = await tx<{ id: number }[]>`select id from place_versions where is_current`
  for (const { id } of rows)
    for (const table of placeTables) {
      const name = `${table}_${id}`
      await tx.unsafe(`create table ${name} partition of ${table} for values in (${id})`)
      for (const [number, on] of placeIndexes[table].entries())
        await tx.unsafe(`create index ${name}_${number} on ${name} ${on}`)
    }
}

/** Removes what a region shows. */
export async function removeAddresses(tx: Tx, region: string): Promise<void> {
  const rows = await tx<{ id: number }[]>`
    delete from place_versions where region = ${region} and is_current returning id`
  if (rows.length > 0) await tx.unsafe(writeLock)
  for (const { id } of rows) await dropTables(tx, id)
}

/** Removes a version that never became visible. */
export async function discardAddresses(sql: Pool, { version }: Pick<MapVersion, "version">): Promise<void> {
  const rows = await sql<{ id: number }[]>`
    select id from place_versions where version = ${version} and not is_current`
  for (const { id } of rows) await discard(sql, id)
}

/** Removes what killed builds left. A build takes hours at most. */
export async function sweepAddresses(sql: Pool): Promise<void> {
  const rows = await sql<{ id: number }[]>`
    select id from place_versions where not is_current and created_at < now() - interval '1 day'`
  for (const { id } of rows) await discard(sql, id)
}

async function discard(sql: Pool, id: number): Promise<void> {
  await sql.begin(async (tx) => {
    await dropTables(tx, id)
    await tx`delete from place_versions where id = ${id}`
  })
}

async function dropTables(tx: Tx, id: number): Promise<void> {
  for (const table of placeTables) await tx.unsafe(`drop table if exists ${table}_${id}`)
}

/** Whether there is anything to search in. */
export async function hasAddresses(sql: Sql): Promise<boolean> {
  const rows = await sql`select 1 from place_versions where is_current limit 1`
  return rows.length > 0
}
