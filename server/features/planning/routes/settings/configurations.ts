import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import { databaseErrorOf, json, type Sql, type Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { configurationErrors } from "../errors.ts"
import { defaultSettings, type Settings } from "./settings.ts"

export interface ConfigurationRow {
  id: Id<"routing-configuration">
  organizationId: Id<"organization">
  hubId: Id<"hub">
  name: string
  settings: Settings
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

const visible = (sql: Sql, caller: Caller) =>
  sql`organization_id = ${caller.organizationId} and ${inCallersHubs(sql, caller, sql`hub_id`)}`

/** Profiles by what is in them today: settings that came later have their defaults. */
const complete = (row: ConfigurationRow): ConfigurationRow => ({
  ...row,
  settings: { ...defaultSettings, ...row.settings, name: row.name },
})

export async function listConfigurations(
  sql: Sql,
  caller: Caller,
  options: {
    hubId?: string | undefined
    sortBy: string
    direction: "asc" | "desc"
    limit: number
    offset: number
  },
): Promise<ConfigurationRow[]> {
  const columns: Record<string, string> = {
    createdTime: "created_time",
    updatedTime: "updated_time",
    name: "name",
    hubId: "hub_id",
  }
  const column =
    (Object.hasOwn(columns, options.sortBy) ? columns[options.sortBy] : undefined) ?? "created_time"
  const way = options.direction === "asc" ? sql`asc` : sql`desc`
  const rows = await sql<ConfigurationRow[]>`
    select * from routing_configurations where ${visible(sql, caller)}
      ${options.hubId === undefined ? sql`` : sql`and hub_id = ${options.hubId.toLowerCase()}`}
    order by ${sql(column)} ${way}, id ${way} limit ${options.limit} offset ${options.offset}`
  return rows.map(complete)
}

export async function findConfiguration(
  sql: Sql,
  caller: Caller,
  id: string,
): Promise<ConfigurationRow | undefined> {
  const rows = await sql<ConfigurationRow[]>`
    select * from routing_configurations where ${visible(sql, caller)} and id = ${id.toLowerCase()}`
  return rows[0] && complete(rows[0])
}

/** The profile that a hub plans with: the one that was changed last. */
export async function findCurrentConfiguration(
  sql: Sql,
  caller: Caller,
  hubId: string,
): Promise<ConfigurationRow | undefined> {
  const rows = await sql<ConfigurationRow[]>`
    select * from routing_configurations where ${visible(sql, caller)} and hub_id = ${hubId.toLowerCase()}
    order by updated_time desc, id desc limit 1`
  return rows[0] && complete(rows[0])
}

export async function insertConfiguration(
  tx: Tx,
  caller: Caller,
  hubId: string,
  settings: Settings,
): Promise<ConfigurationRow> {
  const rows = await refusingDoubles(
    () => tx<ConfigurationRow[]>`
      insert into routing_configurations (organization_id, id, hub_id, name, settings)
      values (${caller.organizationId}, ${newId()}, ${hubId.toLowerCase()}, ${settings.name}, ${json(tx, settings)}) returning *`,
  )
  const [row] = rows
  if (!row) throw configurationErrors.notFound()
  return complete(row)
}

export async function updateConfiguration(
  tx: Tx,
  caller: Caller,
  id: string,
  settings: Settings,
): Promise<ConfigurationRow> {
  const [row] = await refusingDoubles(
    () => tx<ConfigurationRow[]>`
      update routing_configurations set name = ${settings.name}, settings = ${json(tx, settings)}, updated_time = clock_timestamp()
      where ${visible(tx, caller)} and id = ${id.toLowerCase()} returning *`,
  )
  if (!row) throw configurationErrors.notFound()
  return complete(row)
}

/** Refuses to remove the last profile of a hub; profiles of the hub are locked, so two calls cannot both leave one. */
export async function removeConfiguration(tx: Tx, caller: Caller, row: ConfigurationRow): Promise<void> {
  const kept = await tx`
    select id from routing_configurations
    where organization_id = ${caller.organizationId} and hub_id = ${row.hubId} order by id for update`
  if (kept.length <= 1) throw configurationErrors.lastOne()
  await tx`delete from routing_configurations where organization_id = ${caller.organizationId} and id = ${row.id}`
}

async function refusingDoubles<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (databaseErrorOf(error)?.code === "23505") throw configurationErrors.nameTaken({ cause: error })
    throw error
  }
}
