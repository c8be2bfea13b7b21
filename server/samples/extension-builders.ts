import { json, type Pool } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import type { Organization } from "./builders.ts"

let count = 0

/** A webhook on new tasks as if somebody had made it before the test. */
export async function aWebhook(
  sql: Pool,
  options: { org: Organization; url?: string; event?: string; dataType?: string; rules?: object },
): Promise<{ id: Id<"automation"> }> {
  const id = newId<"automation">()
  await sql`
    insert into automations (organization_id, id, name, event, data_type, automation_type, details, rules, is_active, owner_id)
    values (${options.org.id}, ${id}, ${`Hook ${process.pid} ${++count}`}, ${options.event ?? "onTaskCreated"},
      ${options.dataType ?? "task"}, 'webhook', ${json(sql, { url: options.url ?? "https://hooks.example/" })},
      ${json(sql, options.rules ?? {})}, true, ${options.org.owner.id})`
  return { id }
}

/** A row of a custom module, without its permission. */
export async function aCustomModule(sql: Pool, options: { org: Organization }): Promise<{ id: string }> {
  const id = newId()
  const name = `module-${process.pid}-${++count}`
  await sql`
    insert into custom_modules (organization_id, id, name, label, type, url)
    values (${options.org.id}, ${id}, ${name}, ${name}, 'internal', 'https://tools.example/')`
  return { id }
}

/** A row of a plugin whose files are not stored. */
export async function aPlugin(sql: Pool, options: { org: Organization }): Promise<{ id: string }> {
  const id = newId()
  const name = `plugin-${process.pid}-${++count}`
  await sql`
    insert into plugins (organization_id, id, name, description, resource_file, script_key, created_by)
    values (${options.org.id}, ${id}, ${name}, 'Counts the stock', '1_a.js', ${`${options.org.id}/plugins/1_a.js`}, ${options.org.owner.email})`
  return { id }
}

/** A connection to a directory whose certificate is not stored. */
export async function anAppIntegration(sql: Pool, options: { org: Organization }): Promise<{ id: string }> {
  const id = newId()
  await sql`
    insert into app_integrations (organization_id, id, auth_url, certificate_key)
    values (${options.org.id}, ${id}, 'https://login.example/', ${`${options.org.id}/1_a.cer`})`
  return { id }
}

export async function aTemplate(sql: Pool, options: { org: Organization }): Promise<{ id: string }> {
  const id = newId()
  await sql`
    insert into templates (organization_id, id, name, category, configuration, created_by)
    values (${options.org.id}, ${id}, 'Delivery', 'Logistics', '{}', ${options.org.owner.email})`
  return { id }
}

/** A version that is published to everybody. */
export async function aVersion(sql: Pool): Promise<{ id: string; platform: string }> {
  const id = newId()
  await sql`
    insert into app_versions (id, platform, version_number, version_name, version_data, release_time, category_update,
      doc_url, change_log, tags)
    values (${id}, 'Android', ${++count}, 'v1.0.0', 1000, now(), 'flexible', 'https://docs.example/', 'First', '{android}')`
  return { id, platform: "Android" }
}

/** A channel of messages to customers, without secrets. */
export async function aMessageChannel(sql: Pool, options: { org: Organization }): Promise<{ id: string }> {
  const id = newId()
  await sql`
    insert into message_channels (organization_id, id, name, kind, preset, settings)
    values (${options.org.id}, ${id}, 'Gateway', 'sms', 'gateway', ${json(sql, { variables: {}, onUncertain: "stop" })})`
  return { id }
}

/** A list that is being read from another system. */
export async function aReading(sql: Pool, { id: organizationId, owner }: Organization): Promise<string> {
  const id = newId<"reading">()
  await sql`
    insert into other_system_readings (organization_id, id, user_id, system, collection, address, created_by, created_time,
      updated_time)
    values (${organizationId}, ${id}, ${owner.id}, 'v3', 'hubs', 'https://v3.test', ${owner.email}, now(), now())`
  return id
}
