import { Type } from "typebox"
import { inTransaction, type Sql } from "#core/database/database.ts"
import { defineJob, type Job, type JobContext, sendAll } from "#core/jobs/define-job.ts"
import { listOpenTasks, type OpenTask } from "../../work/tasks/index.ts"
import { arrivalsOf, findSender, type Sender, timeZoneOfHub } from "../tracking-pages/index.ts"
import { type Occurrence, planMessages } from "./plan-messages.ts"
import { type MessageSettings, readMessageSettings } from "./settings.ts"
import { activeTemplates } from "./templates/templates.ts"
import type { Trigger } from "./triggers.ts"

const timed: readonly Trigger[] = ["dayBefore", "onTheWay", "nextStop", "late"]

/** Every minute: organizations that have messages which follow from time and estimates. */
const sweep = defineJob({
  name: "customer-messages.sweep",
  payload: Type.Object({}),
  maxAttempts: 1,
  timeoutSeconds: 60,
  cron: "* * * * *",
  async handle({ sql }) {
    const rows = await sql<{ organizationId: string }[]>`
      select distinct organization_id from message_templates where is_active and event = any (${[...timed]})`
    await sendAll(sql, sweepOrganization, rows, "organizationId")
  },
})

const sweepOrganization = defineJob({
  name: "customer-messages.sweep-organization",
  payload: Type.Object({ organizationId: Type.String() }),
  maxAttempts: 1,
  timeoutSeconds: 120,
  async handle(context, { organizationId }) {
    await sweepOne(context, organizationId)
  },
})

export const sweepJobs: readonly Job[] = [sweep, sweepOrganization]

/** Enqueues what is due now for one organization. */
export async function sweepOne(
  { sql, clock }: Pick<JobContext, "sql" | "clock">,
  organizationId: string,
): Promise<void> {
  const now = clock.now()
  const templates = await activeTemplates(sql, organizationId, timed)
  const wanted = new Set(templates.map(({ event }) => event))
  const [sender, settings] = await Promise.all([
    findSender(sql, organizationId),
    readMessageSettings(sql, organizationId),
  ])
  const range = {
    from: now.subtract({ hours: 12 }),
    to: now.add({ hours: wanted.has("dayBefore") ? 48 : 12 }),
  }
  const tasks = await listOpenTasks(sql, organizationId, range)
  const due = [
    ...(wanted.has("dayBefore") ? await dayBefore(sql, sender, settings, tasks, now) : []),
    ...(await onTheRoad(sql, settings, tasks, now)),
  ].filter(({ event }) => wanted.has(event))
  const fresh = await withoutKnown(sql, organizationId, due)
  for (let start = 0; start < fresh.length; start += 500)
    await inTransaction(sql, (tx) =>
      planMessages(tx, { pool: sql, now }, organizationId, fresh.slice(start, start + 500), templates),
    )
}

async function dayBefore(
  sql: Sql,
  sender: Sender,
  { dayBeforeAt }: MessageSettings,
  tasks: readonly OpenTask[],
  now: Temporal.Instant,
): Promise<Occurrence[]> {
  const occurrences: Occurrence[] = []
  for (const task of tasks) {
    const zone = await timeZoneOfHub(sql, sender, task.hubId)
    const local = now.toZonedDateTimeISO(zone)
    const tomorrow = local.toPlainDate().add({ days: 1 }).toString()
    const day = task.startTime.toZonedDateTimeISO(zone).toPlainDate().toString()
    const isTime = local.toPlainTime().toString({ smallestUnit: "minute" }) >= dayBeforeAt
    if (isTime && day === tomorrow)
      occurrences.push({ taskId: task.id, event: "dayBefore", key: `dayBefore:${day}` })
  }
  return occurrences
}

/** From live estimates: who is next, whose driver is near, and where the window will be missed. */
async function onTheRoad(
  sql: Sql,
  { onTheWayMinutes, lateMinutes }: MessageSettings,
  tasks: readonly OpenTask[],
  now: Temporal.Instant,
): Promise<Occurrence[]> {
  const arrivals = await arrivalsOf(
    sql,
    tasks.map(({ id }) => id),
  )
  return tasks.flatMap((task): Occurrence[] => {
    const arrival = arrivals.get(task.id)
    if (!arrival) return []
    const minutes = now.until(arrival.at).total("minutes")
    const isLate = task.endTime.until(arrival.at).total("minutes") > lateMinutes
    const of = (event: Trigger, key: string = event): Occurrence => ({ taskId: task.id, event, key })
    return [
      ...(arrival.stopsBefore === 0 ? [of("nextStop")] : []),
      ...(minutes <= onTheWayMinutes && minutes > -60 ? [of("onTheWay")] : []),
      ...(isLate ? [of("late", `late:${task.endTime.epochMilliseconds}`)] : []),
    ]
  })
}

async function withoutKnown(
  sql: Sql,
  organizationId: string,
  due: readonly Occurrence[],
): Promise<Occurrence[]> {
  if (due.length === 0) return []
  const taskIds = [...new Set(due.map(({ taskId }) => taskId))]
  const rows = await sql<{ taskId: string; eventKey: string }[]>`
    select distinct task_id, event_key from customer_messages
    where organization_id = ${organizationId} and task_id = any (${taskIds})`
  const known = new Set(rows.map(({ taskId, eventKey }) => `${taskId} ${eventKey}`))
  return due.filter(({ taskId, key }) => !known.has(`${taskId} ${key}`))
}
