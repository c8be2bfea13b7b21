import { constants, setPriority } from "node:os"
import { parentPort, type Transferable, workerData } from "node:worker_threads"
import { backgroundPriority } from "../embedded/lower-priority.ts"
import type { TaskRunner } from "./run-in-thread.ts"

export interface ThreadSettings {
  isLowest: boolean
}

export interface TaskStart {
  module: string
  input: unknown
  stopFlag: Int32Array
}

export type TaskEnd =
  | { kind: "progress"; progress: unknown }
  | { kind: "done"; output: unknown }
  | { kind: "failed"; error: unknown }

const { isLowest } = workerData as ThreadSettings

// Requests go first on a busy machine, yet threads get their share of a saturated one. On Linux this is about the
// calling thread alone; elsewhere it would slow the whole process.
if (process.platform === "linux") {
  setPriority(0, isLowest ? constants.priority.PRIORITY_LOW : backgroundPriority)
}

function post(end: TaskEnd, transfer: Transferable[] = []): void {
  parentPort?.postMessage(end, transfer)
}

parentPort?.on("message", async ({ module, input, stopFlag }: TaskStart) => {
  const transfer: Transferable[] = []
  try {
    const { default: run }: { default: TaskRunner<unknown, unknown, unknown> } = await import(module)
    const output = await run(input, {
      report: (progress) => post({ kind: "progress", progress }),
      shouldStop: () => Atomics.load(stopFlag, 0) === 1,
      transfer,
    })
    post({ kind: "done", output }, transfer)
  } catch (error) {
    post({ kind: "failed", error: error instanceof Error ? error : new Error(String(error)) })
  }
})
