import { createHmac, timingSafeEqual } from "node:crypto"

/** Time-based one-time passwords (RFC 6238) as every authenticator app makes them: SHA-1, 6 digits, 30 s. */
const stepSeconds = 30
const digits = 6
/** Clocks of telephones may be off by one step either way. */
const tolerance = 1

export function codeOfStep(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac("sha1", secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits
  return String(number).padStart(digits, "0")
}

export function stepAt(now: Temporal.Instant): number {
  return Math.floor(now.epochMilliseconds / 1000 / stepSeconds)
}

/** The step whose code this is, among those that are due now and later than the last used one. */
export function matchingStep(
  secret: Uint8Array,
  code: string,
  now: Temporal.Instant,
  lastStep: number | null,
): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const given = Buffer.from(code)
  let found: number | undefined
  for (let step = stepAt(now) - tolerance; step <= stepAt(now) + tolerance; step++) {
    const isRight = timingSafeEqual(Buffer.from(codeOfStep(secret, step)), given)
    if (isRight && step > (lastStep ?? -1)) found ??= step
  }
  return found
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/** RFC 4648 without padding. */
export function base32(bytes: Uint8Array): string {
  let bits = 0
  let value = 0
  let text = ""
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet[(value >>> bits) & 31]
    }
  }
  return bits > 0 ? text + alphabet[(value << (5 - bits)) & 31] : text
}

/** The address that an authenticator app reads from a QR code. */
export function authenticatorUri(secret: Uint8Array, email: string): string {
  const label = encodeURIComponent(`Fieldway:${email}`)
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=Fieldway&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`
}
