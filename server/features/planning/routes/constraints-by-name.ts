export interface NamedConstraint {
  name: string
  denominator: string
}

/** Capacity constraints in the form of `rawConstraint`: an object, each under its name. */
export function constraintsByName(constraints: readonly NamedConstraint[]): Record<string, NamedConstraint> {
  return Object.fromEntries(constraints.map((constraint) => [constraint.name, constraint]))
}
