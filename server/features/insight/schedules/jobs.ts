import { Type } from "typebox"
import { type Caller, findCallerOfUser, may } from "#core/access/caller.ts"
import { inTransaction } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import { defineJob, type Job, type JobContext, send } from "#core/jobs/define-job.ts"
import type { MailAttachment } from "#core/outbound/mail.ts"
import { daysOfPeriod } from "#shared/report-periods.ts"
import { keepAttachments, queueMail } from "../../organization/mails/index.ts"
import { findContacts } from "../../people/users/index.ts"
import { fileTypes, makeReportFile } from "../reports/index.ts"
import { findAnySchedule, markSent, noteFailure, type ScheduleRow, takeDue } from "./queries.ts"
import { pageOf } from "./report-page.ts"

const dueAtOnce = 500

/** Makes the files of one time of a schedule and mails them. A second run finds the time sent and does nothing. */
export const sendReport = defineJob({
  name: "insight.send-report",
  payload: Type.Object({
    organizationId: Type.String(),
    scheduleId: Type.String(),
    due: Type.String(),
    /** Only to this member, and not as a time of the schedule. */
    trialFor: Type.Optional(Type.String()),
  }),
  maxAttempts: 5,
  timeoutSeconds: 300,
  async handle(context, { organizationId, scheduleId, due: dueText, trialFor }) {
    const { sql } = context
    const schedule = await findAnySchedule(sql, organizationId, scheduleId)
    const due = Temporal.Instant.from(dueText)
    if (!schedule) return
    if (!trialFor && schedule.sentFor && Temporal.Instant.compare(schedule.sentFor, due) >= 0) return
    const owner = await findCallerOfUser(sql, organizationId, schedule.ownerId)
    if (!owner || !may(owner, "view/dashboard")) {
      await noteFailure(sql, schedule, "Its owner may no longer see reports. Delete it, or make another one")
      return
    }
    try {
      await sendFiles(context, schedule, owner, { due, trialFor })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      await noteFailure(sql, schedule, error.message)
    }
  },
})

/** Queues what is due: in one transaction with the next time, so that a crash neither loses nor repeats a report. */
const queueDueReports = defineJob({
  name: "insight.due-reports",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 60,
  cron: "* * * * *",
  async handle({ sql, clock, signal }) {
    for (let taken = dueAtOnce; taken === dueAtOnce && !signal.aborted; )
      taken = await inTransaction(sql, async (tx) => {
        const due = await takeDue(tx, clock.now(), dueAtOnce)
        for (const { due: at, ...schedule } of due)
          await send(tx, sendReport, { ...schedule, due: at.toString() }, queueOf(schedule.organizationId))
        return due.length
      })
  },
})

/** One report of an organization at a time. */
export function queueOf(organizationId: string) {
  return { queue: `insight.reports:${organizationId}` }
}

export const reportScheduleJobs: readonly Job[] = [sendReport, queueDueReports]

async function sendFiles(
  { sql, config }: JobContext,
  schedule: ScheduleRow,
  owner: Caller,
  { due, trialFor }: { due: Temporal.Instant; trialFor: string | undefined },
): Promise<void> {
  const { organizationId, name, settings } = schedule
  const { period, files: types, recipients, page = pageOf(settings) } = settings
  const days = daysOfPeriod(period, due.toZonedDateTimeISO(owner.timeZone).toPlainDate().toString())
  const files: MailAttachment[] = []
  for (const type of new Set(types))
    files.push({
      filename: `report-${days.from}-${days.until}.${type}`,
      contentType: fileTypes[type],
      content: await makeReportFile(
        sql,
        owner,
        { ...settings, ...days },
        { type, order: {}, language: owner.language, name },
      ),
    })
  const contacts = await findContacts(sql, organizationId, trialFor ? [trialFor] : recipients)
  await inTransaction(sql, async (tx) => {
    if (!trialFor && !(await markSent(tx, schedule, due))) return
    const attachmentIds = await keepAttachments(tx, organizationId, files)
    const facts = { name, ...days, link: `${config.publicUrl}${page}` }
    for (const { email, language } of contacts)
      await queueMail(
        tx,
        { organizationId, email, language: language ?? owner.language, attachmentIds },
        "scheduledReport",
        facts,
      )
  })
}
