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
