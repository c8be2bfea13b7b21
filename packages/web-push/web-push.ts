import { createCipheriv, createECDH, createPrivateKey, hkdfSync, randomBytes, sign } from "node:crypto"

/** What a browser returns for a subscription; keys are base64url. */
export interface PushSubscription {
  endpoint: string
  /** The browser's public key: an uncompressed point on P-256. */
  p256dh: string
  auth: string
}

/** The sender's keys, base64url: an uncompressed point on P-256 and its private number. */
export interface VapidKeys {
  publicKey: string
  privateKey: string
}

export interface PushOptions {
  keys: VapidKeys
  /** How the push service reaches the operator: an https or mailto address. */
  subject: string
  now: Date
  /** How long the push service keeps the message for a device that is off. */
  ttlSeconds: number
  /** A later message with the same topic replaces one that waits. At most 32 characters of base64url. */
  topic?: string
}

export interface PushRequest {
  headers: Record<string, string>
  body: Buffer
}

const curve = "prime256v1"
const pointBytes = 65
const numberBytes = 32
const authBytes = 16
const saltBytes = 16
/** The one record must fit, and push services accept 4,096 bytes of body. */
export const maxPushBytes = 3_993
const recordSize = 4_096
const tokenSeconds = 12 * 3_600

export function createVapidKeys(): VapidKeys {
  const ecdh = createECDH(curve)
  ecdh.generateKeys()
  return { publicKey: encoded(ecdh.getPublicKey()), privateKey: encoded(padded(ecdh.getPrivateKey())) }
}

/** Whether the keys of a subscription have the lengths and forms that encryption needs. */
export function areSubscriptionKeys({ p256dh, auth }: Pick<PushSubscription, "p256dh" | "auth">): boolean {
  const point = Buffer.from(p256dh, "base64url")
  if (point.length !== pointBytes || Buffer.from(auth, "base64url").length !== authBytes) return false
  try {
    const ecdh = createECDH(curve)
    ecdh.generateKeys()
    // Throws for a point that is not on the curve.
    ecdh.computeSecret(point)
    return true
  } catch {
    return false
  }
}

/** The headers and the encrypted body of one push message. */
export function pushRequest(subscription: PushSubscription, text: string, options: PushOptions): PushRequest {
  const { keys, ttlSeconds, topic } = options
  const token = vapidToken(subscription.endpoint, options)
  return {
    headers: {
      authorization: `vapid t=${token}, k=${keys.publicKey}`,
      "content-encoding": "aes128gcm",
      "content-type": "application/octet-stream",
      ttl: String(ttlSeconds),
      ...(topic === undefined ? {} : { topic }),
    },
    body: encryptPush(subscription, Buffer.from(text)),
  }
}

/** RFC 8291: one record under a key that only the browser's private key derives. */
export function encryptPush(
  { p256dh, auth }: Pick<PushSubscription, "p256dh" | "auth">,
  text: Buffer,
  fixed: { salt?: Buffer; privateKey?: Buffer } = {},
): Buffer {
  if (text.length > maxPushBytes) throw new RangeError(`a push message has at most ${maxPushBytes} bytes`)
  const sender = createECDH(curve)
  if (fixed.privateKey) sender.setPrivateKey(fixed.privateKey)
  else sender.generateKeys()
  const salt = fixed.salt ?? randomBytes(saltBytes)
  const receiverPoint = Buffer.from(p256dh, "base64url")
  const senderPoint = sender.getPublicKey()
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), receiverPoint, senderPoint])
  const secret = derive(sender.computeSecret(receiverPoint), Buffer.from(auth, "base64url"), info, 32)
  const key = derive(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16)
  const nonce = derive(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12)
  const cipher = createCipheriv("aes-128-gcm", key, nonce)
  // The byte 2 ends the last record.
  const content = Buffer.concat([cipher.update(Buffer.concat([text, Buffer.of(2)])), cipher.final()])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(recordSize)
  return Buffer.concat([salt, size, Buffer.of(senderPoint.length), senderPoint, content, cipher.getAuthTag()])
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, salt, info, length))
}

/** RFC 8292: says who sends, signed, for one push service and half a day. */
function vapidToken(endpoint: string, { keys, subject, now }: PushOptions): string {
  const point = Buffer.from(keys.publicKey, "base64url")
  const key = createPrivateKey({
    key: {
      kty: "EC",
      crv: "P-256",
      d: keys.privateKey,
      x: encoded(point.subarray(1, 1 + numberBytes)),
      y: encoded(point.subarray(1 + numberBytes)),
    },
    format: "jwk",
  })
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now.getTime() / 1000) + tokenSeconds,
    sub: subject,
  }
  const unsigned = [{ typ: "JWT", alg: "ES256" }, claims]
    .map((part) => encoded(Buffer.from(JSON.stringify(part))))
    .join(".")
  const signature = sign("sha256", Buffer.from(unsigned), { key, dsaEncoding: "ieee-p1363" })
  return `${unsigned}.${encoded(signature)}`
}

function encoded(bytes: Buffer): string {
  return bytes.toString("base64url")
}

/** Leading zeros of a number are left out by the platform, and required in keys. */
function padded(number: Buffer): Buffer {
  return Buffer.concat([Buffer.alloc(numberBytes - number.length), number])
}
