import type { Sql } from "#core/database/database.ts"
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
 * Tells positions of working sessions from others: by the sessions that are stored, and by those that begin or end in the same
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
  const rows = await sql<
    {
      number: number
      startedAt: Temporal.Instant | null
      finishedAt: Temporal.Instant | null
      isAlways: boolean
    }[]
  >`
    select users.number, s.started_at, s.finished_at, 'position/always' = any (roles.permission_names) as is_always
    from users join roles on roles.organization_id = users.organization_id and roles.id = users.role_id
    left join location_sessions s on s.organization_number = ${tenant.organizationNumber}
      and s.person_number = users.number and s.started_at <= to_timestamp(${to}::float8 / 1000.0)
      and (s.finished_at is null or s.finished_at >= to_timestamp(${from}::float8 / 1000.0))
    where users.organization_id = ${tenant.organizationId} and users.number = any (${numbers}::int[])`
  const always = new Set(rows.filter(({ isAlways }) => isAlways).map(({ number }) => number))
  const spans = new Map<number, SessionSpan[]>(numbers.map((number) => [number, []]))
  for (const { number, startedAt, finishedAt } of rows)
    if (startedAt)
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
    always.has(number) ||
    (spans.get(number) ?? []).some(
      ({ startedAt, finishedAt }) =>
        recordedAt >= startedAt - toleranceMilliseconds &&
        recordedAt <= (finishedAt ?? Number.POSITIVE_INFINITY) + toleranceMilliseconds,
    )
}

function endedAt(span: SessionSpan, { finishedAt }: LocationEntry): SessionSpan {
  return span.finishedAt === undefined ? { ...span, finishedAt: finishedAt ?? undefined } : span
}
