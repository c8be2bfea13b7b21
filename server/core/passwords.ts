import { hash, verify } from "@node-rs/argon2"
import { AppError } from "./errors.ts"

/**
 * argon2id with OWASP's recommended minimum (19 MiB, 2 passes, 1 lane). The library hashes on its own
 * threads, so other requests go on meanwhile.
 */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/**
 * One hash at a time: a burst of sign-ins then takes one core at most and the rest of the service keeps the
 * others. Who would wait behind this many is asked to come back.
 */
const mostWaiting = 400
let waiting = 0
let last: Promise<unknown> = Promise.resolve()

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting >= mostWaiting)
    throw new AppError(503, "sys-045", "Too many sign-ins at once: try again in some seconds", {
      headers: { "retry-after": "5" },
    })
  waiting += 1
  const turn = last.then(work).finally(() => {
    waiting -= 1
  })
  last = turn.catch(() => undefined)
  return turn
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password.normalize("NFKC"), parameters))
}

let decoy: Promise<string> | undefined

/**
 * Whether the password is the one that was hashed. Without a hash, because nobody has that e-mail, the
 * same work is done on a decoy, so that the time tells nothing.
 */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  const normalized = password.normalize("NFKC")
  if (stored) return inTurn(() => verify(stored, normalized))
  decoy ??= hashPassword("decoy")
  const known = await decoy
  await inTurn(() => verify(known, normalized))
  return false
}
