import { randomBytes } from "node:crypto"
import { hashToken } from "#core/access/token.ts"
import { isId } from "#core/ids.ts"

const prefixes = { code: "fwo_", refresh: "fwr_" }
export type SecretKind = keyof typeof prefixes

/** Codes and refresh tokens have the form of tokens: a prefix, the organization's id and 256 random bits. */
export function newSecretToken(kind: SecretKind, organizationId: string): { token: string; hash: Buffer } {
  const token = `${prefixes[kind]}${organizationId}_${randomBytes(32).toString("base64url")}`
  return { token, hash: hashToken(token) }
}

export function parseSecretToken(
  kind: SecretKind,
  token: string,
): { organizationId: string; hash: Buffer } | undefined {
  const organizationId = token.slice(4, 28)
  const isForm = token.length < 100 && token.startsWith(prefixes[kind]) && token[28] === "_"
  return isForm && isId(organizationId) ? { organizationId, hash: hashToken(token) } : undefined
}
