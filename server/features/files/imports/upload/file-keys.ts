import type { Pool, Tx } from "#core/database/database.ts"
import { ownedState } from "#core/owned-state.ts"
import type { ImportRow } from "../queries.ts"
import type { Line, Target } from "../targets/target.ts"
import { createKeySet, type KeySet } from "./key-set.ts"

/**
 * The keys of imports that this process works on; `chunk` is how far they reach, batches that are not committed yet
 * included. Others are read again, and so are those of an import whose batch failed.
 */
const heldOf = ownedState((_sql: Pool) => new Map<string, { keys: KeySet; chunk: number }>())
const maxHeldKeys = 4_000_000

export interface BatchKeys {
  /** Lines whose key stood earlier in the file. */
  repeats: ReadonlySet<Line>
  /** Hashes of the keys that the others brought, for `keepKeys`. */
  fresh: Buffer
}

/**
 * Notes the keys of the lines from `chunk` to `end`. Batches are noted in the order of the file, each once it is read;
 * whatever is noted and not written then must be evicted with `evictKeys`.
 */
export async function noteKeys(
  sql: Pool,
  record: Pick<ImportRow, "organizationId" | "id">,
  target: Target,
  lines: readonly Line[],
  { chunk, end }: { chunk: number; end: number },
): Promise<BatchKeys> {
  const repeats = new Set<Line>()
  if (!target.uniqueKey) return { repeats, fresh: Buffer.alloc(0) }
  const earlier = await keysBefore(sql, record, chunk)
  const here = new Set<string>()
  const hashes: Buffer[] = []
  for (const line of lines) {
    const key = target.uniqueKey(line)
    if (key === undefined) continue
    const hash = hashOf(key)
    if (here.has(key) || earlier.has(hash)) repeats.add(line)
    else {
      here.add(key)
      hashes.push(hash)
    }
  }
  const fresh = Buffer.concat(hashes)
  earlier.addAll(fresh)
  const held = heldOf(sql)
  held.delete(record.id)
  held.set(record.id, { keys: earlier, chunk: end })
  evictOldest(held, record.id)
  return { repeats, fresh }
}

/** Keeps the keys of a batch with its rows, for the process that continues after this one. */
export async function keepKeys(
  tx: Tx,
  record: Pick<ImportRow, "organizationId" | "id">,
  chunk: number,
  { fresh }: BatchKeys,
): Promise<void> {
  if (fresh.length === 0) return
  await tx`
    insert into import_keys (organization_id, import_id, first_chunk, hashes)
    values (${record.organizationId}, ${record.id}, ${chunk}, ${fresh})`
}

async function keysBefore(sql: Pool, record: Pick<ImportRow, "organizationId" | "id">, chunk: number) {
  const held = heldOf(sql)
  const known = held.get(record.id)
  if (known?.chunk === chunk) return known.keys
  held.delete(record.id)
  const keys = createKeySet()
  const parts = sql<{ hashes: Buffer }[]>`
    select hashes from import_keys
    where organization_id = ${record.organizationId} and import_id = ${record.id} and first_chunk < ${chunk}`
  for await (const rows of parts.cursor(50)) for (const { hashes } of rows) keys.addAll(hashes)
  return keys
}

/** Evicts what has waited longest while all held keys are too many. */
function evictOldest(held: ReturnType<typeof heldOf>, newest: string): void {
  let count = 0
  for (const { keys } of held.values()) count += keys.size
  for (const [id, { keys }] of held) {
    if (count <= maxHeldKeys) return
    if (id === newest) continue
    held.delete(id)
    count -= keys.size
  }
}

/** Nothing more is to come of this import, or what was noted of it was not written. */
export function evictKeys(sql: Pool, importId: string): void {
  heldOf(sql).delete(importId)
}

/**
 * 64 bits of a key, by two multiplicative hashes that mix each other at the end. Somebody who builds two keys with
 * the same bits has a row of a file of their own refused.
 */
export function hashOf(key: string): Buffer {
  let [one, two] = [0x9e3779b9, 0x85ebca6b]
  for (let at = 0; at < key.length; at++) {
    const unit = key.charCodeAt(at)
    one = Math.imul(one ^ unit, 0x9e3779b1)
    two = Math.imul(two ^ unit, 0x5f356495)
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(two ^ (two >>> 13), 0xc2b2ae35)
  two = Math.imul(two ^ (two >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35)
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeInt32LE(one, 0)
  bytes.writeInt32LE(two, 4)
  return bytes
}
