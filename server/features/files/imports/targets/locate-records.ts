import type { Tx } from "#core/database/database.ts"
import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { cellToText } from "#packages/spreadsheets/cell-text.ts"
import { findHub } from "../../../organization/hubs/index.ts"
import { canGeocode, geocode, sureConfidence } from "../../../planning/routes/index.ts"
import type { RecordInput, RecordSnapshot } from "../../../work/data-records/index.ts"
import type { DataTypeRow, Field } from "../../../work/data-types/index.ts"
import { type DoubtfulPlace, noteDoubtfulPlaces } from "./doubtful-places.ts"
import type { Line, LocateContext, Outcome, WriteContext } from "./target.ts"

/** Titles of fields whose text is the address of a record. */
const addressTitle = /\b(address|alamat|direcci[oó]n|endere[cç]o|adresse|anschrift|domicilio)\b|عنوان/iu

/** Lines before a batch that may still be being written. */
const linesKept = 5_000

/** What a cell that wants a coordinate became. */
interface LocatedCell extends Omit<DoubtfulPlace, "taskId"> {
  /** The cell was empty: a place that the record has already is kept. */
  isFallback: boolean
}

/** Finds the places of records whose rows have an address instead of a coordinate. */
export interface RecordLocator {
  note(line: Line): void
  /** Looks up what the noted lines need, and returns those lines. */
  locate(lines: readonly Line[], context: LocateContext): Promise<Line[]>
  cellOf(line: Line, fieldId: string): LocatedCell | undefined
  /** Of a line that was written: the places that somebody should check. */
  doubtfulOf(line: Line): LocatedCell[]
}

export function createRecordLocator(
  { fields }: Pick<DataTypeRow, "fields">,
  hubId: string | null,
): RecordLocator {
  const places = fields.filter(({ type }) => type === "geolocation")
  const address = places.length === 1 ? fields.find(isAddress) : undefined
  const wanted = new Map<number, LocatedCell[]>()

  const addressOf = (line: Line, field: Field): { text: string; isFallback: boolean } | undefined => {
    const own = cellToText(line.cell(field.id)).trim()
    if (own !== "") return isCoordinate(own) ? undefined : { text: own, isFallback: false }
    const text = address ? cellToText(line.cell(address.id)).trim() : ""
    return text === "" ? undefined : { text, isFallback: true }
  }

  return {
    note(line) {
      const cells = places.flatMap((field): LocatedCell[] => {
        const found = addressOf(line, field)
        if (!found) return []
        const { text, isFallback } = found
        return [{ componentId: field.id, address: text, coordinate: null, confidence: 0, isFallback }]
      })
      if (cells.length > 0) wanted.set(line.index, cells)
    },
    async locate(lines, { sql, geocoderUrl, caller }) {
      const written = (lines[0]?.index ?? 0) - linesKept
      for (const index of wanted.keys()) if (index < written) wanted.delete(index)
      const own = lines.filter(({ index }) => wanted.has(index))
      const cells = own.flatMap(({ index }) => wanted.get(index) ?? [])
      if (cells.length === 0) return []
      if (!(await canGeocode({ sql, geocoderUrl }))) {
        for (const { index } of own) wanted.delete(index)
        return []
      }
      const hub = hubId === null ? undefined : await findHub(sql, caller, hubId)
      const found = await geocode(
        cells.map((cell) => cell.address),
        { sql, geocoderUrl },
        hub ? { position: [hub.lng, hub.lat] } : {},
      )
      for (const [index, cell] of cells.entries()) {
        const { position, confidence = 0 } = found[index] ?? {}
        if (position) Object.assign(cell, { coordinate: `${position[1]},${position[0]}`, confidence })
      }
      return own
    },
    cellOf: ({ index }, fieldId) => wanted.get(index)?.find(({ componentId }) => componentId === fieldId),
    doubtfulOf: ({ index }) =>
      (wanted.get(index) ?? []).filter(({ confidence }) => confidence < sureConfidence),
  }
}

const isAddress = ({ type, title }: Field) => type === "text" && addressTitle.test(title)
const isCoordinate = (text: string) => parseLatLng(text) !== undefined

/** Notes the places of written records that somebody should check. */
export function noteDoubtfulRecords(
  tx: Tx,
  outcomes: ReadonlyMap<Line, Outcome | undefined>,
  { caller, importId }: WriteContext,
  locator: RecordLocator,
): Promise<void> {
  const doubtful = [...outcomes].flatMap(([line, outcome]) => {
    if (outcome?.kind !== "created" && outcome?.kind !== "changed") return []
    return locator.doubtfulOf(line).map(({ isFallback: _, ...cell }) => ({ taskId: outcome.id, ...cell }))
  })
  return noteDoubtfulPlaces(tx, caller, importId, doubtful)
}

/** An empty cell keeps the place that a record has, whatever its address says. */
export function withoutFallbacks(
  input: RecordInput,
  line: Line,
  stored: RecordSnapshot | undefined,
  locator: RecordLocator,
): RecordInput {
  if (!stored) return input
  const kept = Object.entries(input).filter(
    ([id]) => !(locator.cellOf(line, id)?.isFallback && stored.values[id]),
  )
  return kept.length === Object.keys(input).length
    ? input
    : { dataId: input.dataId, ...Object.fromEntries(kept) }
}
