import { type Columns, changedKeys, toCamelCase } from "#core/audit-trail/audited-object.ts"

export interface FieldChange {
  /** As the API names it; values of components and of records as `values.<id>`. */
  field: string
  before: unknown
  after: unknown
}

/** Columns that hold many fields: what changed in them counts, each by itself. */
const containers = new Set([
  "values",
  "attributes",
  "profile",
  "configuration",
  "task",
  "capacity",
  "settings",
])
/** Whose fields the API has beside those of the columns. */
const flat = new Set(["attributes"])

/** What changed, field by field, under the names of the API. */
export function fieldChanges(before: Columns | null, after: Columns | null): FieldChange[] {
  const columns = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort()
  return columns.flatMap((column) => {
    const [was, is] = [before?.[column], after?.[column]]
    if (!containers.has(column) || !(isObject(was) || isObject(is)))
      return [{ field: toCamelCase(column), before: was ?? null, after: is ?? null }]
    const [old, now] = [isObject(was) ? was : {}, isObject(is) ? is : {}]
    return changedKeys(old, now).map((key) => ({
      field: flat.has(column) ? key : `${toCamelCase(column)}.${key}`,
      before: old[key] ?? null,
      after: now[key] ?? null,
    }))
  })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
