import { batchReads } from "../database/batch-reads.ts"
import { idTexts, type Pool } from "../database/database.ts"
import { type Caller, findCaller, toCaller } from "./caller.ts"
import { parseToken } from "./token.ts"

export type Authenticate = (token: string) => Promise<Caller | undefined>

interface Presented {
  organizationId: string
  hash: Buffer
}

const maxCached = 20_000

/**
 * Resolves a token to its caller. The database is asked for every request, so that a revoked token, a
 * changed role or a disabled person counts at once on every node; but requests that arrive together share
 * one statement, and the caller's details are only read again when the revision of their rows has moved.
 * A revision is made of the rows' xmin, which every update changes.
 */
export function createAuthenticate(sql: Pool): Authenticate {
  const cache = new Map<string, { revision: string; caller: Caller }>()
  const currentRevision = batchReads({
    read: (presented: readonly Presented[]) => revisions(sql, presented),
    keyOf: ({ hash }) => hash.toString("base64"),
  })

  return async (token) => {
    const parsed = parseToken(token)
    if (!parsed) return undefined
    const key = parsed.hash.toString("base64")
    const revision = await currentRevision(parsed)
    if (revision === undefined) {
      cache.delete(key)
      return undefined
    }
    const known = cache.get(key)
    if (known?.revision === revision) return known.caller
    const row = await findCaller(sql, parsed.organizationId, parsed.hash)
    if (!row) return undefined
    const caller = toCaller(row)
    if (cache.size >= maxCached) cache.clear()
    cache.set(key, { revision, caller })
    return caller
  }
}

/**
 * The revision of each presented token, undefined where it is no longer good. Each `offset 0` keeps the planner to
 * one row by its key after the other, as in `findCaller`: with joins it read all members of the organization.
 */
async function revisions(sql: Pool, presented: readonly Presented[]): Promise<(string | undefined)[]> {
  const rows = await sql<{ place: number; revision: string }[]>`
    select asked.place, token.xmin || '.' || person.xmin || '.' || role.xmin || '.' || organization.xmin as revision
    from unnest(
      ${idTexts(
        sql,
        presented.map((asked) => asked.organizationId),
      )},
      ${idTexts(
        sql,
        presented.map((asked) => asked.hash.toString("hex")),
      )}
    ) with ordinality as asked (organization_id, hash, place)
    cross join lateral (
      select *, xmin from access_tokens t
      where t.organization_id = asked.organization_id and t.hash = decode(asked.hash, 'hex') offset 0
    ) as token
    cross join lateral (
      select status, role_id, xmin from users where users.organization_id = token.organization_id and users.id = token.user_id offset 0
    ) as person
    cross join lateral (
      select xmin from roles where roles.organization_id = token.organization_id and roles.id = person.role_id offset 0
    ) as role
    cross join lateral (
      select xmin from organizations where organizations.id = token.organization_id offset 0
    ) as organization
    where token.kind <> 'refresh' and token.revoked_at is null and token.expires_at > now() and person.status = 'active'`.reusePlan()
  const found = new Array<string | undefined>(presented.length).fill(undefined)
  for (const { place, revision } of rows) found[place - 1] = revision
  return found
}
