import { json, type Pool } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { aHub, type Organization } from "./builders.ts"

/** A finished result, by default without vehicles. */
export async function aResult(
  sql: Pool,
  options: {
    org: Organization
    hub?: { id: Id<"hub"> }
    status?: "ongoing" | "done" | "failed"
    input?: unknown
    result?: unknown
  },
): Promise<{ id: Id<"result"> }> {
  const { org } = options
  const hub = options.hub ?? (await aHub(sql, { org }))
  const id = newId<"result">()
  const result = options.result ?? { routing: [], dropped: [] }
  await sql`
    insert into routing_results (organization_id, id, hub_id, name, result_code, routing_date, hub_coordinate, status,
      configuration, input, result, original, user_name, created_by, created_from)
    values (${org.id}, ${id}, ${hub.id}, 'A plan', ${id}, '2031-05-04', '52.1,4.3', ${options.status ?? "done"},
      ${json(sql, { capacityConstraint: [], returnToHub: false })}, ${options.input === undefined ? null : json(sql, options.input)},
      ${json(sql, result)}, ${json(sql, result)}, 'Owner', ${org.owner.id}, 'API')`
  return { id }
}
