import type { DataField, DataType, NewDataType } from "./data-types.queries.ts"

/** Kinds of fields besides the primary key, in the order in which they are offered. */
export const fieldKinds = [
  "text",
  "number",
  "option",
  "date",
  "dateTime",
  "time",
  "geolocation",
  "phoneNumber",
  "boolean",
] as const
type FieldKind = (typeof fieldKinds)[number]

/** The id of the primary key in every type. */
const primaryKeyId = "dataId"

/** Keys that every record has besides its fields. */
const taken = new Set([
  primaryKeyId,
  "_id",
  "dataTypeId",
  "hubId",
  "limitUser",
  "data_type",
  "organizationId",
  "createdBy",
  "updatedBy",
  "createdTime",
  "updatedTime",
])

export interface TypeDraft {
  name: string
  fields: readonly DataField[]
  commonData: boolean
  limitUser: boolean
  provider: "internal" | "external-api"
  url: string
  key: string
}

export function draftOf(type: DataType | undefined, keyTitle: string): TypeDraft {
  if (!type)
    return {
      name: "",
      fields: [newField(primaryKeyId, keyTitle, "primaryKey")],
      commonData: false,
      limitUser: false,
      provider: "internal",
      url: "",
      key: "",
    }
  return {
    name: type.name,
    fields: type.fields,
    commonData: type.commonData,
    limitUser: type.limitUser,
    provider: type.provider === "external-api" ? "external-api" : "internal",
    url: type.providerConfig?.url ?? "",
    key: "",
  }
}

function newField(id: string, title: string, type: FieldKind | "primaryKey"): DataField {
  return {
    id,
    title,
    type,
    description: null,
    default: null,
    optionData: [],
    required: type === "primaryKey",
    primaryKey: type === "primaryKey",
    show: true,
    visible: true,
  }
}

/** A field of its own id: the title defines it once, so that renaming preserves the values. */
export function addField(fields: readonly DataField[], title: string): DataField[] {
  const ids = new Set([...taken, ...fields.map((field) => field.id)])
  let number = fields.length
  while (ids.has(`field${number}`)) number += 1
  return [...fields, newField(`field${number}`, title, "text")]
}

export function moveField(fields: readonly DataField[], from: number, to: number): DataField[] {
  const next = [...fields]
  const [moved] = next.splice(from, 1)
  if (moved) next.splice(to, 0, moved)
  return next
}

/** Ids of new fields from their titles, such as `openingTime`, for who reads them over the API. */
export function nameNewFields(fields: readonly DataField[], known: ReadonlySet<string>): DataField[] {
  const ids = new Set([...taken, ...known])
  return fields.map((field) => {
    if (field.primaryKey || known.has(field.id)) return field
    const words = field.title
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== "")
    const base =
      words
        .map((word, index) => {
          const small = word.toLowerCase()
          return index === 0 ? small : small.charAt(0).toUpperCase() + small.slice(1)
        })
        .join("")
        .slice(0, 60) || "field"
    let id = base
    for (let number = 2; ids.has(id); number++) id = `${base}${number}`
    ids.add(id)
    return { ...field, id }
  })
}

export function bodyOf(draft: TypeDraft, fields: readonly DataField[]): NewDataType {
  const isExternal = draft.provider === "external-api"
  const key = draft.key.trim()
  return {
    name: draft.name.trim(),
    fields: fields.map((field) => ({ ...field, title: field.title.trim() })),
    commonData: draft.commonData,
    limitUser: draft.limitUser,
    provider: draft.provider,
    ...(isExternal ? { providerConfig: { url: draft.url.trim(), ...(key === "" ? {} : { key }) } } : {}),
  }
}
