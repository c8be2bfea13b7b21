import type { Fragment, Sql } from "../database/database.ts"
import { digestOf, type Hashed, hashOf, keyOf, unchained } from "./chain.ts"

export interface Verified {
  blocks: number
  rows: number
  /** The last block, to be compared with what was noted elsewhere. */
  head: { number: number; hash: string } | undefined
  /** The first thing that is not as it was sealed. */
  broken: { block: number; key: string | undefined; reason: string } | undefined
}

interface StoredBlock extends Hashed {
  hash: Buffer
}

const blocksPerRead = 50

/** A block that was noted earlier, outside of the database. */
export interface NotedBlock {
  number: number
  hash: string
}

/**
 * Compares every sealed entry and part of an organization with its hash, the chain with itself and with a block that was
 * noted earlier, and looks for entries that were put beside the chain.
 */
export async function verifyAuditTrail(
  sql: Sql,
  organizationId: string,
  noted?: NotedBlock,
): Promise<Verified> {
  const sealing = await readSealing(sql)
  const [checkpoint] = await sql<{ number: number; hash: Buffer }[]>`
    select number, hash from audit_checkpoints where organization_id = ${organizationId}`
  const verified: Verified = { blocks: 0, rows: 0, head: undefined, broken: undefined }
  let [number, hash] = [checkpoint?.number ?? 0, checkpoint?.hash ?? Buffer.alloc(32)]
  const broken = (block: number, reason: string, key?: string): Verified => ({
    ...verified,
    broken: { block, key, reason },
  })
  if (checkpoint && !(await isNoted(sql, organizationId, checkpoint)))
    return broken(number, "entries before this block were removed, and no entry says so")
  if (noted && checkpoint?.number === noted.number && checkpoint.hash.toString("hex") !== noted.hash)
    return broken(noted.number, "the block is not the one that was noted earlier")
  for (;;) {
    const blocks = await sql<StoredBlock[]>`
      select number, previous_hash, keys, digests, hash from audit_blocks
      where organization_id = ${organizationId} and number > ${number} order by number limit ${blocksPerRead}`
    for (const block of blocks) {
      if (block.number !== number + 1) return broken(number + 1, "the block is missing")
      if (!block.previousHash.equals(hash))
        return broken(block.number, "the block does not follow the one before it")
      if (!hashOf(block).equals(block.hash)) return broken(block.number, "the block was changed")
      if (noted && block.number === noted.number && block.hash.toString("hex") !== noted.hash)
        return broken(block.number, "the block is not the one that was noted earlier")
      const difference = await firstDifference(sql, organizationId, block)
      if (difference) return broken(block.number, difference.reason, difference.key)
      ;[number, hash] = [block.number, block.hash]
      verified.blocks += 1
      verified.rows += block.digests.length / 32
      verified.head = { number, hash: hash.toString("hex") }
    }
    if (blocks.length < blocksPerRead) break
  }
  if (noted && noted.number > number)
    return broken(noted.number, "the block that was noted earlier is missing")
  const chain = sql`number > ${checkpoint?.number ?? 0} and number <= ${number}`
  const added = await findAdded(sql, organizationId, sealing, chain)
  return added === undefined
    ? verified
    : broken(number, "the entry was added to what is sealed already", added)
}

interface Sealing {
  sealedXid: number
  baseNumber: number
}

async function readSealing(sql: Sql): Promise<Sealing> {
  const [row] = await sql<Sealing[]>`select sealed_xid, base_number from audit_sealing`
  return row ?? { sealedXid: 0, baseNumber: 0 }
}

/** An entry or part of a transaction that was sealed before this began, and which no block covers. */
async function findAdded(
  sql: Sql,
  organizationId: string,
  { sealedXid, baseNumber }: Sealing,
  chain: Fragment,
): Promise<string | undefined> {
  const isSealed = sql`(xid < ${sealedXid} or number <= ${baseNumber})`
  const [added] = await sql<{ key: string }[]>`
    select key from (
      ${unchained(sql, organizationId, "audit_log", chain)} and ${isSealed}
      union all ${unchained(sql, organizationId, "audit_parts", chain)} and ${isSealed}
    ) added order by place limit 1`
  return added?.key
}

/** Retention writes an entry that names the last block that it removed; that entry is in the chain. */
async function isNoted(
  sql: Sql,
  organizationId: string,
  { number, hash }: { number: number; hash: Buffer },
): Promise<boolean> {
  const found = await sql`
    select from audit_log where organization_id = ${organizationId} and action = 'audit-log.remove'
      and after ->> 'block' = ${String(number)} and after ->> 'hash' = ${hash.toString("hex")} limit 1`
  return found.length > 0
}

async function firstDifference(
  sql: Sql,
  organizationId: string,
  { keys, digests }: StoredBlock,
): Promise<{ key: string; reason: string } | undefined> {
  const wanted = keys.split(" ")
  const entryIds = wanted.filter((key) => !key.includes("."))
  const parts = wanted.filter((key) => key.includes(".")).map((key) => key.split(".") as [string, string])
  const rows = await sql<{ key: string; digest: Buffer }[]>`
    select ${keyOf(sql, "audit_log")} as key, ${digestOf(sql, "audit_log")} as digest from audit_log
    where organization_id = ${organizationId} and id = any (${entryIds})
    union all
    select ${keyOf(sql, "audit_parts")}, ${digestOf(sql, "audit_parts")} from audit_parts
    where organization_id = ${organizationId} and (entry_id, number) in (
      select * from unnest(${parts.map(([id]) => id)}::text[], ${parts.map(([, number]) => number)}::bigint[]))`
  const found = new Map(rows.map(({ key, digest }) => [key, digest]))
  for (const [place, key] of wanted.entries()) {
    const digest = found.get(key)
    if (!digest) return { key, reason: "the entry is missing" }
    if (!digest.equals(digests.subarray(place * 32, place * 32 + 32)))
      return { key, reason: "the entry was changed" }
  }
  return undefined
}
