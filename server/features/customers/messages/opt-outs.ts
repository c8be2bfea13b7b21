import type { Sql } from "#core/database/database.ts"

export type OptOutSource = "link" | "reply" | "console"

export async function addOptOut(
  sql: Sql,
  organizationId: string,
  addresses: readonly string[],
  source: OptOutSource,
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into message_opt_outs (organization_id, address, source, created_time)
    select ${organizationId}, address, ${source}, ${now} from unnest(${[...addresses]}::text[]) as given (address)
    on conflict do nothing`
}

export async function removeOptOut(
  sql: Sql,
  organizationId: string,
  addresses: readonly string[],
): Promise<boolean> {
  const rows = await sql`
    delete from message_opt_outs where organization_id = ${organizationId} and address = any (${[...addresses]})
    returning 1`
  return rows.length > 0
}

export async function hasOptedOut(
  sql: Sql,
  organizationId: string,
  addresses: readonly string[],
): Promise<boolean> {
  const rows = await sql`
    select 1 from message_opt_outs where organization_id = ${organizationId} and address = any (${[...addresses]})
    limit 1`.reusePlan()
  return rows.length > 0
}

export function listOptOuts(
  sql: Sql,
  organizationId: string,
): Promise<{ address: string; source: string; createdTime: Temporal.Instant }[]> {
  return sql`
    select address, source, created_time from message_opt_outs where organization_id = ${organizationId}
    order by created_time desc, address limit 1000`
}

const stopWords = /^(stop|stopall|unsubscribe|cancel|end|quit|berhenti|batal|إيقاف|ايقاف|الغاء|إلغاء)[.!]?$/iu
const startWords = /^(start|unstop|mulai|ابدأ)[.!]?$/iu

/** What a reply means besides its words. */
export function meaningOf(text: string): "stop" | "start" | "comment" {
  const word = text.trim()
  return stopWords.test(word) ? "stop" : startWords.test(word) ? "start" : "comment"
}
