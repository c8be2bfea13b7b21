import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { readPage } from "#core/paging.ts"
import { findClashes, type OtherSchedule } from "#packages/recurrence/clashes.ts"
import { runExceptions } from "#packages/recurrence/exceptions.ts"
import { recurrenceOf } from "#packages/recurrence/recurrence.ts"
import { listRuns } from "#packages/recurrence/runs.ts"
import { summarizeSchedule } from "#packages/recurrence/summary.ts"
import { chooseLanguage } from "#shared/languages.ts"
import { toT1 } from "#shared/wire-time.ts"
import { assigneesOf } from "../tasks/index.ts"
import { readRecurrence } from "./check-schedule.ts"
import { storedRecurrence } from "./runs/next-run.ts"
import type { PreviewBody } from "./schemas.ts"
import type { ScheduleRow } from "./wire.ts"

const maxRuns = 1000
/** The ones that run next: comparing more would delay other requests more than it is worth. */
const maxOthers = 200

/** The next runs of a schedule as it would be saved now, and where they meet those of other schedules. */
export async function previewSchedule(sql: Sql, caller: Caller, body: PreviewBody, now: Temporal.Instant) {
  const schedule = readRecurrence(body)
  const { limit } = readPage(body.limit === undefined ? {} : { limit: body.limit }, "sched", {
    default: 10,
    max: maxRuns,
  })
  const recurrence = recurrenceOf(schedule)
  const runs = listRuns(recurrence, { after: now.epochMilliseconds, limit })
  const others = await findOthers(sql, caller, body)
  const names = new Map(others.map((other) => [other.id as string, other.name]))
  const clashes = findClashes(recurrence, runs, others.flatMap(toOther))
  return {
    runs: runs.map(toText),
    clashes: clashes.map(({ at, scheduleIds, mergedTimes }) => ({
      at: toText(at),
      schedules: scheduleIds.map((id) => ({ _id: id, name: names.get(id) ?? "" })),
      mergedTimes: [...mergedTimes],
    })),
    summary: summarizeSchedule(schedule, chooseLanguage(caller.language)),
  }
}

type Other = Pick<ScheduleRow, "id" | "name" | "recurrence" | "skippedDates">

/** Those that give work to the same people, or the same work at the same hub. */
async function findOthers(sql: Sql, caller: Caller, body: PreviewBody): Promise<Other[]> {
  const hubId = (body.hubId ?? "").toLowerCase()
  const flowId = (body.flowId ?? "").toLowerCase()
  return sql<Other[]>`
    select s.id, s.name, s.recurrence, s.skipped_dates from task_schedules s
    where s.organization_id = ${caller.organizationId} and ${inCallersHubs(sql, caller, sql`s.hub_id`)}
      and s.next_run_at is not null and s.id <> ${(body.scheduleId ?? "").toLowerCase()}
      and (s.assignee && ${assigneesOf(body)}::text[]
        or s.hub_id = ${hubId} and (s.flow_id = ${flowId} or ${flowId === ""} and s.flow = ${body.flow ?? ""}))
    order by s.next_run_at, s.id limit ${maxOthers}`
}

function toOther({ id, recurrence, skippedDates }: Other): OtherSchedule[] {
  const stored = storedRecurrence(recurrence)
  return stored ? [{ id, recurrence: stored, exceptions: runExceptions({ skippedDates }) }] : []
}

function toText(milliseconds: number): string {
  return toT1({ epochMilliseconds: milliseconds })
}
