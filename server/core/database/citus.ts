import { lazy, ownedState } from "../owned-state.ts"
import { type Pool, poolOf, type Sql } from "./database.ts"

const state = ownedState((pool: Pool) =>
  lazy(async () => {
    const rows = await pool`select from pg_extension where extname = 'citus'`
    return rows.length > 0
  }),
)

/** Whether tables may be on several machines (docs/scaling.md); asked once of each pool. */
export function hasCitus(sql: Sql): Promise<boolean> {
  return state(poolOf(sql))()
}

/**
 * Tables that go to the workers of Citus, by the column that names the organization: positions and what jobs write. No foreign
 * key leads to or from them, so deleting an organization names each of them. The coordinator keeps the others: their audit
 * trail and counts depend on triggers, which Citus refuses on distributed tables, or live events, the feed and jobs must find
 * their rows at the moment of the commit.
 */
export const distributedTables: Readonly<Record<string, "organization_id" | "organization_number">> = {
  automation_log: "organization_id",
  location_outlines: "organization_number",
  location_points: "organization_number",
  rollups: "organization_id",
  task_estimate_history: "organization_id",
}
