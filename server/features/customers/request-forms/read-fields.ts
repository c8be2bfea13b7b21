import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { readValues } from "../../work/tasks/index.ts"
import { fieldPrefix, type Posted, textIn } from "./read-post.ts"
import type { FormField } from "./settings.ts"

/** What the fields of a form became: values of components, and what is wrong with which. */
export interface ReadFields {
  values: Record<string, unknown>
  /** Components that are missing or cannot be read. */
  problems: Map<string, "required" | "invalid">
  position: LngLat | undefined
}

const maxTextLength = 5000

/** Reads what was posted for the fields of a form, and nothing else. */
export function readFields(fields: readonly FormField[], posted: Posted, timeZone: string): ReadFields {
  const problems = new Map<string, "required" | "invalid">()
  const sent: Record<string, unknown> = {}
  const place = placeOf(posted)
  for (const field of fields) {
    const { id } = field.component
    if (field.kind === "photo") {
      const count = posted.files.filter((file) => file.field === id).length
      if (field.isRequired && count === 0) problems.set(id, "required")
      continue
    }
    const value = readValue(field, posted, place, timeZone)
    if (value === "" || (Array.isArray(value) && value.length === 0)) {
      if (field.isRequired) problems.set(id, "required")
    } else if (value === undefined) problems.set(id, "invalid")
    else sent[id] = value
  }
  const components = fields
    .filter(({ kind }) => kind !== "photo")
    .map(({ component }) => ({ ...component, visible: true }))
  const read = readValues([{ id: "form", components }], sent, "change")
  for (const { component } of read.problems)
    if (!problems.has(component.id)) problems.set(component.id, "invalid")
  const values = Object.fromEntries(Object.entries(read.values).filter(([id]) => Object.hasOwn(sent, id)))
  return { values, problems, position: place?.position }
}

function readValue(
  { component, kind }: FormField,
  posted: Posted,
  place: Place | undefined,
  timeZone: string,
): string | string[] | undefined {
  const all = (posted.values.get(fieldPrefix + component.id) ?? []).filter((text) => text !== "")
  const text = all[0] ?? ""
  if (all.some((one) => one.length > maxTextLength)) return undefined
  if (kind === "select") return Number(component.max ?? 1) > 1 ? all.slice(0, 100) : text
  if (kind === "position")
    return place
      ? place.position
          .map((degrees) => Number(degrees.toFixed(6)))
          .toReversed()
          .join(",")
      : ""
  if (kind === "address") return place?.label || textIn(posted, "address").slice(0, 500)
  if (kind === "email") return text === "" || /^[^\s@]{1,64}@[^\s@]{1,190}$/.test(text) ? text : undefined
  if (kind === "number") return text.replace(",", ".")
  if (kind === "datetime" && text !== "") return instantText(text, timeZone)
  return text
}

/** The local time that browsers send, as an instant. */
function instantText(text: string, timeZone: string): string | undefined {
  try {
    return Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).toInstant().toString()
  } catch {
    return undefined
  }
}

export interface Place {
  position: LngLat
  label: string
}

/** A found address that was chosen: `lat,lng;label`. */
export function placeOf(posted: Posted): Place | undefined {
  const [, coordinate = "", label = ""] = /^([^;]{3,60});([^\n]{0,500})$/.exec(textIn(posted, "place")) ?? []
  const position = coordinate === "" ? undefined : parseLatLng(coordinate)
  return position && { position, label }
}
