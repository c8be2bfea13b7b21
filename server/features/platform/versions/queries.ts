import type { Caller } from "#core/access/caller.ts"
import { databaseErrorOf, type Sql } from "#core/database/database.ts"
import { defineErrors } from "#core/errors.ts"
import { type Id, newId } from "#core/ids.ts"

export const versionErrors = defineErrors("versn", {
  docRequired: [400, "001", "docUrl (the address of the release notes) is required"],
  unknownOrganization: [400, "001", "This organization does not exist"],
  numberTaken: [400, "032", "This platform already has a version with this number"],
  notFound: [404, "033", "This version does not exist"],
  notOperator: [403, "035", "Only the organization that runs this installation can publish versions"],
})

export const platforms = ["Android", "IOS", "Web", "Web-mileapp"] as const
export type Platform = (typeof platforms)[number]

export interface VersionRow {
  id: Id<"version">
  forOrganizationId: Id<"organization"> | null
  platform: Platform
  versionNumber: number
  versionName: string
  versionData: number
  releaseTime: Temporal.Instant
  categoryUpdate: "flexible" | "immediate"
  docUrl: string
  changeLog: string
  tags: string[]
}
export type VersionWrite = Omit<VersionRow, "id" | "versionNumber" | "versionData" | "forOrganizationId"> & {
  forOrganizationId: string | null
  /** Undefined: the next of the platform, and a thousand times it. */
  versionNumber: number | undefined
  versionData: number | undefined
}

function columns(sql: Sql) {
  return sql`id, for_organization_id, platform, version_number, version_name, version_data, release_time,
    category_update, doc_url, change_log, tags`
}

/** Published to everybody, or to the organization that is named. */
function visible(sql: Sql, organizationId: string | undefined) {
  return sql`(for_organization_id is null ${organizationId ? sql`or for_organization_id = ${organizationId}` : sql``})`
}

export function listLatest(sql: Sql, organizationId: string | undefined): Promise<VersionRow[]> {
  return sql<VersionRow[]>`
    select distinct on (platform) ${columns(sql)} from app_versions
    where ${visible(sql, organizationId)} order by platform, version_number desc`
}

export async function findLatest(
  sql: Sql,
  platform: Platform,
  organizationId: string | undefined,
): Promise<{ latest: VersionRow; lastRequired: VersionRow | undefined }> {
  const newest = (isRequired: boolean) => sql<VersionRow[]>`
    select ${columns(sql)} from app_versions
    where platform = ${platform} and ${visible(sql, organizationId)}
      ${isRequired ? sql`and category_update = 'immediate'` : sql``}
    order by version_number desc limit 1`
  const [[latest], [lastRequired]] = await Promise.all([newest(false), newest(true)])
  if (!latest) throw versionErrors.notFound()
  return { latest, lastRequired }
}

export async function isOperator(sql: Sql, caller: Caller): Promise<boolean> {
  const rows = await sql`
    select 1 from installation where operator_organization_id = ${caller.organizationId}`
  return rows.length > 0
}

export function insertVersion(sql: Sql, write: VersionWrite): Promise<VersionRow> {
  return refuseTaken(
    () => sql<VersionRow[]>`
      with next as (
        select coalesce(${write.versionNumber ?? null}::int, (
          select coalesce(max(version_number), 0) + 1 from app_versions where platform = ${write.platform})) as number)
      insert into app_versions (id, for_organization_id, platform, version_number, version_name, version_data, release_time,
        category_update, doc_url, change_log, tags)
      select ${newId<"version">()}, ${write.forOrganizationId}, ${write.platform}, number, ${write.versionName},
        coalesce(${write.versionData ?? null}::int, number * 1000), ${write.releaseTime}::timestamptz,
        ${write.categoryUpdate}, ${write.docUrl}, ${write.changeLog}, ${write.tags}::text[] from next
      returning ${columns(sql)}`,
  )
}

export function updateVersion(sql: Sql, versionId: string, write: VersionWrite): Promise<VersionRow> {
  return refuseTaken(
    () => sql<VersionRow[]>`
      update app_versions set for_organization_id = ${write.forOrganizationId}, platform = ${write.platform},
        version_number = coalesce(${write.versionNumber ?? null}::int, version_number),
        version_name = ${write.versionName}, version_data = coalesce(${write.versionData ?? null}::int, version_data),
        release_time = ${write.releaseTime}, category_update = ${write.categoryUpdate}, doc_url = ${write.docUrl},
        change_log = ${write.changeLog}, tags = ${write.tags}, updated_time = now()
      where id = ${versionId.toLowerCase()} returning ${columns(sql)}`,
  )
}

export async function removeVersion(sql: Sql, versionId: string): Promise<VersionRow> {
  const [row] = await sql<VersionRow[]>`
    delete from app_versions where id = ${versionId.toLowerCase()} returning ${columns(sql)}`
  if (!row) throw versionErrors.notFound()
  return row
}

async function refuseTaken(write: () => PromiseLike<VersionRow[]>): Promise<VersionRow> {
  try {
    const [row] = await write()
    if (!row) throw versionErrors.notFound()
    return row
  } catch (error) {
    const failure = databaseErrorOf(error)
    if (failure?.constraint === "app_versions_number")
      throw versionErrors.numberTaken({ cause: error, fields: { versionNumber: ["is taken"] } })
    if (failure?.constraint === "app_versions_for_organization_id_fkey")
      throw versionErrors.unknownOrganization({ cause: error, fields: { organizationId: ["is unknown"] } })
    throw error
  }
}
