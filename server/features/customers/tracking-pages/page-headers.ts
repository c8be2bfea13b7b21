import { randomBytes } from "node:crypto"
import type { FastifyReply } from "fastify"
import { styleOrigins } from "../../location/maps/index.ts"

export const newNonce = (): string => randomBytes(12).toString("base64url")

/**
 * Nothing is kept by caches, no other page learns the address, and nothing but this server and the operator's map style is
 * reached. `origins`: the pages of others that may show this one in a frame.
 */
export function setPageHeaders(reply: FastifyReply, nonce: string, origins: readonly string[] = []): void {
  const map = styleOrigins(reply.server.settings)
    .map((origin) => ` ${origin}`)
    .join("")
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob:${map}`,
    `connect-src 'self'${map}`,
    "worker-src 'self' blob:",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${origins.length > 0 ? origins.join(" ") : "'none'"}`,
  ].join("; ")
  reply.headers({
    "content-security-policy": policy,
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex, nofollow",
  })
}
