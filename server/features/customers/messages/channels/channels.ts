import { randomBytes } from "node:crypto"
import { json, type Sql, type Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { reseal, type Sealing, seal, unseal } from "#core/security/sealing.ts"
import { messageErrors } from "../errors.ts"
import { type ProviderRequest, presetOf } from "../templates/presets.ts"

export type ChannelKind = "email" | "sms" | "whatsapp"

export interface ChannelSettings {
  /** Values of the placeholders of the preset, such as the sender's number. */
  variables: Record<string, string>
  /** Instead of the preset's request. */
  request?: ProviderRequest | undefined
  /** What happens to a message whose sending was interrupted, where the provider cannot be asked. */
  onUncertain: "resend" | "stop"
}

export interface ChannelRow {
  id: Id<"channel">
  organizationId: string
  name: string
  kind: ChannelKind
  preset: string
  settings: ChannelSettings
  secrets: Buffer | null
  isActive: boolean
  /** Of one message, as text: money is not a float. */
  cost: string
  dailyCap: number
}

/** `callback` is the secret in the address that the provider calls. */
export type ChannelSecrets = Record<string, string> & { callback: string }

const columns = (sql: Sql) =>
  sql`id, organization_id, name, kind, preset, settings, secrets, is_active, cost::text, daily_cap`

const purposeOf = (channelId: string) => `message-channel:${channelId}`

export function listChannels(sql: Sql, organizationId: string): Promise<ChannelRow[]> {
  return sql<ChannelRow[]>`
    select ${columns(sql)} from message_channels where organization_id = ${organizationId} order by name, id`
}

export async function findChannel(sql: Sql, organizationId: string, channelId: string): Promise<ChannelRow> {
  const rows = await sql<ChannelRow[]>`
    select ${columns(sql)} from message_channels
    where organization_id = ${organizationId} and id = ${channelId.toLowerCase()}`
  if (!rows[0]) throw messageErrors.notFound()
  return rows[0]
}

/** For callbacks, which name nothing but the channel. */
export async function findChannelOfCallback(sql: Sql, channelId: string): Promise<ChannelRow | undefined> {
  const rows = await sql<ChannelRow[]>`
    select ${columns(sql)} from message_channels where id = ${channelId.toLowerCase()}`
  return rows[0]
}

export interface ChannelInput {
  name: string
  kind: ChannelKind
  preset: string
  settings: ChannelSettings
  isActive: boolean
  cost: number
  dailyCap: number
  /** Those that are left out stay. */
  secrets: Record<string, string>
}

export async function insertChannel(
  tx: Tx,
  sealing: Sealing,
  { organizationId, email }: { organizationId: string; email: string },
  input: ChannelInput,
): Promise<ChannelRow> {
  const id = newId<"channel">()
  const secrets = { ...input.secrets, callback: randomBytes(24).toString("base64url") }
  await tx`
    insert into message_channels (organization_id, id, name, kind, preset, settings, secrets, is_active, cost, daily_cap,
      updated_by)
    values (${organizationId}, ${id}, ${input.name}, ${input.kind}, ${input.preset}, ${json(tx, input.settings)},
      ${await seal(sealing, purposeOf(id), JSON.stringify(secrets))}, ${input.isActive}, ${input.cost}, ${input.dailyCap},
      ${email})`
  return findChannel(tx, organizationId, id)
}

export async function updateChannel(
  tx: Tx,
  sealing: Sealing,
  { organizationId, email }: { organizationId: string; email: string },
  before: ChannelRow,
  input: ChannelInput,
): Promise<ChannelRow> {
  const known = await openSecrets(sealing, before)
  const secrets = { ...known, ...input.secrets, callback: known.callback }
  await tx`
    update message_channels set name = ${input.name}, kind = ${input.kind}, preset = ${input.preset},
      settings = ${json(tx, input.settings)}, secrets = ${await seal(sealing, purposeOf(before.id), JSON.stringify(secrets))},
      is_active = ${input.isActive}, cost = ${input.cost}, daily_cap = ${input.dailyCap}, updated_time = now(),
      updated_by = ${email}
    where organization_id = ${organizationId} and id = ${before.id}`
  return findChannel(tx, organizationId, before.id)
}

export async function deleteChannel(tx: Tx, organizationId: string, channelId: string): Promise<void> {
  await tx`delete from message_channels where organization_id = ${organizationId} and id = ${channelId}`
}

export async function openSecrets(sealing: Sealing, { id, secrets }: ChannelRow): Promise<ChannelSecrets> {
  // No callback is genuine then.
  if (!secrets) return { callback: randomBytes(24).toString("base64url") }
  return JSON.parse(await unseal(sealing, purposeOf(id), secrets)) as ChannelSecrets
}

export function requestOf({ preset, settings }: ChannelRow): ProviderRequest {
  return settings.request ?? presetOf(preset).request
}

export function callbackUrl(publicUrl: string, channel: ChannelRow, { callback }: ChannelSecrets): string {
  return `${publicUrl}/api/v3/customer-message-callback/${channel.id}?secret=${callback}`
}

/** Reseals the secrets of channels under the current key; runs at every start, returns how many it changed. */
export async function sealStoredChannels(sealing: Sealing): Promise<number> {
  const { sql } = sealing
  const rows = await sql<{ organizationId: string; id: string; secrets: Buffer }[]>`
    select organization_id, id, secrets from message_channels where secrets is not null`
  let count = 0
  for (const { organizationId, id, secrets } of rows) {
    const sealed = await reseal(sealing, purposeOf(id), secrets)
    if (!sealed) continue
    const changed = await sql`
      update message_channels set secrets = ${sealed}
      where organization_id = ${organizationId} and id = ${id} and secrets = ${secrets} returning 1`
    count += changed.length
  }
  return count
}
