import { type Static, Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { json, type Sql, type Tx } from "#core/database/database.ts"
import { IdSchema } from "#core/ids.ts"
import { reportMetrics } from "#shared/report-metrics.ts"

const Cost = (description: string) => Type.Number({ minimum: 0, maximum: 1e9, default: 0, description })

export const InsightSettings = Type.Object(
  {
    costs: Type.Object({
      perSession: Cost("Of each session of work, for example for the vehicle"),
      perHour: Cost("Of each hour of a session"),
      perKilometer: Cost("Of each kilometer of a session"),
    }),
    targets: Type.Array(
      Type.Object({
        metric: Type.String({ enum: Object.keys(reportMetrics), description: "Name of a metric" }),
        flowId: Type.Optional(
          Type.Union([IdSchema("flow"), Type.Null()], {
            description: "Only for this flow; otherwise for all work",
          }),
        ),
        target: Type.Number({ minimum: 0, maximum: 1e9, description: "Rates are between 0 and 1" }),
      }),
      { maxItems: 100, description: "At most one per metric and flow; the last one counts" },
    ),
  },
  { title: "InsightSettings" },
)
export type InsightSettings = Static<typeof InsightSettings>

const none: InsightSettings = { costs: { perSession: 0, perHour: 0, perKilometer: 0 }, targets: [] }

export async function readInsightSettings(sql: Sql, organizationId: string): Promise<InsightSettings> {
  const [row] = await sql<InsightSettings[]>`
    select costs, targets from insight_settings where organization_id = ${organizationId}`
  return row ? { costs: { ...none.costs, ...row.costs }, targets: row.targets } : none
}

export async function writeInsightSettings(
  tx: Tx,
  { organizationId, email }: Pick<Caller, "organizationId" | "email">,
  { costs, targets }: InsightSettings,
): Promise<InsightSettings> {
  await tx`
    insert into insight_settings (organization_id, costs, targets, updated_by)
    values (${organizationId}, ${json(tx, costs)}, ${json(tx, targets)}, ${email})
    on conflict (organization_id) do update set costs = excluded.costs, targets = excluded.targets, updated_time = now(),
      updated_by = excluded.updated_by`
  return readInsightSettings(tx, organizationId)
}

/** What a figure should reach: of the one flow that it is about, or else of all work. */
export function targetOf(
  { targets }: InsightSettings,
  metric: string,
  flowId: string | undefined,
): number | undefined {
  const own = targets.filter((target) => target.metric === metric)
  return (
    own.findLast((target) => flowId !== undefined && target.flowId === flowId) ??
    own.findLast((target) => !target.flowId)
  )?.target
}
