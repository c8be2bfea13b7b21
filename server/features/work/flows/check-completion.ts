import { isTaskOutcome, nextAttempts } from "#shared/task-outcomes.ts"
import type { FlowConfiguration, FlowPage } from "./component.ts"
import { flowErrors } from "./errors.ts"

const maxReasons = 100
const maxReasonLength = 255
/** A year. */
const maxAttemptHours = 8_760

/** Refuses what a flow says about outcomes, late work and the location lock where no task could follow it. */
export function checkCompletion(flow: {
  pages: readonly FlowPage[]
  configurations: readonly FlowConfiguration[]
}): void {
  for (const id of ["outcomes", "late", "geoLock", "inspection"])
    if (flow.configurations.filter((configuration) => configuration.id === id).length > 1)
      throw bad(`there can be only one configuration ${id}`)
  for (const configuration of flow.configurations) {
    if (configuration.id === "outcomes") checkOutcomes(flow.pages, configuration.list ?? [])
    if (configuration.id === "inspection") checkInspection(configuration)
    if (configuration.id === "late") checkReasons("late", configuration)
    if (
      configuration.id === "geoLock" &&
      !["review", "reject"].includes(String(configuration.outside ?? "review"))
    )
      throw bad("outside of geoLock must be review or reject")
  }
}

function checkOutcomes(pages: readonly FlowPage[], list: unknown): void {
  if (!Array.isArray(list)) throw bad("the list of outcomes must be an array")
  const ids = new Set(pages.flatMap((page) => page.components.map(({ id }) => id)))
  const seen = new Set<string>()
  for (const entry of list as unknown[]) {
    const rule = (entry ?? {}) as Record<string, unknown>
    const { outcome, required = [], nextAttempt = "never", nextAttemptHours } = rule
    if (!isTaskOutcome(outcome)) throw bad("an outcome must be done, partial, failed, returned or skipped")
    if (seen.has(outcome)) throw bad(`the outcome ${outcome} is listed twice`)
    seen.add(outcome)
    checkReasons(`the outcome ${outcome}`, rule)
    if (!Array.isArray(required))
      throw bad(`required of the outcome ${outcome} must be a list of component ids`)
    const unknown = required.find((id: unknown) => typeof id !== "string" || !ids.has(id))
    if (unknown !== undefined)
      throw bad(`the outcome ${outcome} requires ${String(unknown).slice(0, 100)}, which is not a component`)
    if (!(nextAttempts as readonly unknown[]).includes(nextAttempt))
      throw bad(`nextAttempt of the outcome ${outcome} must be never, ask or always`)
    const hours = Number(nextAttemptHours ?? 1)
    if (!(hours > 0 && hours <= maxAttemptHours))
      throw bad(`nextAttemptHours of the outcome ${outcome} must be above 0 and at most ${maxAttemptHours}`)
  }
}

const maxTags = 50

function checkInspection({ tags = [], defects, weekdays = [1] }: Record<string, unknown>): void {
  const areTexts = (value: unknown) =>
    Array.isArray(value) &&
    value.length <= maxTags &&
    value.every((text) => typeof text === "string" && text.trim() !== "" && text.length <= maxReasonLength)
  if (!areTexts(tags)) throw bad(`tags of the inspection must be at most ${maxTags} texts`)
  if (!areTexts(defects) || (defects as unknown[]).length === 0)
    throw bad(`defects of the inspection must be 1 to ${maxTags} values that are a defect`)
  const isWeek =
    Array.isArray(weekdays) && weekdays.every((day) => Number.isInteger(day) && day >= 1 && day <= 7)
  if (!isWeek) throw bad("weekdays of the inspection must be numbers from 1, Monday, to 7")
}

function checkReasons(
  where: string,
  { reasons = [], reasonRequired = false }: Record<string, unknown>,
): void {
  const isList =
    Array.isArray(reasons) &&
    reasons.length <= maxReasons &&
    reasons.every(
      (reason) => typeof reason === "string" && reason.trim() !== "" && reason.length <= maxReasonLength,
    )
  if (!isList)
    throw bad(
      `reasons of ${where} must be at most ${maxReasons} texts of at most ${maxReasonLength} characters`,
    )
  if (typeof reasonRequired !== "boolean") throw bad(`reasonRequired of ${where} must be true or false`)
}

function bad(reason: string) {
  return flowErrors.badConfiguration({
    message: `The configurations are invalid: ${reason}`,
    fields: { configurations: [reason] },
  })
}
