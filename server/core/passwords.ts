import { hash, verify } from "@node-rs/argon2"

/**
 * argon2id with OWASP's recommended minimum (19 MiB, 2 passes, 1 lane). The library hashes on its own
 * threads, so other requests go on meanwhile.
 */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFKC"), parameters)
}

let decoy: Promise<string> | undefined

/**
 * Whether the password is the one that was hashed. Without a hash, because nobody has that e-mail, the
 * same work is done on a decoy, so that the time tells nothing.
 */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  if (stored) return verify(stored, password.normalize("NFKC"))
  decoy ??= hashPassword("decoy")
  await verify(await decoy, password.normalize("NFKC"))
  return false
}
