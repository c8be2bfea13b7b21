import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { type PageOptions, readPage } from "#core/paging.ts"
import { toT1 } from "#shared/wire-time.ts"
import { alarmsBehind, type Behind, sessionsBehind } from "../rollups/index.ts"
import { noneText } from "./drill-down.ts"
import { namesOf } from "./labels.ts"
import { hubOfPerson, isEverybody, peopleOf } from "./people.ts"
import { readDays, readList } from "./report-query.ts"

/** The query of a list behind figures, as clients send it. */
interface EventsInput {
  from: string
  until: string
  hubId?: string
  onlyHubId?: string
  person?: string
  weekday?: number
  hour?: number
  page?: number
  limit?: number
}

/** The sessions behind a figure, the newest first, of people whose sessions the caller may see. */
export async function listSessions(sql: Sql, caller: Caller, input: EventsInput & { vehicleId?: string }) {
  const { behind, page } = await readInput(sql, caller, input)
  const vehicleId = input.vehicleId === noneText ? "" : input.vehicleId?.toLowerCase()
  const { rows, count } = await sessionsBehind(sql, { ...behind, vehicleId }, page)
  const names = await namesOfAll(sql, caller, rows)
  const vehicles = await namesOf(sql, caller, "vehicle", [...new Set(rows.map((row) => row.vehicleId))])
  const hours = (seconds: number) => Math.round((seconds / 3600) * 1e6) / 1e6
  return {
    rows: rows.map((row) => ({
      email: row.person,
      name: names.get(row.person) ?? row.person,
      vehicleId: row.vehicleId || null,
      vehicle: vehicles.get(row.vehicleId) ?? null,
      startedTime: toT1(row.startedAt),
      finishedTime:
        row.seconds > 0 ? toT1(row.startedAt.add({ milliseconds: Math.round(row.seconds * 1000) })) : null,
      hours: hours(row.seconds),
      kilometers: row.meters / 1000,
      travelHours: hours(row.travelSeconds),
      idleHours: hours(row.idleSeconds),
      stopHours: hours(row.stopSeconds),
      shiftHours: row.shiftSeconds === null ? null : hours(row.shiftSeconds),
      loadRate: row.loadUsed,
    })),
    ...{ page: page.page, limit: page.limit, count },
  }
}

/** The alarms of trackers behind a figure, the newest first, of people whose positions the caller may see. */
export async function listAlarms(sql: Sql, caller: Caller, input: EventsInput & { kind?: string }) {
  const { behind, page } = await readInput(sql, caller, input)
  const { rows, count } = await alarmsBehind(sql, { ...behind, kind: input.kind }, page)
  const names = await namesOfAll(sql, caller, rows)
  return {
    rows: rows.map(({ person, recordedAt, lng, ...row }) => ({
      ...{ ...row, email: person, name: names.get(person) ?? person },
      ...{ time: toT1(recordedAt), lon: lng },
    })),
    ...{ page: page.page, limit: page.limit, count },
  }
}

const pageBounds = { default: 50, max: 1000 }

async function readInput(
  sql: Sql,
  caller: Caller,
  input: EventsInput,
): Promise<{ behind: Behind; page: PageOptions }> {
  const days = readDays(input)
  const hubIds = readList("hubId", input.hubId?.toLowerCase())
  const people = readList("person", input.person?.toLowerCase())?.map((name) =>
    name === noneText ? "" : name,
  )
  const onlyHubId = input.onlyHubId === noneText ? "" : input.onlyHubId?.toLowerCase()
  const begin = (day: Temporal.PlainDate) => day.toZonedDateTime(caller.timeZone).toInstant()
  const behind: Behind = {
    ...{ organizationId: caller.organizationId, timeZone: caller.timeZone },
    ...{ from: begin(days.from), until: begin(days.until), weekday: input.weekday, hour: input.hour },
    people: undefined,
  }
  const page = readPage(input, "insgt", pageBounds)
  const everybody = isEverybody(caller, { hubIds, people: undefined })
  if (everybody && onlyHubId === undefined) return { behind: { ...behind, people }, page }
  const seen = (await peopleOf(sql, caller, hubIds)).filter(
    (person) => onlyHubId === undefined || hubOfPerson(person) === onlyHubId,
  )
  // Somebody who sees everybody also sees people who were deleted, who have no hub.
  const emails = [...seen.map(({ email }) => email), ...(everybody && onlyHubId === "" ? [""] : [])]
  return {
    behind: { ...behind, people: people ? emails.filter((email) => people.includes(email)) : emails },
    page,
  }
}

async function namesOfAll(sql: Sql, caller: Caller, rows: readonly { person: string }[]) {
  return namesOf(sql, caller, "person", [...new Set(rows.map(({ person }) => person))])
}
