import { type Transferable, Worker } from "node:worker_threads"
import type { TaskEnd, TaskStart, ThreadSettings } from "./thread-main.ts"

/** One thread, which runs one task after the other. */
export interface Thread {
  /** Runs a task. `onDeath` when the thread ended on its own. A task that cannot be sent throws. */
  start(
    task: TaskStart,
    on: { transfer: Transferable[]; onEnd(end: TaskEnd): void; onDeath(error: unknown): void },
  ): void
  /** After a task: keeps no process alive, and ends after a while. */
  rest(): void
  /** Ends it in the middle of whatever it does. */
  end(): void
  isUsable(): boolean
}

/** Unused threads give their memory back. */
const idleMilliseconds = 60_000

export function createThread(
  { megabytes, isLowest = false }: { megabytes: number; isLowest?: boolean },
  onEnded: (thread: Thread) => void,
): Thread {
  const worker = new Worker(new URL("./thread-main.ts", import.meta.url), {
    workerData: { isLowest } satisfies ThreadSettings,
    // Passing it ends the thread. Only a single allocation of more than 16 MB at the limit would take the process
    // along, so tasks bound what they hold in one piece.
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
    // What the process was started with, such as a debugger or a module to load first, is not for its threads.
    execArgv: ["--disable-warning=ExperimentalWarning"],
  })
  let isEnded = false
  let idleTimer: NodeJS.Timeout | undefined
  let current: { onEnd(end: TaskEnd): void; onDeath(error: unknown): void } | undefined

  const finish = (error: unknown) => {
    isEnded = true
    clearTimeout(idleTimer)
    onEnded(thread)
    const abandoned = current
    current = undefined
    abandoned?.onDeath(error)
  }
  worker.on("message", (end: TaskEnd) => current?.onEnd(end))
  worker.on("messageerror", (error) => finish(error))
  worker.on("error", (error) => finish(error))
  worker.on("exit", (code) => finish(new Error(`the thread ended with code ${code}`)))

  const thread: Thread = {
    start(task, { transfer, ...on }) {
      clearTimeout(idleTimer)
      worker.ref()
      current = on
      worker.postMessage(task, transfer)
    },
    rest() {
      current = undefined
      worker.unref()
      idleTimer = setTimeout(() => thread.end(), idleMilliseconds)
      idleTimer.unref()
    },
    end() {
      isEnded = true
      current = undefined
      clearTimeout(idleTimer)
      onEnded(thread)
      void worker.terminate()
    },
    isUsable: () => !isEnded,
  }
  return thread
}
