/** What a flow says about inspections of vehicles before departure: its configuration `inspection`. */
export interface InspectionRule {
  /** Vehicles with one of these tags; none: every vehicle with a driver. */
  tags: readonly string[]
  /** Answers that are a defect, whatever their case. */
  defects: readonly string[]
  /** ISO days on which a task is created; 1 is Monday. */
  weekdays: readonly number[]
}

interface Configuration {
  id: string
  [key: string]: unknown
}

const workdays = [1, 2, 3, 4, 5]

/** Undefined: the flow is no inspection. */
export function inspectionRule(configurations: readonly Configuration[]): InspectionRule | undefined {
  const entry = configurations.find(({ id }) => id === "inspection")
  if (!entry) return undefined
  return {
    tags: texts(entry.tags),
    defects: texts(entry.defects),
    weekdays: Array.isArray(entry.weekdays) ? entry.weekdays.map(Number) : workdays,
  }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string" && entry !== "") : []
}
