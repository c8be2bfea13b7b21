import { join } from "node:path"
import { Worker } from "node:worker_threads"
import type { FileMutant, Report, TestName, Work } from "./run-mutants.ts"

/** Modules loaded again for a mutant stay in memory until their thread ends. */
const mutantsPerThread = 50
const memoryMegabytes = 2048
export const endlessLoop = "an endless loop"

export interface Outcome {
  mutant: FileMutant
  /** The first test that failed, or why no test ended; null where all passed. */
  noticedBy: string | null
}

/** Orders the tests of a target and measures them. Throws where one fails without a mutant. */
export async function orderTests(testFiles: readonly string[]): Promise<readonly TestName[]> {
  let order: readonly TestName[] | undefined
  const failure = await runThread({ testFiles, mutants: [] }, (report) => {
    if (report.type === "order") order = report.order
  })
  if (!order) throw new Error(`tests fail without a mutant: ${failure}`)
  return order
}

/** Runs the tests against each mutant, one after another, and calls `onOutcome` for each. */
export async function runMutants(
  work: Required<Omit<Work, "progress">>,
  onOutcome: (outcome: Outcome) => void,
): Promise<void> {
  let rest = work.mutants
  while (rest.length > 0) {
    const batch = rest.slice(0, mutantsPerThread)
    let done = 0
    const ended = await runThread({ ...work, mutants: batch }, (report) => {
      const mutant = batch[done]
      if (report.type !== "mutant" || !mutant) return
      done += 1
      onOutcome({ mutant, noticedBy: report.noticedBy })
    })
    const unfinished = batch[done]
    if (unfinished) onOutcome({ mutant: unfinished, noticedBy: ended })
    rest = rest.slice(unfinished ? done + 1 : done)
  }
}

/**
 * Runs a thread to its end and returns how it ended. A test that takes far more processor time than without a mutant is
 * an endless loop; wall time says nothing on a busy machine. A thread with nothing left to wait for ends by itself.
 */
function runThread(work: Omit<Work, "progress">, onReport: (report: Report) => void): Promise<string> {
  const progress = new Float64Array(new SharedArrayBuffer(16))
  const worker = new Worker(join(import.meta.dirname, "run-mutants.ts"), {
    workerData: { ...work, progress },
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
  })
  let ended = "a promise that never settles"
  const timer = setInterval(async () => {
    const [testBegan = 0, alone = 0] = progress
    const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }))
    const isEndless = testBegan > 0 && (user + system) / 1000 - testBegan > 2000 + 6 * alone
    if (!isEndless) return
    ended = endlessLoop
    await worker.terminate()
  }, 250)
  worker.on("message", onReport)
  worker.on("error", (error: Error) => {
    ended = error.message
  })
  return new Promise((resolve) =>
    worker.on("exit", () => {
      clearInterval(timer)
      resolve(ended)
    }),
  )
}
