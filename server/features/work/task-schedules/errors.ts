import { defineErrors } from "#core/errors.ts"

export const scheduleErrors = defineErrors("sched", {
  missing: [400, "001", "A required field is missing"],
  badTask: [400, "003", "The task of this schedule does not match its flow"],
  badEmail: [400, "004", "Assignees must be e-mail addresses"],
  noRunOnDate: [400, "032", "This schedule has no remaining run on that date"],
  changedMeanwhile: [
    412,
    "032",
    "The schedule has been modified since you read it. Read it again and repeat your change",
  ],
  notFound: [404, "033", "Data not found"],
  unknownTimeZone: [400, "034", "The time zone of this schedule is unknown"],
  forbidden: [403, "035", "Your role does not allow creating tasks with this flow"],
  notExecuted: [400, "039", "The task of this schedule could not be created"],
  tooMany: [400, "040", "Send at most 50 schedules per request"],
  unknownFlow: [400, "041", "The flow of this schedule does not exist. Choose another flow"],
  badHub: [400, "043", "This hub does not exist, or you do not have access to it. Choose another hub"],
  badAssignee: [400, "043", "An assignee is not a member with access to the schedule's hub"],
  failed: [
    500,
    "045",
    "The run failed because of a server error, which has been logged. The next run starts as scheduled",
  ],
})
