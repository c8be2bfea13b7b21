import { Worker } from "node:worker_threads"
import type { BackgroundReport, BackgroundSettings, BackgroundTask } from "./background-thread.ts"
import type { ForwardedResponse, HeavyRequests } from "./core/http/limits/heavy-requests.ts"
import type { JobOutcome } from "./core/telemetry/metrics.ts"

/**
 * The background thread: runs jobs and heavy requests at low priority, on an event loop, a heap and database
 * connections of its own. Whatever they do, the request thread goes on with light requests.
 */
export interface Background extends HeavyRequests {
  /** Finishes the jobs' current steps. */
  stop(): Promise<void>
}

interface Waiting {
  resolve(response: ForwardedResponse): void
  reject(error: Error): void
}

const stopMilliseconds = 11_000

/** Needs a migrated database. Requests that come before the thread has loaded its code wait for it. */
export function startBackground(
  settings: BackgroundSettings,
  onAttempt: (job: string, outcome: JobOutcome) => void,
): Background {
  const worker = new Worker(new URL("./background-main.ts", import.meta.url), {
    workerData: settings,
    // What the process was started with, such as a debugger or a module to load first, is not for its threads.
    execArgv: ["--disable-warning=ExperimentalWarning"],
  })
  const post = (task: BackgroundTask) => worker.postMessage(task)
  const ended = Promise.withResolvers<void>()
  const waiting = new Map<number, Waiting>()
  let requests = 0
  let isUnwanted = false
  let hasFailed = false
  const take = (number: number) => {
    const found = waiting.get(number)
    waiting.delete(number)
    return found
  }
  const failAll = (error: Error) => {
    for (const number of [...waiting.keys()]) take(number)?.reject(error)
  }
  worker.on("message", (report: BackgroundReport) => {
    if (report.kind === "response") take(report.number)?.resolve(report.response)
    else if (report.kind === "failed") take(report.number)?.reject(new Error(report.reason))
    else onAttempt(report.job, report.outcome)
  })
  worker.on("error", (error: Error) => {
    failAll(error)
    if (isUnwanted) return
    hasFailed = true
    // As any other fault that nothing handled: the process ends, and its supervisor starts it again.
    throw error
  })
  worker.on("exit", (code) => {
    const error = new Error(`the background thread ended with code ${code}`)
    failAll(error)
    ended.resolve()
    // Without it, heavy requests and jobs would wait forever.
    if (!isUnwanted && !hasFailed) throw error
  })
  return {
    handle(request, signal) {
      const number = ++requests
      return new Promise((resolve, reject) => {
        waiting.set(number, { resolve, reject })
        signal.addEventListener("abort", () => post({ kind: "abort", number }), { once: true })
        post({ kind: "request", number, request })
      })
    },
    async stop() {
      isUnwanted = true
      post({ kind: "stop" })
      const timer = setTimeout(() => void worker.terminate(), stopMilliseconds)
      await ended.promise
      clearTimeout(timer)
    },
  }
}
