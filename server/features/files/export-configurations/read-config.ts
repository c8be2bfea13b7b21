import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { parseSchedule } from "#packages/recurrence/parse.ts"
import { recurrenceOf } from "#packages/recurrence/recurrence.ts"
import { nextRun } from "#packages/recurrence/runs.ts"
import type { Schedule } from "#packages/recurrence/schedule.ts"
import { exportFormats } from "#shared/export-formats.ts"
import { exportConfigErrors } from "./errors.ts"
import type { ConfigField } from "./queries.ts"
import { type ConfigBody, collections } from "./schemas.ts"

/** When a configuration exports by itself, and who gets the link. */
export interface ExportSchedule extends Schedule {
  emails: string[]
  isActive: boolean
}

export interface ConfigWrite {
  name: string
  description: string | null
  collection: string
  flowIds: string[]
  fields: ConfigField[]
  filters: Record<string, string> | null
  format: string | null
  schedule: ExportSchedule | null
  nextRunTime: Temporal.Instant | null
}

const formats: readonly string[] = exportFormats
const filterKeys = [
  ...["status", "outcome", "isLate", "needsReview", "assignee", "doneBy", "hubId", "q", "flow"],
  ...["timeBy", "timeFrom", "timeTo"],
]
/** A schedule without an end runs as long as anybody could mean. */
const farDay = "2999-12-31"

/** Checks a body by the rules of the resource. Throws the first that it breaks. */
export async function readConfig(
  sql: Sql,
  caller: Caller,
  body: ConfigBody,
  now: Temporal.Instant,
): Promise<ConfigWrite> {
  const name = body.name?.trim() ?? ""
  if (name === "" || name.length > 255) throw refuse("name", "is required, with at most 255 characters")
  const collection = collections.find((known) => known === body.collection)
  if (!collection) throw refuse("collection", `must be one of ${collections.join(", ")}`)
  const flowIds = [...new Set((body.flowIds ?? []).map((id) => id.toLowerCase()))]
  if (flowIds.length === 0) throw refuse("flowIds", "needs at least one flow")
  const known = await sql`
    select 1 from flows where organization_id = ${caller.organizationId} and id = any (${flowIds})`
  if (known.length < flowIds.length) throw refuse("flowIds", "refers to a flow that does not exist")
  const schedule = readSchedule(body.schedule, caller, now)
  return {
    ...{ name, collection, flowIds, schedule },
    description: body.description?.trim() || null,
    fields: readFields(body.fields),
    filters: readFilters(body.filters),
    format: readFormat(body.format),
    nextRunTime: schedule ? nextRunOf(schedule, now) : null,
  }
}

function refuse(field: string, reason: string) {
  return exportConfigErrors.invalid({ message: `${field} ${reason}`, fields: { [field]: [reason] } })
}

function readFields(fields: readonly unknown[] | undefined): ConfigField[] {
  if (!fields || fields.length === 0) throw refuse("fields", "needs at least one column")
  return fields.map((entry) => {
    const field = entry as Partial<ConfigField> | null
    const isWhole = [field?.id, field?.component, field?.title].every(
      (text) => typeof text === "string" && text !== "",
    )
    if (!isWhole) throw refuse("fields", "must each have an id, a component and a title")
    return field as ConfigField
  })
}

function readFilters(filters: ConfigBody["filters"]): Record<string, string> | null {
  if (!filters) return null
  const entries = Object.entries(filters as Record<string, unknown>).flatMap(([key, value]) =>
    filterKeys.includes(key) && value !== null && value !== "" ? [[key, String(value)] as const] : [],
  )
  return entries.length === 0 ? null : Object.fromEntries(entries)
}

function readFormat(format: string | null | undefined): string | null {
  if (format === null || format === undefined || format === "") return null
  if (!formats.includes(format)) throw refuse("format", `must be one of ${formats.join(", ")}`)
  return format
}

function readSchedule(
  given: ConfigBody["schedule"],
  caller: Caller,
  now: Temporal.Instant,
): ExportSchedule | null {
  if (!given) return null
  const options = given as Record<string, unknown>
  const startTime = now.toString().slice(0, 10)
  const read = parseSchedule({
    startTime,
    endTime: farDay,
    timeZone: caller.timeZone,
    ...withoutNulls(options),
  })
  if (!read.ok) throw refuse("schedule", read.problems[0].message)
  const emails = readEmails(options.emails)
  return {
    ...read.schedule,
    emails: emails.length > 0 ? emails : [caller.email],
    isActive: options.isActive !== false,
  }
}

function withoutNulls(options: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null && value !== ""))
}

const maxEmails = 50

function readEmails(given: unknown): string[] {
  const entries = typeof given === "string" ? given.split(",") : Array.isArray(given) ? given : []
  const emails = [...new Set(entries.map((entry) => String(entry).trim().toLowerCase()).filter(Boolean))]
  if (emails.length > maxEmails || !emails.every((email) => /^[^\s@]+@[^\s@]+$/.test(email)))
    throw refuse("schedule", `emails must be at most ${maxEmails} e-mail addresses`)
  return emails
}

/** The first run after an instant; null when it never runs again. */
export function nextRunOf(schedule: ExportSchedule, after: Temporal.Instant): Temporal.Instant | null {
  if (!schedule.isActive) return null
  const next = nextRun(recurrenceOf(schedule), after.epochMilliseconds)
  return next === undefined ? null : Temporal.Instant.fromEpochMilliseconds(next)
}
