import { json, type Pool } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { aHub, type Organization } from "./builders.ts"

/** A finished result without vehicles, unless told otherwise. */
export async function aResult(
  sql: Pool,
  wish: {
    org: Organization
    hub?: { id: Id<"hub"> }
    status?: "ongoing" | "done" | "failed"
    input?: unknown
    result?: unknown
  },
): Promise<{ id: Id<"result"> }> {
  const { org } = wish
  const hub = wish.hub ?? (await aHub(sql, { org }))
  const id = newId<"result">()
  const result = wish.result ?? { routing: [], dropped: [] }
  await sql`
    insert into routing_results (organization_id, id, hub_id, name, result_code, routing_date, hub_coordinate, status,
      configuration, input, result, original, user_name, created_by, created_from)
    values (${org.id}, ${id}, ${hub.id}, 'A plan', ${id}, '2031-05-04', '52.1,4.3', ${wish.status ?? "done"},
      ${json(sql, { capacityConstraint: [], returnToHub: false })}, ${wish.input === undefined ? null : json(sql, wish.input)},
      ${json(sql, result)}, ${json(sql, result)}, 'Owner', ${org.owner.id}, 'API')`
  return { id }
}
