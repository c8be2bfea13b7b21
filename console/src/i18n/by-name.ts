const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" })

/** Orders names as people count: Van 2 before Van 10. */
export function byName(one: { name: string }, other: { name: string }): number {
  return collator.compare(one.name, other.name)
}
