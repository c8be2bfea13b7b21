import { PassThrough } from "node:stream"
import { writeCsv } from "#packages/spreadsheets/csv/write-csv.ts"
import { needsDates, type OtherSystem, otherSystems } from "#shared/other-systems.ts"
import { apiV3 } from "./api-v3.ts"
import { otherSystemErrors } from "./errors.ts"
import { fleetbase } from "./fleetbase.ts"
import { onfleet } from "./onfleet.ts"
import { optimoroute } from "./optimoroute.ts"
import { asker, type OtherRow, type ReadCollection } from "./reader.ts"
import { traccar } from "./traccar.ts"

const readers: Readonly<Record<OtherSystem, Readonly<Record<string, ReadCollection>>>> = {
  traccar,
  fleetbase,
  onfleet,
  optimoroute,
  v3: apiV3,
}

const maxRows = 20_000
const maxColumns = 500

interface OtherSystemQuery {
  system: OtherSystem
  collection: string
  address?: string | undefined
  token: string
  from?: string | undefined
  to?: string | undefined
}

/** Reads a list of another system into a CSV file, which the import then takes like any other. Stores nothing. */
export async function readCollection(
  query: OtherSystemQuery,
  allow: readonly string[],
  signal: AbortSignal,
): Promise<{ csv: Buffer; rowCount: number }> {
  const refuse = (part: string, reason: string) =>
    otherSystemErrors.badChoice({ message: `${part} ${reason}`, fields: { [part]: [reason] } })
  const { system, collection, from, to } = query
  const reader = Object.hasOwn(readers[system], collection) ? readers[system][collection] : undefined
  if (!reader) throw refuse("collection", `must be one of ${otherSystems[system].collections.join(", ")}`)
  const address = query.address ?? otherSystems[system].address
  if (address === undefined) throw refuse("address", "is required")
  if (needsDates(system, collection) && (from === undefined || to === undefined))
    throw refuse("from", "and to are required")
  const options = { address, token: query.token, from: from ?? "", to: to ?? "" }
  const rows: OtherRow[] = []
  for await (const page of reader(asker(address, allow, signal), options)) {
    for (const row of page) rows.push(row)
    if (rows.length > maxRows) throw otherSystemErrors.tooMany()
  }
  return { csv: await csvOf(rows), rowCount: rows.length }
}

async function csvOf(rows: readonly OtherRow[]): Promise<Buffer> {
  const titles = new Map<string, string>()
  for (const row of rows)
    for (const key of Object.keys(row)) if (titles.size < maxColumns) titles.set(key.toLowerCase(), key)
  const columns = [...titles.values()]
  const out = new PassThrough()
  const parts = Array.fromAsync<Buffer>(out)
  await writeCsv(out, {
    columns: columns.map((title) => ({ title })),
    rows: rows.map((row) => columns.map((key) => row[key] ?? "")),
  })
  out.end()
  return Buffer.concat(await parts)
}
