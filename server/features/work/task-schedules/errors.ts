import { defineErrors } from "#core/errors.ts"

export const scheduleErrors = defineErrors("sched", {
  missing: { http: 400, code: "001", message: "A required field is missing" },
  badTask: { http: 400, code: "003", message: "The task of this schedule does not fit its flow" },
  badEmail: { http: 400, code: "004", message: "Assignees are named by their e-mail addresses" },
  noRunOnDate: { http: 400, code: "032", message: "This schedule has no run left on that date" },
  changedMeanwhile: {
    http: 412,
    code: "032",
    message: "Somebody changed this schedule meanwhile: read it again, then repeat your change",
  },
  notFound: { http: 404, code: "033", message: "Data not found" },
  unknownTimeZone: { http: 400, code: "034", message: "The time zone of this schedule is not known here" },
  forbidden: { http: 403, code: "035", message: "Your role may not create tasks of this flow" },
  notExecuted: { http: 400, code: "039", message: "The task of this schedule could not be made" },
  tooMany: { http: 400, code: "040", message: "Send at most 50 schedules in one call" },
  unknownFlow: {
    http: 400,
    code: "041",
    message: "The flow of this schedule does not exist: choose another flow",
  },
  badHub: {
    http: 400,
    code: "043",
    message: "This hub does not exist, or is not one of yours: choose another hub",
  },
  badAssignee: { http: 400, code: "043", message: "An assignee is not a member who has the schedule's hub" },
  failed: {
    http: 500,
    code: "045",
    message: "The run failed on our side. It has been logged; the next run goes on as usual",
  },
})
