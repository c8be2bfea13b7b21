import { Worker } from "node:worker_threads"
import { AppError } from "./errors.ts"
import type { PasswordOrder, PasswordOutcome } from "./password-thread.ts"

/** Who would wait behind this many is asked to come back: about ten seconds of hashing. */
const mostWaiting = 400
const waiting = new Map<number, { resolve(outcome: PasswordOutcome): void; reject(error: Error): void }>()
let thread: Worker | undefined
let lastId = 0

/** Does one hash or comparison in the thread, which takes them in turn. */
function inTurn(order: Omit<PasswordOrder, "id">): Promise<PasswordOutcome> {
  if (waiting.size >= mostWaiting)
    throw new AppError(503, "sys-045", "Too many sign-ins at once: try again in some seconds", {
      headers: { "retry-after": "5" },
    })
  lastId += 1
  const id = lastId
  thread ??= startThread()
  // Only while somebody waits does the thread keep the process alive.
  thread.ref()
  thread.postMessage({ id, ...order } satisfies PasswordOrder)
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
}

function startThread(): Worker {
  const started = new Worker(new URL("./password-thread.ts", import.meta.url))
  started.on("message", (outcome: PasswordOutcome) => {
    const waiter = waiting.get(outcome.id)
    waiting.delete(outcome.id)
    if (waiting.size === 0) started.unref()
    if (outcome.problem === undefined) waiter?.resolve(outcome)
    else waiter?.reject(new Error(`a password could not be hashed: ${outcome.problem}`))
  })
  // A thread that ended is started anew by whoever comes next; those who waited for it hear that it failed.
  started.on("error", (error) => abandon(started, error as Error))
  started.on("exit", () => abandon(started, new Error("the thread that hashes passwords ended")))
  return started
}

function abandon(ended: Worker, error: Error): void {
  if (thread !== ended) return
  thread = undefined
  for (const { reject } of waiting.values()) reject(error)
  waiting.clear()
}

export async function hashPassword(password: string): Promise<string> {
  const { hash } = await inTurn({ password: password.normalize("NFKC") })
  if (hash === undefined) throw new Error("the thread that hashes passwords gave no hash")
  return hash
}

let decoy: Promise<string> | undefined

/**
 * Whether the password is the one that was hashed. Without a hash, because nobody has that e-mail, the
 * same work is done on a decoy, so that the time tells nothing.
 */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  const normalized = password.normalize("NFKC")
  if (stored) return (await inTurn({ password: normalized, stored })).isRight === true
  decoy ??= hashPassword("decoy")
  await inTurn({ password: normalized, stored: await decoy })
  return false
}
