import { createHmac, timingSafeEqual } from "node:crypto"
import { checkKey } from "./objects.ts"

/** Makes and checks links to stored files that work without a token until they expire. */
export interface SignedLinks {
  /** The absolute address of a file, good for `seconds` (default one day). */
  sign(key: string, now: Temporal.Instant, seconds?: number): string
  /** The address without a signature, as it is written into tasks; reading it needs a token or a new signature. */
  plain(key: string): string
  /** The key when address and signature are right and not expired. */
  verify(key: string, query: { expires?: string; signature?: string }, now: Temporal.Instant): boolean
  /** The key behind an address that this service issued, or undefined. */
  keyOf(address: string): string | undefined
}

const oneDaySeconds = 86_400

export function createSignedLinks(publicUrl: string, secret: Buffer): SignedLinks {
  const base = `${publicUrl}/files/`
  const signatureOf = (key: string, expires: number) =>
    createHmac("sha256", secret).update(`${key}\n${expires}`).digest("base64url")
  return {
    sign(key, now, seconds = oneDaySeconds) {
      const expires = Math.floor(now.epochMilliseconds / 1000) + seconds
      return `${base}${checkKey(key)}?expires=${expires}&signature=${signatureOf(key, expires)}`
    },
    plain: (key) => base + checkKey(key),
    verify(key, { expires, signature }, now) {
      if (!expires || !signature || !/^\d{1,12}$/.test(expires)) return false
      if (Number(expires) < now.epochMilliseconds / 1000) return false
      const wanted = Buffer.from(signatureOf(key, Number(expires)))
      const given = Buffer.from(signature)
      return wanted.length === given.length && timingSafeEqual(wanted, given)
    },
    keyOf(address) {
      const path = address.startsWith(base) ? address.slice(base.length) : undefined
      const key = path?.split("?")[0]
      try {
        return key === undefined ? undefined : checkKey(decodeURIComponent(key))
      } catch {
        return undefined
      }
    },
  }
}
