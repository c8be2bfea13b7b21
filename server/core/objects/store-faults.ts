/** Error codes of the operating system and the network that concern the store, not the file. */
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

/** An object store that did not do what it was asked: it is down, silent, or refuses our credentials. */
class StoreAway extends Error {}

/** Rethrows whatever a store failed with, so that it is known as the store's wherever it arrives. */
export function storeFailed(cause: unknown): never {
  throw new StoreAway(`the object store failed: ${String(cause)}`, { cause })
}

/**
 * True when files cannot be stored or read now: the disk is full, or the store failed. Worth a 503 and another try.
 */
export function isStoreAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return error instanceof StoreAway || (typeof code === "string" && storeCodes.has(code))
}
