import type { Sql } from "#core/database/database.ts"
import type { ChannelRow } from "./channels/channels.ts"

/** Messages and their cost, today in the organization's time zone and within 31 days. */
export async function usageOf(sql: Sql, { organizationId, id }: ChannelRow, today: string) {
  const rows = await sql<{ isToday: boolean; messages: number; cost: number }[]>`
    select day = ${today}::date as is_today, sum(messages)::int as messages,
      sum(cost)::float8 as cost
    from message_usage
    where organization_id = ${organizationId} and channel_id = ${id} and day > ${today}::date - 31
    group by 1`
  const current = rows.find(({ isToday }) => isToday)
  const sum = (read: (row: (typeof rows)[number]) => number) =>
    rows.reduce((total, row) => total + read(row), 0)
  return {
    today: { messages: current?.messages ?? 0, cost: current?.cost ?? 0 },
    month: { messages: sum(({ messages }) => messages), cost: sum(({ cost }) => cost) },
  }
}
