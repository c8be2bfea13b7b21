import { headOf, type RoadNetwork, reverseOf, speedOn } from "./network.ts"
import { type Mode, modeBit } from "./tags/modes.ts"

/**
 * Forbidden sequences of directed segments as a state machine (Aho and Corasick 1975): a rule is the longest
 * beginning of a forbidden sequence that the journey has just followed, 0 for none.
 */
export interface TurnRules {
  /** The rule after one more segment. */
  next(rule: number, directed: number): number
  forbids(rule: number, directed: number): boolean
}

/** Longer chains of via ways than this are mistakes. */
const maxSequence = 60

/**
 * Every forbidden sequence of a mode. Next to the tagged ones, a vehicle that may not turn does not drive past the
 * junction and turn back at once: neither on the spot nor at the next junction, unless it is a dead end.
 */
export function forbiddenSequences(
  network: RoadNetwork,
  mode: Mode,
  leaving: (node: number) => Uint32Array,
): number[][] {
  const { restrictionFirst, restrictionPath, restrictionModes } = network.columns
  const tagged: number[][] = []
  for (let i = 0; i < restrictionModes.length; i++) {
    if (((restrictionModes[i] as number) & modeBit(mode)) === 0) continue
    const path = [...restrictionPath.subarray(restrictionFirst[i], restrictionFirst[i + 1])]
    const isUsable = path.every((directed) => speedOn(network, directed, mode) > 0)
    if (isUsable && path.length >= 2 && path.length <= maxSequence) tagged.push(path)
  }
  const keys = new Set(tagged.map(String))
  const all = [...tagged]
  const add = (path: number[]) => {
    if (keys.has(String(path))) return
    keys.add(String(path))
    all.push(path)
  }
  for (const path of tagged) {
    const before = path.slice(0, -1)
    const last = before.at(-1) as number
    const exits = [...leaving(headOf(network, last))]
    const isOpen = (exit: number) => !keys.has(String([...before, exit]))
    const onward = exits.filter((exit) => exit !== reverseOf(last) && isOpen(exit))
    if (onward.length > 0) add([...before, reverseOf(last)])
    for (const exit of onward) {
      const isDeadEnd = leaving(headOf(network, exit)).every((next) => next === reverseOf(exit))
      if (!isDeadEnd) add([...before, exit, reverseOf(exit)])
    }
  }
  return all
}

export function createTurnRules(
  network: RoadNetwork,
  mode: Mode,
  leaving: (node: number) => Uint32Array,
): TurnRules {
  const children: Map<number, number>[] = [new Map()]
  const forbidden: Set<number>[] = [new Set()]
  for (const path of forbiddenSequences(network, mode, leaving)) {
    let rule = 0
    for (const directed of path.slice(0, -1)) {
      const known = children[rule]?.get(directed)
      if (known === undefined) {
        children[rule]?.set(directed, children.length)
        rule = children.length
        children.push(new Map())
        forbidden.push(new Set())
      } else rule = known
    }
    forbidden[rule]?.add(path.at(-1) as number)
  }
  const shorter = shorterRules(children)
  return {
    next(rule, directed) {
      for (let at = rule; ; at = shorter[at] as number) {
        const next = children[at]?.get(directed)
        if (next !== undefined) return next
        if (at === 0) return 0
      }
    },
    forbids(rule, directed) {
      for (let at = rule; at !== 0; at = shorter[at] as number) if (forbidden[at]?.has(directed)) return true
      return false
    },
  }
}

/** For each rule the longest other one that its journey has also just followed. */
function shorterRules(children: readonly Map<number, number>[]): Uint32Array {
  const shorter = new Uint32Array(children.length)
  const queue = [...(children[0]?.values() ?? [])]
  for (const rule of queue) {
    for (const [directed, child] of children[rule] ?? []) {
      let at = shorter[rule] as number
      while (at !== 0 && !children[at]?.has(directed)) at = shorter[at] as number
      shorter[child] = children[at]?.get(directed) ?? 0
      queue.push(child)
    }
  }
  return shorter
}
