import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { copyInto, inTransaction, type Pool } from "#core/database/database.ts"
import {
  type AddressIndex,
  deletionsOf,
  type Entry,
  type House,
  hashOf,
  type StreetLine,
} from "#packages/addresses/index.ts"
import { projectedY } from "../project.ts"
import { insertVersion, placeIndexes, placeTables } from "../versions.ts"

/** Rows as texts for COPY, in pieces of about this size. */
const pieceCharacters = 65_536

/** Loads an index into tables of its own, which nothing reads until they are attached. */
export async function loadAddresses(
  sql: Pool,
  version: { region: string; version: string },
  index: AddressIndex,
  report: (share: number) => void,
): Promise<void> {
  const id = await insertVersion(sql, version)
  const names = Object.fromEntries(placeTables.map((table) => [table, `${table}_${id}`]))
  const load = async (table: (typeof placeTables)[number], rows: Iterable<string>) => {
    const name = names[table] ?? ""
    await inTransaction(sql, async (tx) => {
      // The check lets it be attached without reading the rows again.
      await tx.unsafe(
        `create table ${name} (like ${table} including defaults including constraints, check (version_id is not null and version_id = ${id}))`,
      )
      await pipeline(Readable.from(pieces(rows)), copyInto(tx, `copy ${name} from stdin`))
      for (const [number, on] of placeIndexes[table].entries())
        await tx.unsafe(`create index ${name}_${number} on ${name} ${on}`)
      await tx.unsafe(`analyze ${name}`)
    })
  }
  await load("place_entries", entryRows(id, index.entries()))
  report(0.4)
  await load("place_words", wordRows(id, index.wordCounts))
  await load("place_houses", houseRows(id, index.houses()))
  report(0.8)
  await load("place_lines", lineRows(id, index.lines()))
  await load("place_crossings", crossingRows(id, index))
}

function* pieces(rows: Iterable<string>): Iterable<string> {
  let piece = ""
  for (const row of rows) {
    piece += row
    if (piece.length < pieceCharacters) continue
    yield piece
    piece = ""
  }
  if (piece) yield piece
}

type Field = string | number | boolean | null | undefined

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" }

/** A line of COPY's text format. */
const row = (fields: readonly Field[]) =>
  `${fields
    .map((field) =>
      field === null || field === undefined || field === ""
        ? "\\N"
        : typeof field === "string"
          ? field.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character)
          : String(field),
    )
    .join("\t")}\n`

const list = (numbers: readonly number[] | undefined) =>
  numbers === undefined ? undefined : `{${numbers.join(",")}}`

function* entryRows(version: number, entries: Iterable<Entry>): Iterable<string> {
  for (const entry of entries) {
    const { others, name } = entry.names
    yield row([
      ...[version, entry.id, entry.kind, entry.osmType, entry.osmId, entry.category, entry.type, entry.rank],
      ...[entry.importance, name || " ", Object.keys(others).length > 0 ? JSON.stringify(others) : null],
      // Spellings are letters, digits and blanks.
      `{${entry.spellings.map((spelling) => `"${spelling}"`).join(",")}}`,
      ...[
        list(entry.words),
        list(entry.parents),
        entry.passes.length > 0 ? list(entry.passes) : null,
        entry.extra,
      ],
      // An empty country is a text, not null.
      ...[entry.country || "--", entry.postcode, entry.city, entry.house?.number, entry.house?.street],
      ...[entry.lon, entry.lat, projectedY(entry.lat), list(entry.bounds)],
      entry.extraTags ? JSON.stringify(entry.extraTags) : null,
    ])
  }
}

function* wordRows(version: number, counts: ReadonlyMap<string, number>): Iterable<string> {
  for (const [word, count] of counts) yield row([version, word, count, list(deletionsOf(word).map(hashOf))])
}

const maxValue = 2_000_000_000

/** What a number's text begins with, once for each of several numbers: `12;14`, `12-16`. */
function valuesOf(number: string): (number | null)[] {
  const values = [...new Set(number.split(/[;,/–-]/, 12).map((part) => Number.parseInt(part, 10)))].filter(
    (value) => value >= 0 && value < maxValue,
  )
  return values.length > 0 ? values : [null]
}

function* houseRows(version: number, houses: Iterable<House>): Iterable<string> {
  for (const house of houses)
    for (const value of valuesOf(house.number))
      yield row([
        ...[version, house.street, value, house.number, house.osmType, house.osmId, house.building],
        ...[house.isInterpolated, house.isInterest, house.postcode, list(house.parents)],
        ...[house.lon, house.lat, projectedY(house.lat)],
      ])
}

const maxPieceUnits = 0.004 * 1e7

/** Lines in parts of some hundred metres: the box of a long road is near to everything. */
function* lineRows(version: number, lines: Iterable<StreetLine>): Iterable<string> {
  for (const { street, line } of lines) {
    let start = 0
    for (let at = 2; at < line.length; at += 2) {
      const isLast = at + 2 >= line.length
      const span = Math.max(
        Math.abs((line[at] ?? 0) - (line[start] ?? 0)),
        Math.abs((line[at + 1] ?? 0) - (line[start + 1] ?? 0)),
      )
      if (!isLast && span < maxPieceUnits) continue
      yield lineRow(version, street, line.subarray(start, at + 2))
      start = at
    }
  }
}

function lineRow(version: number, street: number, line: Int32Array): string {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let at = 0; at < line.length; at += 2) {
    const [x, y] = [line[at] ?? 0, projectedY(line[at + 1] ?? 0)]
    west = Math.min(west, x)
    east = Math.max(east, x)
    south = Math.min(south, y)
    north = Math.max(north, y)
  }
  return row([version, street, `(${east},${north}),(${west},${south})`, list([...line])])
}

function* crossingRows(version: number, index: AddressIndex): Iterable<string> {
  for (const { street, other, lon, lat } of index.crossings()) yield row([version, street, other, lon, lat])
}
