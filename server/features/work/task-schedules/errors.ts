import { defineErrors } from "#core/errors.ts"

export const scheduleErrors = defineErrors("sched", {
  missing: { http: 400, code: "001", message: "A required field is missing" },
  badTask: { http: 400, code: "003", message: "The task of this schedule does not match its flow" },
  badEmail: { http: 400, code: "004", message: "Assignees must be e-mail addresses" },
  noRunOnDate: { http: 400, code: "032", message: "This schedule has no remaining run on that date" },
  changedMeanwhile: {
    http: 412,
    code: "032",
    message: "The schedule has been modified since you read it. Read it again and repeat your change",
  },
  notFound: { http: 404, code: "033", message: "Data not found" },
  unknownTimeZone: { http: 400, code: "034", message: "The time zone of this schedule is unknown" },
  forbidden: { http: 403, code: "035", message: "Your role does not allow creating tasks with this flow" },
  notExecuted: { http: 400, code: "039", message: "The task of this schedule could not be created" },
  tooMany: { http: 400, code: "040", message: "Send at most 50 schedules per request" },
  unknownFlow: {
    http: 400,
    code: "041",
    message: "The flow of this schedule does not exist. Choose another flow",
  },
  badHub: {
    http: 400,
    code: "043",
    message: "This hub does not exist, or you do not have access to it. Choose another hub",
  },
  badAssignee: {
    http: 400,
    code: "043",
    message: "An assignee is not a member with access to the schedule's hub",
  },
  failed: {
    http: 500,
    code: "045",
    message:
      "The run failed because of a server error, which has been logged. The next run starts as scheduled",
  },
})
