/** How a step fails: without effect, with its effect but no response, with an error, for a while, or by taking too long. */
export type Blow = "before" | "after" | "error" | "away" | "timeout"
export type StepKind = "database" | "objects" | "http" | "mail"

export interface Step {
  kind: StepKind
  /** What was asked for, for the report: the statement, or the call. */
  text: string
}

/** Which step fails: the `at`-th of its kind, counted from 1. */
export interface Fault {
  kind: StepKind
  at: number
  blow: Blow
}

/** One place where steps are counted and can fail. */
export interface Counted {
  kind: StepKind
  /** The ways in which this step can fail. */
  blows(text: string): readonly Blow[]
  /** Steps after which it is decided whether something happened: always tried. */
  isDecisive(text: string): boolean
}

/** Counts the steps of one attempt and says which of them fails, and how. */
export class Faults {
  steps: Step[] = []
  /** The step that failed. */
  struck: Step | undefined
  #plan: Fault | undefined
  #isWatching = false
  #ends: (() => void)[] = []

  begin(plan?: Fault): void {
    this.steps = []
    this.struck = undefined
    this.#plan = plan
    this.#isWatching = true
  }

  /** From here on nothing fails and nothing is counted. */
  end(): void {
    this.#isWatching = false
    this.#plan = undefined
    for (const heal of this.#ends) heal()
  }

  onEnd(heal: () => void): void {
    this.#ends.push(heal)
  }

  /** Called before each step; returns how it fails. */
  step(kind: StepKind, text: string): Blow | undefined {
    if (!this.#isWatching) return undefined
    const step = { kind, text }
    this.steps.push(step)
    const plan = this.#plan
    if (plan?.kind !== kind) return undefined
    if (this.steps.filter((other) => other.kind === kind).length !== plan.at) return undefined
    this.struck = step
    return plan.blow
  }
}
