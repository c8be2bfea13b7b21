import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { defineErrors } from "#core/errors.ts"
import { type Id, newId } from "#core/ids.ts"
import { type Listed, listRows } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"

export const templateErrors = defineErrors("templ", {
  badJson: [
    400,
    "013",
    "configuration must be a JSON object in text form, with the name and pages of a flow",
  ],
  notFound: [404, "033", "Data not found"],
})

export interface TemplateRow {
  id: Id<"template">
  name: string
  category: string
  configuration: string
  description: string | null
  createdBy: string
  updatedBy: string | null
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}
export type TemplateWrite = Pick<TemplateRow, "name" | "category" | "configuration" | "description">

function columns(sql: Sql) {
  return sql`id, name, category, configuration, description, created_by, updated_by, created_time, updated_time`
}

export function listTemplates(
  sql: Sql,
  caller: Caller,
  category: string | undefined,
  page: PageOptions,
): Promise<Listed<TemplateRow>> {
  const where = sql`organization_id = ${caller.organizationId}
    ${category === undefined ? sql`` : sql`and category = ${category}`}`
  return listRows<TemplateRow>(sql, page, {
    columns: columns(sql),
    from: sql`from templates where ${where}`,
    order: sql`created_time desc, id`,
  })
}

export async function findTemplate(sql: Sql, caller: Caller, templateId: string): Promise<TemplateRow> {
  const [row] = await sql<TemplateRow[]>`
    select ${columns(sql)} from templates
    where organization_id = ${caller.organizationId} and id = ${templateId.toLowerCase()}`
  if (!row) throw templateErrors.notFound()
  return row
}

export async function insertTemplate(sql: Sql, caller: Caller, write: TemplateWrite): Promise<TemplateRow> {
  const id = newId<"template">()
  await sql`
    insert into templates (organization_id, id, name, category, configuration, description, created_by)
    values (${caller.organizationId}, ${id}, ${write.name}, ${write.category}, ${write.configuration},
      ${write.description}, ${caller.email})`
  return findTemplate(sql, caller, id)
}

export async function updateTemplate(
  sql: Sql,
  caller: Caller,
  templateId: string,
  write: TemplateWrite,
): Promise<TemplateRow> {
  await sql`
    update templates set name = ${write.name}, category = ${write.category}, configuration = ${write.configuration},
      description = ${write.description}, updated_by = ${caller.email}, updated_time = now()
    where organization_id = ${caller.organizationId} and id = ${templateId.toLowerCase()}`
  return findTemplate(sql, caller, templateId)
}

export async function removeTemplate(sql: Sql, caller: Caller, templateId: string): Promise<TemplateRow> {
  const [row] = await sql<TemplateRow[]>`
    delete from templates where organization_id = ${caller.organizationId} and id = ${templateId.toLowerCase()}
    returning ${columns(sql)}`
  if (!row) throw templateErrors.notFound()
  return row
}
