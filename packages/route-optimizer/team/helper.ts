import { MessageChannel, type MessagePort, Worker } from "node:worker_threads"
import type { Plan, PlanProblem } from "../problem/problem.ts"
import { type Colleague, colleagueAt } from "./colleague.ts"

export type HelperJob = {
  readonly problem: PlanProblem
  readonly seed: number
  readonly milliseconds: number
  readonly start?: Plan
  /** Budget and exchange count processor time of the thread: for benchmarks. */
  readonly countsProcessorTime?: boolean
}

export type HelperData = HelperJob & { readonly port: MessagePort; readonly stopFlag: Int32Array }

export type Helper = Colleague & { readonly end: () => void }

/** Starts a second search of the problem in a thread of its own, which ends with its budget or when it is asked to. */
export function startHelper(job: HelperJob): Helper {
  const { port1, port2 } = new MessageChannel()
  const stopFlag = new Int32Array(new SharedArrayBuffer(4))
  const workerData: HelperData = { ...job, port: port2, stopFlag }
  const worker = new Worker(new URL("./helper-thread.ts", import.meta.url), {
    workerData,
    transferList: [port2],
  })
  // A plan without help is as valid.
  worker.on("error", () => undefined)
  worker.unref()
  port1.unref()
  return {
    ...colleagueAt(port1),
    end() {
      Atomics.store(stopFlag, 0, 1)
      port1.close()
    },
  }
}
