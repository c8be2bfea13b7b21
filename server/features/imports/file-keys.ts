import { createHash } from "node:crypto"
import type { Tx } from "#core/database.ts"
import type { ImportRow } from "./queries.ts"
import type { Line, Target } from "./target.ts"

/**
 * Notes the keys of these lines, and returns the lines whose key stood earlier in the file. The keys are kept in
 * the transaction of the batch, so a batch that is tried again does not meet its own.
 */
export async function registerKeys(
  tx: Tx,
  record: Pick<ImportRow, "organizationId" | "id">,
  target: Target,
  lines: readonly Line[],
): Promise<Set<Line>> {
  const repeats = new Set<Line>()
  if (!target.uniqueKey) return repeats
  const firsts = new Map<string, Line>()
  for (const line of lines) {
    const key = target.uniqueKey(line)
    if (key === undefined) continue
    const hash = hashOf(key)
    if (firsts.has(hash)) repeats.add(line)
    else firsts.set(hash, line)
  }
  if (firsts.size === 0) return repeats
  const fresh = await tx<{ hash: string }[]>`
    insert into import_keys (organization_id, import_id, key_hash)
    select ${record.organizationId}, ${record.id}, decode(hash, 'hex') from unnest(${[...firsts.keys()]}::text[]) as hash
    on conflict do nothing returning encode(key_hash, 'hex') as hash`
  const isFresh = new Set(fresh.map(({ hash }) => hash))
  for (const [hash, line] of firsts) if (!isFresh.has(hash)) repeats.add(line)
  return repeats
}

/** 16 bytes: of a million keys two differing ones collide once in 10^26 files. */
function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 32)
}
