import type { Pool } from "../database.ts"
import { type Caller, findCaller, toCaller } from "./caller.ts"
import { parseToken } from "./token.ts"

export type Authenticate = (token: string) => Promise<Caller | undefined>

interface Revision {
  hash: Buffer
  revision: string
}

interface Waiting {
  organizationId: string
  hash: Buffer
  resolve(revision: string | undefined): void
  reject(error: unknown): void
}

const maxRemembered = 20_000

/**
 * Resolves a token to its caller. The database is asked for every request, so that a revoked token, a
 * changed role or a disabled person counts at once on every node; but requests that arrive together share
 * one statement, and the caller's details are only read again when the revision of their rows has moved.
 * A revision is made of the rows' xmin, which every update changes.
 */
export function createAuthenticate(sql: Pool): Authenticate {
  const remembered = new Map<string, { revision: string; caller: Caller }>()
  const currentRevision = batchedRevisions(sql)

  return async (token) => {
    const parsed = parseToken(token)
    if (!parsed) return undefined
    const key = parsed.hash.toString("base64")
    const revision = await currentRevision(parsed.organizationId, parsed.hash)
    if (revision === undefined) {
      remembered.delete(key)
      return undefined
    }
    const known = remembered.get(key)
    if (known?.revision === revision) return known.caller
    const row = await findCaller(sql, parsed.organizationId, parsed.hash)
    if (!row) return undefined
    const caller = toCaller(row)
    if (remembered.size >= maxRemembered) remembered.clear()
    remembered.set(key, { revision, caller })
    return caller
  }
}

/** One statement in flight answers everybody who asked before it left; later ones wait for the next. */
function batchedRevisions(sql: Pool) {
  let waiting: Waiting[] = []
  let running = 0

  const flush = async () => {
    const batch = waiting
    waiting = []
    running += 1
    try {
      const found = await revisions(sql, batch)
      const byHash = new Map(found.map((row) => [row.hash.toString("base64"), row.revision]))
      for (const asked of batch) asked.resolve(byHash.get(asked.hash.toString("base64")))
    } catch (error) {
      for (const asked of batch) asked.reject(error)
    } finally {
      running -= 1
      if (waiting.length > 0) flush()
    }
  }

  return (organizationId: string, hash: Buffer) =>
    new Promise<string | undefined>((resolve, reject) => {
      waiting.push({ organizationId, hash, resolve, reject })
      if (waiting.length === 1 && running < 2) setImmediate(flush)
    })
}

function revisions(sql: Pool, batch: readonly Waiting[]): Promise<Revision[]> {
  return sql<Revision[]>`
    select token.hash, token.xmin || '.' || person.xmin || '.' || role.xmin || '.' || organization.xmin as revision
    from unnest(${batch.map((asked) => asked.organizationId)}::text[], ${batch.map((asked) => asked.hash.toString("hex"))}::text[])
      as asked (organization_id, hash)
    join access_tokens token on token.organization_id = asked.organization_id and token.hash = decode(asked.hash, 'hex')
    join users person on person.organization_id = token.organization_id and person.id = token.user_id
    join roles role on role.organization_id = person.organization_id and role.id = person.role_id
    join organizations organization on organization.id = token.organization_id
    where token.revoked_at is null and token.expires_at > now() and person.status = 'active'`
}
