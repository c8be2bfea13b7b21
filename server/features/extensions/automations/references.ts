import type { Rules } from "./queries.ts"

const referencePattern = /^\$(refFlow|refData)\.(.+)$/

/** A constant, or the field of the record that `$refFlow.<field>` or `$refData.<field>` names; null without it. */
export function resolve(value: unknown, record: Readonly<Record<string, unknown>>): unknown {
  const field = typeof value === "string" ? referencePattern.exec(value)?.[2] : undefined
  if (field === undefined) return value
  return Object.hasOwn(record, field) ? (record[field] ?? null) : null
}

export function resolveAll(
  values: Readonly<Record<string, unknown>>,
  record: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, resolve(value, record)]))
}

/**
 * Whether a record is one that the rule means: its flow or data type, and all field values. Values are compared
 * as text; a list matches when it contains the value. A field that no longer exists never matches.
 */
export function fits(rules: Rules, record: Readonly<Record<string, unknown>>): boolean {
  if (rules.flowId !== undefined && record.flowId !== rules.flowId) return false
  if (rules.dataTypeId !== undefined && record.dataTypeId !== rules.dataTypeId) return false
  return Object.entries(rules.fields ?? {}).every(([field, wanted]) => {
    const value = Object.hasOwn(record, field) ? record[field] : undefined
    if (value === undefined || value === null) return wanted === null
    const texts = (Array.isArray(value) ? value : [value]).map(textOf)
    return texts.includes(textOf(wanted))
  })
}

const textOf = (value: unknown) =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value)
