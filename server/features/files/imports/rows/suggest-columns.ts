import { type Cell, emptyCell, isBlankCell } from "#packages/spreadsheets/cell.ts"
import { cellToDate, cellToNumber, cellToText, cellToTime } from "#packages/spreadsheets/cell-text.ts"
import { coordinatePair, wordsOf } from "#packages/spreadsheets/coordinate-headers.ts"
import { headerKey, matchHeaders } from "#packages/spreadsheets/headers.ts"
import type { FieldKind, ImportField } from "../targets/target.ts"
import { cellToInstant, type Reading } from "./cell-values.ts"
import { otherPosition } from "./plan-columns.ts"

export type Suggestion = Record<string, string | [string, string] | null>

/** Words that say only what kind of value a column has: `Synced Time` is no start time. */
const timeWords = new Set(["time", "date", "datetime", "waktu", "tanggal"])

const kindWords: Partial<Record<FieldKind, readonly string[]>> = {
  address: ["address", "street", "location", "alamat"],
  coordinate: ["coordinate", "coordinates", "latlng", "position", "gps"],
  email: ["email", "mail"],
}
/** Words of which one stands for another. */
const alikeWords = [
  ["name", "customer", "receiver", "recipient", "site", "title", "client"],
  ["phone", "mobile", "telephone", "tel"],
  ["note", "notes", "remark", "remarks", "comment", "comments", "instructions"],
]

/**
 * A mapping to begin with: fields whose title or id is a header, then latitude and longitude that stand side
 * by side as two columns, then headers
 * that mean the same in other words and whose first values the field could take. Each header is used once.
 */
export function suggestColumns(
  header: readonly Cell[],
  rows: readonly (readonly Cell[])[],
  fields: readonly ImportField[],
): Suggestion {
  const texts = header.map((cell) => cellToText(cell))
  const { positions: titled, unknown } = matchHeaders(header, fields)
  const positions = new Map(titled)
  for (const field of fields.filter(({ id }) => !positions.has(id))) {
    const [position] = otherPosition(header, field, unknown)
    if (position !== undefined) positions.set(field.id, position)
  }
  const used = new Set(positions.values())
  const suggestion: Suggestion = {}
  for (const field of fields) {
    const position = positions.get(field.id)
    suggestion[field.id] = position === undefined ? null : (texts[position] ?? null)
  }
  const take = (position: number): string => {
    used.add(position)
    return texts[position] ?? ""
  }
  const isOpen = (position: number, { kind }: ImportField) =>
    !used.has(position) &&
    couldBe(
      kind,
      rows.map((cells) => cells[position] ?? emptyCell),
    )
  for (const field of fields.filter(({ id, kind }) => kind === "coordinate" && suggestion[id] === null)) {
    const pair = coordinatePair(texts, (position) => !used.has(position))
    if (pair) suggestion[field.id] = [take(pair[0]), take(pair[1])]
  }
  // A column called From or Until is the window of the task before it is a part of another title.
  for (const field of fields.filter(({ id, aliases }) => suggestion[id] === null && aliases)) {
    const names = new Set(field.aliases?.map(headerKey))
    const position = texts.findIndex((text, at) => names.has(headerKey(text)) && isOpen(at, field))
    if (position !== -1) suggestion[field.id] = take(position)
  }
  const open = fields.filter(({ id, isMatchedExactly }) => suggestion[id] === null && !isMatchedExactly)
  for (const field of [
    ...open.filter(({ required }) => required),
    ...open.filter(({ required }) => !required),
  ]) {
    const position = bestHeader(texts, field, (at) => isOpen(at, field))
    if (position !== undefined) suggestion[field.id] = take(position)
  }
  return suggestion
}

/** The header that shares most words with the field; undefined when none shares any. */
function bestHeader(
  texts: readonly string[],
  field: ImportField,
  isOpen: (position: number) => boolean,
): number | undefined {
  const all = wordsOf(`${field.title} ${field.id}`)
  const own = all.every((word) => timeWords.has(word)) ? all : all.filter((word) => !timeWords.has(word))
  const synonyms = [
    ...(kindWords[field.kind] ?? []),
    ...(field.aliases ?? []).flatMap(wordsOf).filter((word) => !timeWords.has(word)),
    ...alikeWords.filter((words) => words.some((word) => own.includes(word))).flat(),
  ]
  let best: { position: number; score: number } | undefined
  for (const [position, text] of texts.entries()) {
    const words = wordsOf(text)
    if (words.length === 0) continue
    const shared = words.filter((word) => own.includes(word)).length
    const alike = words.filter((word) => synonyms.includes(word)).length
    const score = (shared * 2 + alike) / words.length
    if (score >= 0.5 && score > (best?.score ?? 0) && isOpen(position)) best = { position, score }
  }
  return best?.position
}

/** Whether most of a column's first values are of this kind, as a date is no amount. */
function couldBe(kind: FieldKind, cells: readonly Cell[]): boolean {
  const isOfKind = readable[kind]
  const filled = cells.filter((cell) => !isBlankCell(cell))
  return !isOfKind || filled.filter(isOfKind).length * 2 >= filled.length
}

const inNoZone: Reading = { timeZone: "UTC", separators: { decimal: "," } }

const readable: Partial<Record<FieldKind, (cell: Cell) => boolean>> = {
  number: (cell) => cellToNumber(cell, inNoZone.separators) !== undefined,
  date: (cell) => cellToDate(cell) !== undefined,
  dateTime: (cell) => cellToInstant(cell, inNoZone) !== undefined,
  time: (cell) => cellToTime(cell) !== undefined,
}
