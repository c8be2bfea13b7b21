import type { Pool } from "../database/database.ts"
import type { Log } from "../telemetry/log.ts"
import type { Caller } from "./caller.ts"

const noteEveryMilliseconds = 60_000
const maxCached = 20_000

/**
 * Notes when and from where personal tokens are used, at most once a minute per token, address and node.
 * The request does not wait for it: a lost note is only an older "last used".
 */
export function tokenUseNotes(sql: Pool, log: Log): (caller: Caller, address: string) => void {
  const noted = new Map<string, number>()
  return (caller, address) => {
    const key = `${caller.tokenId} ${address}`
    const now = Date.now()
    if (now - (noted.get(key) ?? 0) < noteEveryMilliseconds) return
    if (noted.size >= maxCached) noted.clear()
    noted.set(key, now)
    sql`
      insert into token_uses (organization_id, token_id, used_at, used_from)
      select organization_id, id, now(), ${address} from access_tokens
      where organization_id = ${caller.organizationId} and id = ${caller.tokenId}
      on conflict (organization_id, token_id) do update set used_at = excluded.used_at, used_from = excluded.used_from`.catch(
      (error: unknown) => log.warn({ reason: String(error) }, "the use of a token could not be recorded"),
    )
  }
}
