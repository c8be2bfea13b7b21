import type { FieldMapping, Step } from "./schemas.ts"

/** The earlier step that a mapping names, by its order or its flow. */
export function sourceStep(steps: readonly Step[], before: number, mapping: FieldMapping): Step | undefined {
  return steps
    .slice(0, before)
    .find((step) => mapping.sourceStepId === String(step.order) || mapping.sourceStepId === step.flowId)
}

/** What is wrong with the mappings of one step, and what only may be. */
export function judgeMappings(
  steps: readonly Step[],
  index: number,
  mappings: readonly FieldMapping[],
): { errors: string[]; warnings: string[] } {
  const errors: string[] = []
  const warnings: string[] = []
  const own = new Map((steps[index]?.fieldSchema ?? []).map((field) => [field.id, field]))
  if (index === 0 && mappings.length > 0)
    errors.push("The first step has no step before it to take values from")
  const targets = new Set<string>()
  for (const mapping of mappings) {
    const target = own.get(mapping.targetField)
    if (!target) errors.push(`${mapping.targetField} is not a field of this step`)
    if (targets.has(mapping.targetField)) errors.push(`${mapping.targetField} is filled twice`)
    targets.add(mapping.targetField)
    if (mapping.sourceType !== "step") continue
    const source = sourceStep(steps, index, mapping)
    const field = source?.fieldSchema.find(({ id }) => id === mapping.sourceField)
    if (!source) errors.push(`${mapping.targetField}: its source is not a step before this one`)
    else if (!field)
      errors.push(`${mapping.targetField}: ${source.flowName} has no field ${mapping.sourceField ?? ""}`)
    else if (target && field.type !== target.type)
      warnings.push(`${mapping.targetField}: ${field.title} is of type ${field.type ?? field.component}`)
  }
  for (const field of own.values())
    if (index > 0 && field.required && !targets.has(field.id))
      warnings.push(`${field.title} is required but not filled from a step`)
  return { errors, warnings }
}

/**
 * What a task of one step is created with: what was sent for it, and for fields that were not sent, what the
 * mappings say. A field of an earlier step is taken as it was sent for that step.
 */
export function mappedBody(
  steps: readonly Step[],
  index: number,
  bodies: readonly Readonly<Record<string, unknown>>[],
): Record<string, unknown> {
  const filled: Record<string, unknown> = { ...bodies[index] }
  for (const mapping of steps[index]?.fieldMappings ?? []) {
    const isSent = filled[mapping.targetField] !== undefined && filled[mapping.targetField] !== ""
    if (isSent || mapping.sourceType === "manual" || !mapping.sourceField) continue
    if (mapping.sourceType === "direct") filled[mapping.targetField] = mapping.sourceField
    const source = mapping.sourceType === "step" ? sourceStep(steps, index, mapping) : undefined
    const value = source ? bodies[source.order]?.[mapping.sourceField] : undefined
    if (value !== undefined) filled[mapping.targetField] = value
  }
  return filled
}
