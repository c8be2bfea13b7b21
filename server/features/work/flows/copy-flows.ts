import { json, type Tx } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"

/**
 * Copies all flows of an organization into a new one: new ids, version 1, without mappings to data types,
 * which stay behind. Returns the new id of each flow by its old one.
 */
export async function copyFlows(
  tx: Tx,
  from: { organizationId: string },
  to: { organizationId: string; createdBy: string },
): Promise<ReadonlyMap<string, string>> {
  const flows = await tx<{ id: string }[]>`
    select id from flows where organization_id = ${from.organizationId} order by order_index, id`
  const copies = flows.map(({ id }) => ({ old: id, id: newId<"flow">() }))
  if (copies.length === 0) return new Map()
  await tx`
    insert into flows (organization_id, id, name, pages, configurations, is_default, order_index, created_by)
    select ${to.organizationId}, copy.id, flows.name, flows.pages,
      -- Data types are not copied, so a mapping to one would point nowhere.
      (select coalesce(jsonb_agg(entry order by place), '[]')
        from jsonb_array_elements(flows.configurations) with ordinality c (entry, place) where entry->>'id' <> 'dataSource'),
      flows.is_default,
      flows.order_index, ${to.createdBy}
    from jsonb_to_recordset(${json(tx, copies)}::jsonb) as copy (old text, id text)
    join flows on flows.organization_id = ${from.organizationId} and flows.id = copy.old`
  await pointToCopies(tx, to.organizationId, copies)
  return new Map(copies.map((copy) => [copy.old, copy.id]))
}

/** Sub-flows of the copies name copies. An id is 24 hex characters, so its text is nowhere else. */
async function pointToCopies(
  tx: Tx,
  organizationId: string,
  copies: readonly { old: string; id: string }[],
): Promise<void> {
  const flows = await tx<{ id: string; pages: unknown }[]>`
    select id, pages from flows where organization_id = ${organizationId} and pages::text like '%"subFlow"%'`
  for (const { id, pages } of flows) {
    let text = JSON.stringify(pages)
    for (const copy of copies) text = text.replaceAll(copy.old, copy.id)
    await tx`
      update flows set pages = ${text}::text::jsonb where organization_id = ${organizationId} and id = ${id}`
  }
}
