import type { Transferable } from "node:worker_threads"
import { AppError } from "../errors.ts"
import { createFairSlots, type FairSlots } from "../fairness/fair-slots.ts"
import { createThread, type Thread } from "./thread.ts"

/**
 * Long computations run in threads, so that requests are answered meanwhile. Each pool has few threads, shared fairly
 * between organizations; a task that passes its time or memory limit, or throws, ends its thread, and the next task
 * gets a new one.
 */
export interface ThreadTask<Input, Output, Progress = never> {
  /** What it is called in messages: "reading the file". */
  readonly name: string
  /** Its default export is a `TaskRunner<Input, Output, Progress>`. */
  readonly module: URL
  readonly pool: PoolName
  /** The thread is ended after so many seconds. */
  readonly seconds: number
  /** Never set: carries the types. */
  readonly types?: { input: Input; output: Output; progress: Progress }
}

/** What the module of a task exports. What it throws is a fault: expected failures are part of its output. */
export type TaskRunner<Input, Output, Progress = never> = (
  input: Input,
  thread: TaskContext<Progress>,
) => Output | Promise<Output>

export interface TaskContext<Progress> {
  report(progress: Progress): void
  /** True once the caller's `stop` is aborted: end early, with what there is. */
  shouldStop(): boolean
  /** Buffers of the output that are moved instead of copied. */
  readonly transfer: Transferable[]
}

export interface RunOptions<Progress> {
  /** Who waits for it. Tasks without an organization share one turn. */
  organizationId: string | undefined
  /** Aborted: a waiting task never starts, and the thread of a running one is ended. */
  signal?: AbortSignal
  /** Aborted: the task is asked to end early; its output still counts. */
  stop?: AbortSignal
  onProgress?: (progress: Progress) => void
  /** Buffers of the input that are moved instead of copied. */
  transfer?: Transferable[]
}

interface PoolSettings {
  threads: number
  /** Of one organization at a time. */
  perOrganization: number
  waitingPerOrganization: number
  waitSeconds: number
  /** Of the heap of a thread. Buffers and WebAssembly are not part of it. */
  megabytes: number
  /** Lowest: behind everything else on a busy machine. */
  isLowest?: boolean
}

const poolSettings = {
  /** Sign-in. About ten seconds of hashing wait at most. */
  passwords: {
    threads: 1,
    perOrganization: 1,
    waitingPerOrganization: 400,
    waitSeconds: 60,
    megabytes: 128,
  },
  /** What somebody waits for who sees a page load: previews, tracks, scripts, templates. */
  quick: { threads: 2, perOrganization: 1, waitingPerOrganization: 50, waitSeconds: 30, megabytes: 512 },
  /** Whole files. */
  files: { threads: 2, perOrganization: 1, waitingPerOrganization: 20, waitSeconds: 300, megabytes: 512 },
  /** Plans made again during the day and offers of appointments: somebody waits for them, so they go before plans of minutes. */
  proposals: {
    threads: 2,
    perOrganization: 1,
    waitingPerOrganization: 50,
    waitSeconds: 30,
    megabytes: 1_024,
  },
  plans: {
    threads: 2,
    perOrganization: 1,
    waitingPerOrganization: 50,
    waitSeconds: 1_800,
    megabytes: 2_048,
    isLowest: true,
  },
} as const satisfies Record<string, PoolSettings>

export type PoolName = keyof typeof poolSettings

interface Pool {
  slots: FairSlots
  idle: Thread[]
}

const pools = new Map<PoolName, Pool>()

function poolOf(name: PoolName): Pool {
  const known = pools.get(name)
  if (known) return known
  const { threads, perOrganization, waitingPerOrganization, waitSeconds } = poolSettings[name]
  const made = {
    slots: createFairSlots({
      slots: threads,
      perKey: perOrganization,
      waitingPerKey: waitingPerOrganization,
      waitMilliseconds: waitSeconds * 1000,
    }),
    idle: [],
  }
  pools.set(name, made)
  return made
}

/** How many threads of a pool exist and work, for tests and metrics. */
export function threadCounts(name: PoolName): { idle: number; running: number; waiting: number } {
  const { slots, idle } = poolOf(name)
  return { idle: idle.length, running: slots.running, waiting: slots.waiting }
}

/** The limits of a task were passed, or its thread failed. A 503, unless the caller knows better. */
export class ThreadStopped extends AppError {
  readonly reason: "time" | "memory" | "fault"

  constructor(task: string, reason: ThreadStopped["reason"], cause?: unknown) {
    const texts = { time: "took too long", memory: "needed too much memory", fault: "failed" }
    super(503, "sys-045", `Stopped: ${task} ${texts[reason]}`, { cause, headers: { "retry-after": "5" } })
    this.reason = reason
  }
}

/**
 * Runs a task in a thread of its pool and returns its output.
 * @throws ThreadStopped when it was ended by a limit, AppError when too much is waiting, the signal's reason
 */
export async function runInThread<Input, Output, Progress = never>(
  task: ThreadTask<Input, Output, Progress>,
  input: Input,
  options: RunOptions<Progress>,
): Promise<Output> {
  const pool = poolOf(task.pool)
  const key = options.organizationId ?? ""
  await pool.slots.take(key, options.signal)
  const thread = pool.idle.pop() ?? createThread(poolSettings[task.pool], (ended) => evictThread(pool, ended))
  try {
    options.signal?.throwIfAborted()
    return (await runOn(thread, task, input, options as RunOptions<unknown>)) as Output
  } finally {
    if (thread.isUsable()) {
      thread.rest()
      pool.idle.push(thread)
    }
    pool.slots.release(key)
  }
}

function evictThread({ idle }: Pool, ended: Thread): void {
  const place = idle.indexOf(ended)
  if (place !== -1) idle.splice(place, 1)
}

function runOn(
  thread: Thread,
  task: ThreadTask<unknown, unknown, unknown>,
  input: unknown,
  { signal, stop, onProgress, transfer = [] }: RunOptions<unknown>,
): Promise<unknown> {
  const stopFlag = new Int32Array(new SharedArrayBuffer(4))
  const askToStop = () => Atomics.store(stopFlag, 0, 1)
  if (stop?.aborted) askToStop()
  return new Promise<unknown>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", abort)
      stop?.removeEventListener("abort", askToStop)
    }
    const fail = (error: unknown) => {
      end()
      thread.end()
      reject(error)
    }
    const abort = () => fail(signal?.reason)
    const timer = setTimeout(() => fail(new ThreadStopped(task.name, "time")), task.seconds * 1000)
    signal?.addEventListener("abort", abort, { once: true })
    stop?.addEventListener("abort", askToStop, { once: true })
    try {
      thread.start(
        { module: task.module.href, input, stopFlag },
        {
          transfer,
          onEnd(outcome) {
            if (outcome.kind === "progress") return void onProgress?.(outcome.progress)
            if (outcome.kind === "failed") return fail(new ThreadStopped(task.name, "fault", outcome.error))
            end()
            resolve(outcome.output)
          },
          onDeath: (error) =>
            fail(new ThreadStopped(task.name, isOutOfMemory(error) ? "memory" : "fault", error)),
        },
      )
    } catch (error) {
      // An input that cannot be sent: the thread has seen nothing of it.
      end()
      reject(error)
    }
  })
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === "ERR_WORKER_OUT_OF_MEMORY"
}
