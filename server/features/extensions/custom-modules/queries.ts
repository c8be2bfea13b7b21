import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"

export interface ModuleRow {
  id: Id<"custom-module">
  organizationId: Id<"organization">
  name: string
  label: string
  type: "internal" | "external"
  url: string
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

function columns(sql: Sql) {
  return sql`id, organization_id, name, label, type, url, created_time, updated_time`
}

export async function findModule(
  sql: Sql,
  organizationId: string,
  id: string,
): Promise<ModuleRow | undefined> {
  const rows = await sql<ModuleRow[]>`
    select ${columns(sql)} from custom_modules where organization_id = ${organizationId} and id = ${id.toLowerCase()}`
  return rows[0]
}

export async function listModules(sql: Sql, organizationId: string): Promise<ModuleRow[]> {
  return sql<ModuleRow[]>`
    select ${columns(sql)} from custom_modules where organization_id = ${organizationId} order by name`
}

export async function insertModule(
  sql: Sql,
  caller: Caller,
  { name, label, type, url }: Pick<ModuleRow, "name" | "label" | "type" | "url">,
): Promise<ModuleRow | undefined> {
  const [row] = await sql<ModuleRow[]>`
    insert into custom_modules (organization_id, id, name, label, type, url, created_by)
    values (${caller.organizationId}, ${newId()}, ${name}, ${label}, ${type}, ${url}, ${caller.email})
    returning ${columns(sql)}`
  return row
}

export async function updateModule(
  sql: Sql,
  { organizationId, id }: Pick<ModuleRow, "organizationId" | "id">,
  { label, type, url }: Pick<ModuleRow, "label" | "type" | "url">,
): Promise<ModuleRow | undefined> {
  const [row] = await sql<ModuleRow[]>`
    update custom_modules set type = ${type}, url = ${url}, label = ${label}, updated_time = now()
    where organization_id = ${organizationId} and id = ${id} returning ${columns(sql)}`
  return row
}

export async function removeModule(
  sql: Sql,
  organizationId: string,
  id: string,
): Promise<ModuleRow | undefined> {
  const [row] = await sql<ModuleRow[]>`
    delete from custom_modules where organization_id = ${organizationId} and id = ${id.toLowerCase()}
    returning ${columns(sql)}`
  return row
}
