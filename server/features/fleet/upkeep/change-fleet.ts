import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Sql, type Tx } from "#core/database/database.ts"
import { publish } from "#core/events/publish.ts"
import type { App } from "#core/http/types.ts"

/** Writes in one transaction that tells open pages of the fleet to read again. */
export function changeFleet<Result>(
  { live }: Pick<App, "live">,
  { sql, caller: { organizationId } }: { sql: Sql; caller: Pick<Caller, "organizationId"> },
  write: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return inTransaction(sql, async (tx) => {
    const result = await write(tx)
    await publish(tx, live, "vehicle.changed", { organizationId, content: { vehicleIds: [] } })
    return result
  })
}
