import type { Readable } from "node:stream"
import type { Pool } from "#core/database/database.ts"
import type { Rewrite } from "./rewrite-rows.ts"

const transactionInPayload = /"xid": ?"(\d+)"/g

/**
 * Transaction ids for rows that come from another database, where its own mean nothing: a number above our
 * counter would hide an event until the counter gets there. Events that waiting jobs name by their
 * transaction get one of their own each, so that a job finds its events and no others; all the rest, which only
 * stays readable in the feed, shares one.
 */
export async function freshTransactions(sql: Pool, jobs: Readable | undefined): Promise<Rewrite> {
  const named = new Set<string>()
  let rest = ""
  for await (const chunk of jobs ?? []) {
    const text = rest + (chunk as Buffer).toString("latin1")
    for (const [, xid = ""] of text.matchAll(transactionInPayload)) named.add(xid)
    rest = text.slice(text.lastIndexOf("\n") + 1)
  }
  const shared = await newTransaction(sql)
  const own = new Map<string, string>()
  const inOrder = [...named].toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
  for (const xid of inOrder) own.set(xid, await newTransaction(sql))
  return (xid) => own.get(xid) ?? shared
}

/** The same in the payload of a job. */
export function inPayload(rewrite: Rewrite): Rewrite {
  return (payload) =>
    payload.replace(transactionInPayload, (_match, xid: string) => `"xid": "${rewrite(xid)}"`)
}

async function newTransaction(sql: Pool): Promise<string> {
  const rows = await sql<{ xid: string }[]>`select pg_current_xact_id()::text as xid`
  return rows[0]?.xid ?? "0"
}
