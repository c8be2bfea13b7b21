import { createHash } from "node:crypto"
import { type Fragment, inTransaction, type Pool, type Sql, type Tx } from "../database/database.ts"

const rowsPerBlock = 1_000
const rowsPerBatch = 5_000
/** About so many rows in one transaction: a backlog of any size is worked off, also where a call is cut off. */
export const rowsPerSealing = 20_000
const noHash = Buffer.alloc(32)

interface Sealing {
  sealedXid: number
  lastNumber: number
  baseNumber: number
  /** Every transaction before this one has ended. */
  horizon: number
}

interface SealedRow {
  organizationId: string
  key: string
  number: number
  digest: Buffer
  time: Temporal.Instant
}

/** A key of a block: an entry, or a part. */
export const keyOf = (sql: Sql, table: "audit_log" | "audit_parts"): Fragment =>
  table === "audit_log" ? sql`id` : sql`entry_id || '.' || number`

/** What a hash covers of an entry or part: everything that people wrote, not how this installation numbers it. */
export function digestOf(sql: Sql, table: "audit_log" | "audit_parts"): Fragment {
  const micros = sql`(extract(epoch from time) * 1000000)::bigint`
  const content =
    table === "audit_log"
      ? sql`organization_id, id, ${micros}, actor_email, actor_id, actor_name, actor_kind, via, operation, request_id, details,
          address, action, target_type, target_id, target_name, before, after`
      : sql`organization_id, entry_id, number, ${micros}, change, object_type, object_id, object_name, hub_id, before, after`
  return sql`sha256(convert_to(jsonb_build_array(${content})::text, 'UTF8'))`
}

/**
 * Adds the entries and parts of the transactions that have ended since the last call to the chains of their
 * organizations: the oldest `limit` rows, with the rest of the last one's transaction. Of several calls at the same time
 * one works. A transaction that still runs holds later ones back, so that none is passed over. Returns how many rows were
 * sealed: fewer than `limit` when nothing is left.
 */
export async function sealAuditTrail(sql: Pool, limit = rowsPerSealing): Promise<number> {
  return inTransaction(sql, async (tx) => {
    const [state] = await tx<Sealing[]>`
      select sealed_xid, last_number, base_number, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon
      from audit_sealing for update skip locked`
    if (!state || state.horizon === state.sealedXid) return 0
    const { sealedXid, baseNumber } = state
    // In a database that was restored into another server, transactions count from the beginning again.
    const isRestored = state.horizon < sealedXid
    const horizon = isRestored ? state.horizon : await endOfOldest(tx, state, limit)
    const range = isRestored
      ? tx`xid >= ${sealedXid}`
      : tx`xid >= ${sealedXid} and xid < ${horizon} and number > ${baseNumber}`
    const writer = createBlockWriter(tx)
    let [count, lastNumber] = [0, state.lastNumber]
    const unsealed = tx<SealedRow[]>`
      select organization_id, key, number, digest, time from (
        select xid, organization_id, ${keyOf(tx, "audit_log")} as key, number, ${digestOf(tx, "audit_log")} as digest, time
        from audit_log where ${range}
        union all
        select xid, organization_id, ${keyOf(tx, "audit_parts")}, number, ${digestOf(tx, "audit_parts")}, time
        from audit_parts where ${range}
      ) unsealed order by xid, number`
    for await (const batch of unsealed.cursor(rowsPerBatch)) {
      for (const row of batch) {
        count += 1
        lastNumber = Math.max(lastNumber, row.number)
        await writer.add(row)
      }
    }
    await writer.end()
    await tx`
      update audit_sealing set sealed_xid = ${isRestored ? 0 : horizon}, last_number = ${lastNumber},
        base_number = ${isRestored ? lastNumber : baseNumber}`
    return count
  })
}

/** The transaction before which there are the oldest `limit` rows; the horizon where there are fewer. */
async function endOfOldest(
  tx: Tx,
  { sealedXid, baseNumber, horizon }: Sealing,
  limit: number,
): Promise<number> {
  const range = tx`xid >= ${sealedXid} and xid < ${horizon} and number > ${baseNumber}`
  const [last] = await tx<{ xid: number }[]>`
    select xid from (
      (select xid from audit_log where ${range} order by xid limit ${limit})
      union all (select xid from audit_parts where ${range} order by xid limit ${limit})
    ) oldest order by xid offset ${limit - 1} limit 1`
  return last ? last.xid + 1 : horizon
}

/** Rows of one table that no block of the organization covers, as `place` in the order of writing and `key`. */
export function unchained(
  sql: Sql,
  organizationId: string,
  table: "audit_log" | "audit_parts",
  blocks: Fragment = sql`true`,
): Fragment {
  return sql`
    select number as place, ${keyOf(sql, table)} as key from ${sql(table)} entry
    left join (
      select unnest(string_to_array(keys, ' ')) as sealed_key from audit_blocks
      where organization_id = ${organizationId} and ${blocks}
    ) sealed on sealed_key = ${keyOf(sql, table)}
    where entry.organization_id = ${organizationId} and sealed_key is null`
}

/**
 * What arrived with an archive and was not sealed where it was written is sealed here, as written by this transaction. Its
 * numbers are negative in between: a number of this installation may be one that another part of the same entry has.
 */
export async function sealArrived(tx: Tx, organizationId: string): Promise<void> {
  for (const table of ["audit_log", "audit_parts"] as const) {
    await tx`
      update ${tx(table)} arrived set number = coalesce(-number - 1, -1)
      from (${unchained(tx, organizationId, table)} and xid = 0) unsealed
      where arrived.organization_id = ${organizationId} and ${keyOf(tx, table)} = unsealed.key`
    await tx`
      update ${tx(table)} set xid = pg_current_xact_id()::text::bigint, number = nextval('audit_numbers')
      where organization_id = ${organizationId} and xid = 0 and number < 0`
  }
}

interface OpenBlock {
  number: number
  previousHash: Buffer
  rows: SealedRow[]
}

function createBlockWriter(tx: Tx) {
  const open = new Map<string, OpenBlock>()
  const begin = async (organizationId: string): Promise<OpenBlock> => {
    const [last] = await tx<{ number: number; hash: Buffer }[]>`
      select number, hash from audit_blocks where organization_id = ${organizationId}
      union all select number, hash from audit_checkpoints where organization_id = ${organizationId}
      order by number desc limit 1`
    return { number: (last?.number ?? 0) + 1, previousHash: last?.hash ?? noHash, rows: [] }
  }
  const write = async (
    organizationId: string,
    { number, previousHash, rows }: OpenBlock,
  ): Promise<Buffer> => {
    const keys = rows.map(({ key }) => key).join(" ")
    const digests = Buffer.concat(rows.map(({ digest }) => digest))
    const hash = hashOf({ number, previousHash, keys, digests })
    const times = rows.map(({ time }) => time.epochMilliseconds)
    const lastTime = Temporal.Instant.fromEpochMilliseconds(
      times.reduce((one, other) => Math.max(one, other), 0),
    )
    await tx`
      insert into audit_blocks (organization_id, number, keys, digests, previous_hash, hash, last_time, sealed_time)
      values (${organizationId}, ${number}, ${keys}, ${digests}, ${previousHash}, ${hash}, ${lastTime}, now())`
    return hash
  }
  return {
    async add(row: SealedRow): Promise<void> {
      const { organizationId } = row
      let block = open.get(organizationId)
      if (!block) {
        block = await begin(organizationId)
        open.set(organizationId, block)
      }
      block.rows.push(row)
      if (block.rows.length < rowsPerBlock) return
      const previousHash = await write(organizationId, block)
      open.set(organizationId, { number: block.number + 1, previousHash, rows: [] })
    },
    async end(): Promise<void> {
      for (const [organizationId, block] of open)
        if (block.rows.length > 0) await write(organizationId, block)
    },
  }
}

export interface Hashed {
  number: number
  previousHash: Buffer
  keys: string
  digests: Buffer
}

/** The hash of a block, which includes the one before it. */
export function hashOf({ number, previousHash, keys, digests }: Hashed): Buffer {
  return createHash("sha256").update(previousHash).update(`${number} ${keys} `).update(digests).digest()
}
