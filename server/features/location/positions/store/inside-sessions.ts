import type { Sql } from "#core/database/database.ts"
import { findRolesWith } from "../../../people/roles/index.ts"
import { findPeopleByNumber } from "../../../people/users/index.ts"
import type { SessionSpan } from "../track/session-totals.ts"
import type { LocationEntry } from "./location-entry.ts"
import type { Tenant, TrackedPerson } from "./people.ts"

interface PersonalEntry {
  entry: LocationEntry
  person: TrackedPerson
}

/** A position that a receiver fixed just before its person pressed the button belongs to the session. */
const toleranceMilliseconds = 60_000

/**
 * Distinguishes positions of working sessions from others: by the sessions that are stored, and by those that begin or end in the same
 * call. People whose role has `position/always` are recorded at any time.
 */
export async function sessionJudge(
  sql: Sql,
  tenant: Tenant,
  points: readonly PersonalEntry[],
  marks: readonly PersonalEntry[],
): Promise<(point: PersonalEntry) => boolean> {
  const numbers = [...new Set(points.map(({ person }) => person.number))]
  const times = points.map(({ entry }) => entry.recordedAt)
  const [from, to] = [Math.min(...times) - toleranceMilliseconds, Math.max(...times) + toleranceMilliseconds]
  const [people, always, rows] = await Promise.all([
    findPeopleByNumber(sql, tenant.organizationId, numbers),
    findRolesWith(sql, tenant.organizationId, "position/always"),
    sql<{ number: number; startedAt: Temporal.Instant; finishedAt: Temporal.Instant | null }[]>`
      select person_number as number, started_at, finished_at from location_sessions
      where organization_number = ${tenant.organizationNumber} and person_number = any (${numbers}::int[])
        and started_at <= to_timestamp(${to}::float8 / 1000.0)
        and (finished_at is null or finished_at >= to_timestamp(${from}::float8 / 1000.0))`,
  ])
  const isAlways = new Set(people.filter(({ roleId }) => always.has(roleId)).map(({ number }) => number))
  const spans = new Map<number, SessionSpan[]>(numbers.map((number) => [number, []]))
  for (const { number, startedAt, finishedAt } of rows)
    spans.get(number)?.push({
      startedAt: startedAt.epochMilliseconds,
      finishedAt: finishedAt?.epochMilliseconds,
    })
  for (const { entry, person } of marks.toSorted((a, b) => a.entry.recordedAt - b.entry.recordedAt)) {
    const own = spans.get(person.number)
    if (entry.startedAt !== null)
      own?.push({ startedAt: entry.startedAt, finishedAt: entry.finishedAt ?? undefined })
    else spans.set(person.number, own?.map((span) => endedAt(span, entry)) ?? [])
  }
  return ({ entry: { recordedAt }, person: { number } }) =>
    isAlways.has(number) ||
    (spans.get(number) ?? []).some(
      ({ startedAt, finishedAt }) =>
        recordedAt >= startedAt - toleranceMilliseconds &&
        recordedAt <= (finishedAt ?? Number.POSITIVE_INFINITY) + toleranceMilliseconds,
    )
}

function endedAt(span: SessionSpan, { finishedAt }: LocationEntry): SessionSpan {
  return span.finishedAt === undefined ? { ...span, finishedAt: finishedAt ?? undefined } : span
}
