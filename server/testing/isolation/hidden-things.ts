import type { Pool } from "#core/database/database.ts"
import { aDataType, aHub, aRecord, aUser, type Organization } from "#samples/builders.ts"
import type { References } from "#samples/foreign-references.ts"
import { aSession } from "#samples/location-builders.ts"
import { derived, tenantTables } from "../../operate/archive/tenant-tables.ts"

/** Written by the calls of the tests themselves. */
const moving = new Set(["access_tokens", "token_uses", "idempotency_keys"])

/** By table. */
export type Digest = ReadonlyMap<string, string>

export function changedTables(before: Digest, after: Digest): string[] {
  return [...after].flatMap(([name, digest]) => (before.get(name) === digest ? [] : [name]))
}

let tables: { name: string; hasHub: boolean }[] | undefined

/** A digest of every row of an organization, or of its rows in some hubs. */
export async function digestOf(
  sql: Pool,
  organizationId: string,
  hubIds?: readonly string[],
): Promise<Digest> {
  tables ??= (await tenantTables(sql))
    // What is counted from other tables changes later than these.
    .filter(({ key, name }) => key === "organization_id" && !moving.has(name) && !derived.has(name))
    .map(({ name, columns }) => ({ name, hasHub: columns.includes("hub_id") }))
  const parts = tables.flatMap(({ name, hasHub }) => {
    if (hubIds && !hasHub && name !== "hubs") return []
    const inHubs = hubIds ? `and ${hasHub ? "hub_id" : "id"} = any ('{${hubIds.join(",")}}')` : ""
    return `select '${name}' as name, md5(coalesce(string_agg(md5(t::text), '' order by t::text), '')) as digest
      from "${name}" t where organization_id = '${organizationId}' ${inHubs}`
  })
  const rows = await sql.unsafe<{ name: string; digest: string }[]>(parts.join(" union all "))
  return new Map(rows.map(({ name, digest }) => [name, digest]))
}

const fixed = "6a01c0ffee5de0b4a7710c11"

/** Ids and addresses that only members of an organization may learn. */
export async function hiddenSecrets(sql: Pool, organizationId: string): Promise<Set<string>> {
  const rows = await sql<{ secret: string }[]>`
    select id as secret from hubs where organization_id = ${organizationId}
    union select id from users where organization_id = ${organizationId}
    union select email from users where organization_id = ${organizationId}
    union select id from roles where organization_id = ${organizationId}
    union select id from tasks where organization_id = ${organizationId}
    union select id from flows where organization_id = ${organizationId}
    union select id from data_records where organization_id = ${organizationId}
    union select id from vehicles where organization_id = ${organizationId}
    union select id from automations where organization_id = ${organizationId}`
  return new Set(rows.map(({ secret }) => secret).filter((secret) => secret !== fixed))
}

/** The same things of an organization, all in hubs that somebody in `own` has no access to, and what must not be shown. */
export async function hiddenThings(
  sql: Pool,
  org: Organization,
  made: References,
  own: { id: string },
): Promise<{ values: References; secrets: ReadonlySet<string>; hubIds: string[] }> {
  const hub = await aHub(sql, { org })
  const type = await aDataType(sql, { org })
  const record = await aRecord(sql, { org, type, hub, values: { note: "Hidden" } })
  const person = await aUser(sql, { org, hubs: [hub], role: "planner" })
  const session = await aSession(sql, { org, person })
  await sql`update imports set hub_id = ${hub.id} where organization_id = ${org.id}`
  await sql`update trash set hub_id = ${hub.id} where organization_id = ${org.id}`
  await sql`update location_links set user_id = ${person.id} where organization_id = ${org.id}`
  const hubs = await sql<{ id: string; name: string }[]>`
    select id, name from hubs where organization_id = ${org.id} and id <> ${own.id}`
  const hubIds = hubs.map(({ id }) => id)
  const rows = await sql<{ id: string }[]>`
    select id from tasks where organization_id = ${org.id}
    union select id from vehicles where organization_id = ${org.id}
    union select id from teams where organization_id = ${org.id}
    union select id from task_schedules where organization_id = ${org.id}
    union select id from routing_results where organization_id = ${org.id}
    union select id from routing_geotags where organization_id = ${org.id}
    union select id from routing_configurations where organization_id = ${org.id}
    union select id from data_records where organization_id = ${org.id} and hub_id is not null
    union select id from imports where organization_id = ${org.id}`
  const values = {
    ...made,
    hubId: hub.id,
    recordId: record.id,
    dataId: record.dataId,
    dataTypeId: type.id,
    dataTypeName: type.name,
    locationHistoryId: session.id,
    "/positions/:userId#userId": person.id,
    "/track/:userId#userId": person.id,
    "/track/:userId/download#userId": person.id,
    "/track/:userId/import#userId": person.id,
  }
  return { values, secrets: new Set([...rows.map(({ id }) => id), ...hubs.map(({ name }) => name)]), hubIds }
}
