import { lazy } from "../owned-state.ts"
import { runInThread, type ThreadTask } from "../threads/run-in-thread.ts"
import type { PasswordInput, PasswordOutput } from "./password-thread.ts"

const hashing: ThreadTask<PasswordInput, PasswordOutput> = {
  name: "checking the password",
  module: new URL("./password-thread.ts", import.meta.url),
  pool: "passwords",
  seconds: 30,
}

/** One hash or comparison, in a thread that takes them one after the other. */
async function run(input: PasswordInput): Promise<PasswordOutput> {
  const output = await runInThread(hashing, input, { organizationId: undefined })
  if ("problem" in output) throw new Error(`a password could not be hashed: ${output.problem}`)
  return output
}

export async function hashPassword(password: string): Promise<string> {
  const output = await run({ password: password.normalize("NFKC") })
  if (!("hash" in output)) throw new Error("the thread that hashes passwords returned no hash")
  return output.hash
}

async function matches(password: string, stored: string): Promise<boolean> {
  const output = await run({ password, stored })
  return "isRight" in output && output.isRight
}

const decoy = lazy(() => hashPassword("decoy"))

/**
 * Whether the password is the one that was hashed. Without a hash, because nobody has that e-mail, the
 * same work is done on a decoy, so that the response time reveals nothing.
 */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  const normalized = password.normalize("NFKC")
  if (stored) return matches(normalized, stored)
  await matches(normalized, await decoy())
  return false
}
