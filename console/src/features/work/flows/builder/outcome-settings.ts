import {
  defaultAttemptHours,
  lateRule,
  type NextAttempt,
  type OutcomeRule,
  outcomeRules,
  type TaskOutcome,
} from "#shared/task-outcomes.ts"
import type { Configuration } from "./data-sources.ts"

/** The outcomes that a flow can offer besides `done`. */
export const offeredOutcomes = ["partial", "failed", "returned", "skipped"] as const satisfies TaskOutcome[]

/** Replaces one configuration, keeping what else it holds; undefined removes it. */
export function withConfiguration(
  configurations: readonly Configuration[],
  id: string,
  part: Record<string, unknown> | undefined,
): Configuration[] {
  const known = configurations.find((configuration) => configuration.id === id)
  const others = configurations.filter((configuration) => configuration !== known)
  return part === undefined ? others : [...others, { ...known, id, ...part }]
}

/** Changes the rule of one outcome; undefined takes the outcome away. */
export function withOutcome(
  configurations: readonly Configuration[],
  outcome: TaskOutcome,
  part: Partial<OutcomeRule> | undefined,
): Configuration[] {
  const rules = outcomeRules(configurations)
  const known = rules.find((rule) => rule.outcome === outcome) ?? newRule(outcome)
  const others = rules.filter((rule) => rule.outcome !== outcome)
  const next = part === undefined ? others : [...others, { ...known, ...part }]
  const order: readonly string[] = ["done", ...offeredOutcomes]
  const list = next.toSorted((one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome))
  return withConfiguration(configurations, "outcomes", list.length > 0 ? { list } : undefined)
}

function newRule(outcome: TaskOutcome): OutcomeRule {
  const nextAttempt: NextAttempt = "never"
  return {
    outcome,
    reasons: [],
    reasonRequired: false,
    required: [],
    nextAttempt,
    nextAttemptHours: defaultAttemptHours,
  }
}

export function withLate(
  configurations: readonly Configuration[],
  part: Partial<ReturnType<typeof lateRule>>,
): Configuration[] {
  const rule = { ...lateRule(configurations), ...part }
  const isEmpty = rule.reasons.length === 0 && !rule.reasonRequired
  return withConfiguration(configurations, "late", isEmpty ? undefined : rule)
}

/** The components that outcomes require. */
export function requiredIds(configurations: readonly Configuration[]): string[] {
  return outcomeRules(configurations).flatMap(({ required }) => required)
}

/** Outcomes require only components that are still there. */
export function withRequiredOf(
  configurations: readonly Configuration[],
  ids: ReadonlySet<string>,
): Configuration[] {
  if (requiredIds(configurations).every((id) => ids.has(id))) return [...configurations]
  const list = outcomeRules(configurations).map((rule) => ({
    ...rule,
    required: rule.required.filter((id) => ids.has(id)),
  }))
  return withConfiguration(configurations, "outcomes", { list })
}
