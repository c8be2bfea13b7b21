/** What came of a task. `skipped` leaves it open; the others go with the status DONE. */
export const taskOutcomes = ["done", "partial", "failed", "returned", "skipped"] as const
export type TaskOutcome = (typeof taskOutcomes)[number]

export function isTaskOutcome(word: unknown): word is TaskOutcome {
  return (taskOutcomes as readonly unknown[]).includes(word)
}

/** Whether a failed stop gets a next attempt: never, when the worker asks for it, or always. */
export const nextAttempts = ["never", "ask", "always"] as const
export type NextAttempt = (typeof nextAttempts)[number]

/** What a flow says about one outcome, in the list of its configuration `outcomes`. */
export interface OutcomeRule {
  outcome: TaskOutcome
  /** Reasons to choose from; none: any text. */
  reasons: readonly string[]
  reasonRequired: boolean
  /** Ids of the components that this outcome requires. Not for `done`, whose requirements the components state. */
  required: readonly string[]
  nextAttempt: NextAttempt
  /** How much later the next attempt starts and ends. */
  nextAttemptHours: number
}

/** What a flow says about tasks that are finished after their end time: its configuration `late`. */
export interface LateRule {
  reasons: readonly string[]
  reasonRequired: boolean
}

/** What happens to a finish outside the location lock, or without a position: the flow's configuration `geoLock`. */
export type OutsideRule = "review" | "reject"

interface Configuration {
  id: string
  [key: string]: unknown
}

export const defaultAttemptHours = 24

/** The outcomes that a flow lists, besides `done`, in their order: those that the field app offers. */
export function outcomeRules(configurations: readonly Configuration[]): OutcomeRule[] {
  const list = configurations.find(({ id }) => id === "outcomes")?.list
  if (!Array.isArray(list)) return []
  return list.flatMap((entry: unknown) => {
    const read = (entry ?? {}) as Record<string, unknown>
    return isTaskOutcome(read.outcome) ? [ruleOf(read.outcome, read)] : []
  })
}

/** The rule of one outcome; of an outcome that the flow does not list, one that requires nothing. */
export function outcomeRule(configurations: readonly Configuration[], outcome: TaskOutcome): OutcomeRule {
  return outcomeRules(configurations).find((rule) => rule.outcome === outcome) ?? ruleOf(outcome, {})
}

function ruleOf(outcome: TaskOutcome, entry: Readonly<Record<string, unknown>>): OutcomeRule {
  const hours = Number(entry.nextAttemptHours)
  return {
    outcome,
    reasons: texts(entry.reasons),
    reasonRequired: entry.reasonRequired === true,
    required: outcome === "done" ? [] : texts(entry.required),
    nextAttempt: nextAttempts.find((word) => word === entry.nextAttempt) ?? "never",
    nextAttemptHours: hours > 0 ? hours : defaultAttemptHours,
  }
}

export function lateRule(configurations: readonly Configuration[]): LateRule {
  const entry = configurations.find(({ id }) => id === "late")
  return { reasons: texts(entry?.reasons), reasonRequired: entry?.reasonRequired === true }
}

export function outsideRule(configurations: readonly Configuration[]): OutsideRule {
  return configurations.find(({ id }) => id === "geoLock")?.outside === "reject" ? "reject" : "review"
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string" && entry !== "") : []
}
