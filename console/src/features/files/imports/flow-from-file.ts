import { coordinatePair } from "#packages/spreadsheets/coordinate-headers.ts"
import { addComponent, draftOf, newComponent, withoutGaps } from "../../work/flows/builder/flow-draft.ts"
import type { inputTypes } from "../../work/flows/fields/input-type.ts"
import type { FlowComponent } from "../../work/flows/flows.queries.ts"
import type { Preview } from "./imports.queries.ts"

export type ColumnType = (typeof inputTypes)[number]

/**
 * A column of a file that becomes a field of a new flow; two columns when they are a latitude and a longitude, and none
 * for a place that the import finds by the address.
 */
export interface NewField {
  headers: string[]
  title: string
  type: ColumnType
  sample: string
  isIncluded: boolean
}

const addressWords = /address|street|direcci|adresse|endere|alamat|عنوان/i
const phoneWords = /phone|mobile|\btel|celular|handy|telepon|هاتف/i
/** At the beginning of a word: `filename` is nobody's name. */
const titleWords = /(?<!\p{L})(customer|client|name|receiver|recipient|kunde|nom|pelanggan|عميل)/iu
const checks: readonly (readonly [ColumnType, RegExp])[] = [
  ["Geolocation", /^-?\d{1,2}(\.\d+)?\s*,\s*-?\d{1,3}(\.\d+)?$/],
  ["Datetime", /^(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{4})[T ]\d{1,2}:\d{2}/],
  ["Date", /^(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{4})$/],
  ["Time", /^\d{1,2}:\d{2}(:\d{2})?$/],
  ["URL", /^https?:\/\/\S+$/i],
  // A leading zero belongs to a code: as a number it would be lost.
  ["Numeric", /^-?(0|[1-9]\d{0,14})([.,]\d+)?$/],
]

/** What a column holds, by its title and the first values. */
function typeOf(header: string, values: readonly string[]): ColumnType {
  if (phoneWords.test(header)) return "PhoneNumber"
  if (addressWords.test(header)) return "Address"
  const filled = values.filter((value) => value !== "")
  if (filled.length === 0) return "String"
  return checks.find(([, pattern]) => filled.every((value) => pattern.test(value)))?.[0] ?? "String"
}

/**
 * The fields that a flow needs for the columns of a file. Columns that every task has (its window, its people, …)
 * are left out: `known` are the ids of the fields of the flow that the file was read for.
 */
export function fieldsOfFile(preview: Preview, known: ReadonlySet<string>, placeTitle: string): NewField[] {
  const taken = new Set(
    Object.entries(preview.columns).flatMap(([id, source]) =>
      known.has(id) || source === null ? [] : [source].flat().map(String),
    ),
  )
  const valuesOf = (header: string) => {
    const at = preview.headers.indexOf(header)
    return preview.rows.map(({ values }) => values[at]?.trim() ?? "")
  }
  const open = [...new Set(preview.headers)].filter((header) => header.trim() !== "" && !taken.has(header))
  const [north, east] = coordinatePair(open, () => true)?.map((position) => open[position]) ?? []
  const sampleOf = (header: string) => valuesOf(header).find((value) => value !== "") ?? ""
  const fields = open.flatMap((header): NewField[] => {
    if (north !== undefined && east !== undefined) {
      if (header === east) return []
      if (header === north)
        return [
          {
            headers: [north, east],
            title: placeTitle,
            type: "Geolocation",
            sample: `${sampleOf(north)}, ${sampleOf(east)}`,
            isIncluded: true,
          },
        ]
    }
    const type = typeOf(header, valuesOf(header))
    return [{ headers: [header], title: header.trim(), type, sample: sampleOf(header), isIncluded: true }]
  })
  const has = (type: ColumnType) => fields.some((field) => field.type === type)
  if (!has("Address") || has("Geolocation")) return fields
  return [...fields, { headers: [], title: placeTitle, type: "Geolocation", sample: "", isIncluded: true }]
}

/** The header whose values name the tasks in lists: the customer, otherwise the first text. */
export function titleOf(fields: readonly NewField[]): string | undefined {
  const texts = fields.filter(({ type }) => type === "String")
  return (texts.find(({ title }) => titleWords.test(title)) ?? texts[0] ?? fields[0])?.title
}

const failedWithReason = { outcome: "failed", reasonRequired: true, nextAttempt: "ask" }

/** The body of a new flow: a planner page with these fields, and a page for the worker with a note and photos. */
export function flowOfFields(
  name: string,
  fields: readonly NewField[],
  words: { title: string | undefined; planPage: string; workPage: string; note: string; photos: string },
) {
  const empty = { ...draftOf(undefined, [words.planPage, words.workPage]), name }
  const included = fields.filter(({ isIncluded }) => isIncluded)
  const first = (type: ColumnType) => included.find((field) => field.type === type)
  const places = first("Geolocation")
  const address = first("Address")
  const planned = included.reduce((draft, field) => {
    const component: FlowComponent = { ...newComponent(draft, "input", field.title), type: field.type }
    const uses =
      field.title === words.title
        ? { showAs: "title", ...(field.type === "String" ? { routeAs: "VisitName" } : {}) }
        : field === places
          ? { showAs: "expectedCoordinate", routeAs: "Coordinate" }
          : field === address
            ? { showAs: "content", routeAs: "Address" }
            : {}
    return addComponent(draft, 0, { ...component, ...uses })
  }, empty)
  const noted = addComponent(planned, 1, newComponent(planned, "input", words.note))
  const { pages } = withoutGaps(addComponent(noted, 1, newComponent(noted, "photo", words.photos)))
  return {
    name,
    pages: pages.map(({ title, ...page }) => (title ? { ...page, title } : page)),
    // Without outcomes, a worker at a closed door could only leave the stop open.
    configurations: [{ id: "outcomes", list: [failedWithReason, { outcome: "skipped" }] }],
  }
}
