/** Codes of the operating system and the network that speak of the place where files go, not of the file. */
const storeCodes = new Set([
  "ENOSPC",
  "EDQUOT",
  "EROFS",
  "EIO",
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ETIMEDOUT",
])

/**
 * True when files cannot be stored or read now: the disk is full, the store is down, slow, or refuses our credentials.
 * Worth a 503 and another try. Errors of an S3-compatible store carry `$metadata`.
 */
export function isStoreAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, name } = error as { code?: unknown; name?: string }
  if (typeof code === "string" && storeCodes.has(code)) return true
  if (name === "TimeoutError" && "$metadata" in error) return true
  return "$metadata" in error || "$fault" in error
}
