import { hashSync, verifySync } from "@node-rs/argon2"
import type { TaskRunner } from "../threads/run-in-thread.ts"

/** To hash a password, or with `stored` to compare it. */
export interface PasswordInput {
  password: string
  stored?: string
}

/** A hash, or whether the password is right. */
export type PasswordOutput = { hash: string } | { isRight: boolean } | { problem: string }

/** argon2id with OWASP's recommended minimum: 19 MiB, 2 passes, 1 lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Synchronous on purpose: the library's own threads would have the same priority as everybody's requests. */
const run: TaskRunner<PasswordInput, PasswordOutput> = ({ password, stored }) => {
  try {
    return stored === undefined
      ? { hash: hashSync(password, parameters) }
      : { isRight: verifySync(stored, password) }
  } catch (error) {
    return { problem: String(error) }
  }
}

export default run
