/** Stands in for `node:test` while mutants run: collects a file's tests, which `run-mutants.ts` runs one by one. */
export interface CollectedTest {
  name: string
  run: () => unknown
}

let collected: CollectedTest[] = []

/** Imported by test files in place of the other one. @public */
export function test(name: string, run: () => unknown): void {
  if (typeof run !== "function" || run.length > 0)
    throw new Error(`tests of pure rules have a name and a function without parameters: ${name}`)
  collected.push({ name, run })
}

/** The tests since the last call. */
export function takeTests(): CollectedTest[] {
  const tests = collected
  collected = []
  return tests
}
