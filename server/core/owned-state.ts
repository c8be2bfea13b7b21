/**
 * State that belongs to an object, such as what a process caches of a database: created on first use, gone with its
 * owner. Modules hold no mutable state themselves (`server/import-lines.test.ts`).
 */
export function ownedState<Owner extends object, State>(
  create: (owner: Owner) => State,
): (owner: Owner) => State {
  const states = new WeakMap<Owner, State>()
  return (owner) => {
    const known = states.get(owner)
    if (known !== undefined) return known
    const state = create(owner)
    states.set(owner, state)
    return state
  }
}

/** A function that computes its result for the argument before only once; for runs of equal arguments. */
export function memoizeLast<Argument, Result>(
  compute: (argument: Argument) => Result,
): (argument: Argument) => Result {
  let last: { argument: Argument; result: Result } | undefined
  return (argument) => {
    if (last && last.argument === argument) return last.result
    last = { argument, result: compute(argument) }
    return last.result
  }
}

/** A value that is loaded at its first use and kept; a failed attempt is repeated at the next one. */
export function lazy<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}
