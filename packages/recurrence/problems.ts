import type { Schedule } from "./schedule.ts"

/** Codes that the recurrence of a schedule can be refused with; `sched` is the module on the wire. */
type ScheduleProblemCode =
  | "sched-001" // missing
  | "sched-003" // malformed
  | "sched-008" // date
  | "sched-009" // number
  | "sched-011" // list
  | "sched-017" // none of the allowed words
  | "sched-018" // time of day
  | "sched-034" // time zone
  | "sched-040" // too many

export type ScheduleProblem = {
  /** Path in the body, such as `schedules.0.time`. */
  readonly field: string
  readonly code: ScheduleProblemCode
  readonly message: string
}

export type ParsedSchedule =
  | { readonly ok: true; readonly schedule: Schedule }
  /** The first problem is the one to report. */
  | { readonly ok: false; readonly problems: readonly [ScheduleProblem, ...ScheduleProblem[]] }

/** Notes a problem and returns undefined, so that a parser can end with it. */
export type Refuse = (field: string, code: ScheduleProblemCode, message: string) => undefined

/** Null and the empty text count as left out, as they do everywhere on the wire. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ""
}
