import { hash, randomBytes } from "node:crypto"
import { isId } from "../ids.ts"

/**
 * A token is `fw_`, the organization's id and 256 random bits. The id lets a tenant-sharded database find
 * the row on one node; it is no secret. Only the hash is stored.
 */
export function newToken(organizationId: string): { token: string; hash: Buffer } {
  const token = `fw_${organizationId}_${randomBytes(32).toString("base64url")}`
  return { token, hash: hashToken(token) }
}

export function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer")
}

const maxTokenLength = 100

/** The parts of a presented token, or undefined for what cannot be one. */
export function parseToken(token: string): { organizationId: string; hash: Buffer } | undefined {
  if (token.length > maxTokenLength || !token.startsWith("fw_")) return undefined
  const organizationId = token.slice(3, 27)
  if (!isId(organizationId) || token[27] !== "_") return undefined
  return { organizationId, hash: hashToken(token) }
}
