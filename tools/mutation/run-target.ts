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
  const failure = await runThread({ testFiles, mutants: [] }, Number.POSITIVE_INFINITY, (report) => {
    if (report.type === "order") order = report.order
  })
  if (!order) throw new Error(`tests fail without a mutant: ${failure}`)
  return order
}

/** Runs the tests against each mutant, one after another, and calls `onOutcome` for each. */
export async function runMutants(
  work: Work & { order: readonly TestName[] },
  onOutcome: (outcome: Outcome) => void,
): Promise<void> {
  const cpuMilliseconds = work.order.reduce((sum, test) => sum + test.cpuMilliseconds, 0)
  const limit = 5000 + 6 * cpuMilliseconds
  let rest = work.mutants
  while (rest.length > 0) {
    const batch = rest.slice(0, mutantsPerThread)
    let done = 0
    const ended = await runThread({ ...work, mutants: batch }, limit, (report) => {
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
 * Runs a thread to its end and returns how it ended. A mutant that takes more processor time than `limit` is an endless
 * loop; wall time says nothing on a busy machine. A thread that has nothing left to wait for ends by itself.
 */
function runThread(work: Work, limit: number, onReport: (report: Report) => void): Promise<string> {
  const worker = new Worker(join(import.meta.dirname, "run-mutants.ts"), {
    workerData: work,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
  })
  let ended = "a promise that never settles"
  let usedBefore = 0
  const timer = setInterval(async () => {
    const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }))
    if ((user + system) / 1000 - usedBefore < limit) return
    ended = endlessLoop
    await worker.terminate()
  }, 500)
  worker.on("message", (report: Report) => {
    onReport(report)
    if (report.type === "mutant") usedBefore = report.cpuMilliseconds
  })
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
