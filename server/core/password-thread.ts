import { constants, setPriority } from "node:os"
import { parentPort } from "node:worker_threads"
import { hashSync, verifySync } from "@node-rs/argon2"

/**
 * The thread that hashes passwords, one after the other, on one core at most. The library's own threads would have
 * the same priority as everybody's requests.
 */

/** To hash a password, or with `stored` to compare it. */
export interface PasswordOrder {
  id: number
  password: string
  stored?: string
}

/** A hash, whether the password is right, or why neither could be said. */
export interface PasswordOutcome {
  id: number
  hash?: string
  isRight?: boolean
  problem?: string
}

/** argon2id with OWASP's recommended minimum: 19 MiB, 2 passes, 1 lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

// Whoever waits for another answer goes first on a busy machine, yet people still get in on a saturated one: not the
// lowest priority. On Linux this is about the calling thread alone; elsewhere it would slow the whole process.
if (process.platform === "linux") setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)

parentPort?.on("message", ({ id, password, stored }: PasswordOrder) => {
  parentPort?.postMessage({ id, ...outcomeOf(password, stored) } satisfies PasswordOutcome)
})

function outcomeOf(password: string, stored: string | undefined): Omit<PasswordOutcome, "id"> {
  try {
    return stored === undefined
      ? { hash: hashSync(password, parameters) }
      : { isRight: verifySync(stored, password) }
  } catch (error) {
    return { problem: String(error) }
  }
}
