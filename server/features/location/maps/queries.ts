import { json, type Sql, type Tx } from "#core/database/database.ts"
import type { BuilderOutput } from "./build/builder.ts"
import type { MapFiles } from "./files.ts"

export interface MapRegion {
  name: string
  version: string
  files: MapFiles
  attribution: string
  west: number
  south: number
  east: number
  north: number
  dataTime: Temporal.Instant | null
  source: string
  report: Readonly<Record<string, BuilderOutput["report"]>>
  builtAt: Temporal.Instant
}

export const buildStatuses = ["waiting", "running", "done", "failed", "cancelled"] as const
export type BuildStatus = (typeof buildStatuses)[number]

export interface MapBuild {
  id: string
  region: string
  status: BuildStatus
  source: string
  sourceKey: string | null
  fingerprint: string | null
  step: string | null
  progress: number
  error: string | null
  requestedBy: string
  createdAt: Temporal.Instant
  updatedAt: Temporal.Instant
}

export async function listRegions(sql: Sql): Promise<MapRegion[]> {
  return sql<MapRegion[]>`
    select name, version, files, attribution, west, south, east, north, data_time, source, report, built_at
    from map_regions order by name`
}

export async function listBuilds(sql: Sql): Promise<MapBuild[]> {
  return sql<MapBuild[]>`
    select id, region, status, source, source_key, fingerprint, step, progress, error, requested_by, created_at, updated_at
    from map_builds order by created_at desc limit 50`
}

export async function findBuild(sql: Sql, id: string): Promise<MapBuild | undefined> {
  const [build] = await sql<MapBuild[]>`
    select id, region, status, source, source_key, fingerprint, step, progress, error, requested_by, created_at, updated_at
    from map_builds where id = ${id}`
  return build
}

export type NewBuild = Pick<MapBuild, "id" | "region" | "source" | "requestedBy"> &
  Partial<Pick<MapBuild, "sourceKey" | "fingerprint">>

export async function insertBuild(sql: Sql, build: NewBuild): Promise<void> {
  await sql`
    insert into map_builds (id, region, status, source, source_key, fingerprint, requested_by)
    values (${build.id}, ${build.region}, 'waiting', ${build.source}, ${build.sourceKey ?? null},
      ${build.fingerprint ?? null}, ${build.requestedBy})`
}

/** False if the build has been cancelled, or has ended. */
export async function noteProgress(sql: Sql, id: string, step: string, progress: number): Promise<boolean> {
  const rows = await sql`
    update map_builds set status = 'running', step = ${step}, progress = ${progress}, updated_at = now()
    where id = ${id} and status in ('waiting', 'running') returning 1`
  return rows.length > 0
}

export async function endBuild(
  sql: Sql,
  id: string,
  status: "done" | "failed" | "cancelled",
  error: string | null = null,
): Promise<boolean> {
  const rows = await sql`
    update map_builds set status = ${status}, error = ${error}, updated_at = now(),
      progress = case when ${status} = 'done' then 1 else progress end
    where id = ${id} and status in ('waiting', 'running') returning 1`
  return rows.length > 0
}

/** Makes a version current; returns the one that it replaces. */
export async function publishRegion(
  tx: Tx,
  region: Omit<MapRegion, "builtAt" | "dataTime"> & { dataTime: string | null },
): Promise<string | undefined> {
  const [old] = await tx<{ version: string }[]>`
    select version from map_regions where name = ${region.name} for update`
  await tx`
    insert into map_regions (name, version, files, attribution, west, south, east, north, data_time, source, report, built_at)
    values (${region.name}, ${region.version}, ${json(tx, region.files)}, ${region.attribution}, ${region.west},
      ${region.south}, ${region.east}, ${region.north}, ${region.dataTime}, ${region.source}, ${json(tx, region.report)}, now())
    on conflict (name) do update set version = excluded.version, files = excluded.files,
      attribution = excluded.attribution, west = excluded.west, south = excluded.south, east = excluded.east,
      north = excluded.north, data_time = excluded.data_time, source = excluded.source, report = excluded.report,
      built_at = excluded.built_at`
  return old?.version
}

export async function removeRegion(tx: Tx, name: string): Promise<string | undefined> {
  const [old] = await tx<
    { version: string }[]
  >`delete from map_regions where name = ${name} returning version`
  return old?.version
}

export async function hasFingerprint(sql: Sql, fingerprint: string): Promise<boolean> {
  const rows = await sql`select 1 from map_builds where fingerprint = ${fingerprint} limit 1`
  return rows.length > 0
}

/** Sources that waiting or running builds still need. */
export async function neededSources(sql: Sql): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`select id from map_builds where status in ('waiting', 'running')`
  return new Set(rows.map(({ id }) => id))
}

/** Builds whose process was killed, such as a command; jobs are repeated before that. */
export async function endAbandonedBuilds(sql: Sql): Promise<void> {
  await sql`
    update map_builds set status = 'failed', error = 'The build was interrupted. Start it again', updated_at = now()
    where status in ('waiting', 'running') and updated_at < now() - interval '8 hours'`
}
