import { PassThrough } from "node:stream"
import { needsDates, type OtherSystem, otherSystems } from "#shared/other-systems.ts"
import { askAtOnce } from "./ask-at-once.ts"
import { otherSystemErrors } from "./errors.ts"
import { ReadingError } from "./problem.ts"
import type { OtherRow, ReadCollection, ReadOptions } from "./reader.ts"
import { createTitles, writeRows } from "./row-file.ts"
import { apiV3 } from "./systems/api-v3.ts"
import { fleetbase } from "./systems/fleetbase.ts"
import { onfleet } from "./systems/onfleet.ts"
import { optimoroute } from "./systems/optimoroute.ts"
import { traccar } from "./systems/traccar.ts"

const readers: Readonly<Record<OtherSystem, Readonly<Record<string, ReadCollection>>>> = {
  traccar,
  fleetbase,
  onfleet,
  optimoroute,
  v3: apiV3,
}

export function readerOf(system: OtherSystem, collection: string): ReadCollection | undefined {
  return Object.hasOwn(readers[system], collection) ? readers[system][collection] : undefined
}

const maxRows = 20_000

export interface OtherSystemQuery {
  system: OtherSystem
  collection: string
  address?: string | undefined
  token: string
  from?: string | undefined
  to?: string | undefined
}

/** The reader of a list and what it needs. Throws the refusal of a choice that makes no sense. */
export function checkQuery(query: OtherSystemQuery): { read: ReadCollection; options: ReadOptions } {
  const refuse = (part: string, reason: string) =>
    otherSystemErrors.badChoice({ message: `${part} ${reason}`, fields: { [part]: [reason] } })
  const { system, collection, from, to } = query
  const read = readerOf(system, collection)
  if (!read) throw refuse("collection", `must be one of ${otherSystems[system].collections.join(", ")}`)
  const address = query.address ?? otherSystems[system].address
  if (address === undefined) throw refuse("address", "is required")
  if (needsDates(system, collection)) {
    if (from === undefined || to === undefined) throw refuse("from", "and to are required")
    if (!isDay(from)) throw refuse("from", "must be a day such as 2031-05-04")
    if (!isDay(to)) throw refuse("to", "must be a day such as 2031-05-04")
    if (from > to) throw refuse("from", "must not be after to")
  }
  return { read, options: { address, token: query.token, from: from ?? "", to: to ?? "" } }
}

function isDay(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}

/** Reads a short list of another system into a CSV file, which the import then takes like any other. Stores nothing. */
export async function readCollection(
  query: OtherSystemQuery,
  allow: readonly string[],
  signal: AbortSignal,
): Promise<{ csv: Buffer; rowCount: number }> {
  const { read, options } = checkQuery(query)
  const rows: OtherRow[] = []
  try {
    for await (const page of read(askAtOnce(options.address, allow, signal), options)) {
      for (const row of page) rows.push(row)
      if (rows.length > maxRows) throw otherSystemErrors.tooMany()
    }
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error
    throw otherSystemErrors.unusable({ message: error.message, cause: error })
  }
  return { csv: await csvOf(rows), rowCount: rows.length }
}

async function csvOf(rows: readonly OtherRow[]): Promise<Buffer> {
  const titles = createTitles()
  for (const row of rows) titles.add(row)
  const out = new PassThrough()
  const parts = Array.fromAsync<Buffer>(out)
  await writeRows(out, titles.list(), rows)
  out.end()
  return Buffer.concat(await parts)
}
