import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto"
import type { Config } from "../config.ts"
import type { Sql } from "../database/database.ts"
import { installationSecret } from "./secrets.ts"

/**
 * Secrets that the service must be able to read again (a client secret, a key of signatures) are stored sealed:
 * AES-256-GCM under a key of this installation, bound to what they are for. The key is derived from a secret in
 * the database, so that trash, exports and logs never show one; with SECRETS_KEY from that as well, so that a
 * copy of the database alone opens nothing.
 */
export interface Sealing {
  sql: Sql
  config: SealingKeys
}

/** `secretsKeyOld` opens what was sealed before a change of SECRETS_KEY; nothing new is sealed with it. */
export type SealingKeys = Pick<Config, "secretsKey" | "secretsKeyOld">

const nonceBytes = 12
const tagBytes = 16
/** First byte of what is sealed: which kind of key it needs. */
const withDatabaseKey = 1
const withSecretsKey = 2

/** `purpose` says whose secret it is; the same is needed to open it, so a row's secret fits no other row. */
export async function seal({ sql, config }: Sealing, purpose: string, text: string): Promise<Buffer> {
  const kind = config.secretsKey === undefined ? withDatabaseKey : withSecretsKey
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv("aes-256-gcm", await keyOf(sql, config, config.secretsKey), nonce)
  cipher.setAAD(Buffer.from(purpose))
  const content = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  return Buffer.concat([Buffer.of(kind), nonce, cipher.getAuthTag(), content])
}

/**
 * A fingerprint of something short, such as a code of six digits, that cannot be found by trying them all without
 * the key of this installation.
 */
export async function keyedHash({ sql, config }: Sealing, purpose: string, text: string): Promise<Buffer> {
  const key = await keyOf(sql, config, config.secretsKey)
  return createHmac("sha256", key).update(`${purpose}\n${text}`).digest()
}

/** Throws when it was sealed for another purpose, or under a SECRETS_KEY that this process does not have. */
export async function unseal(sealing: Sealing, purpose: string, sealed: Uint8Array): Promise<string> {
  return (await open(sealing, purpose, Buffer.from(sealed))).text
}

/**
 * Encrypts again what was sealed under a previous key; undefined where nothing has to
 * change, or where the key is not known.
 */
export async function reseal(
  sealing: Sealing,
  purpose: string,
  sealed: Uint8Array,
): Promise<Buffer | undefined> {
  const opened = await open(sealing, purpose, Buffer.from(sealed)).catch(() => undefined)
  return opened && !opened.isCurrent ? seal(sealing, purpose, opened.text) : undefined
}

async function open(
  { sql, config }: Sealing,
  purpose: string,
  bytes: Buffer,
): Promise<{ text: string; isCurrent: boolean }> {
  const isOfDatabase = bytes[0] === withDatabaseKey
  if (isOfDatabase) {
    const text = decrypt(await keyOf(sql, config, undefined), purpose, bytes)
    return { text, isCurrent: config.secretsKey === undefined }
  }
  const { secretsKey, secretsKeyOld } = config
  if (secretsKey === undefined && secretsKeyOld === undefined)
    throw new Error("this secret was encrypted with another SECRETS_KEY: set the previous key")
  if (secretsKey !== undefined) {
    const key = await keyOf(sql, config, secretsKey)
    if (secretsKeyOld === undefined) return { text: decrypt(key, purpose, bytes), isCurrent: true }
    try {
      return { text: decrypt(key, purpose, bytes), isCurrent: true }
    } catch {
      // It was sealed before the change of the key.
    }
  }
  return { text: decrypt(await keyOf(sql, config, secretsKeyOld), purpose, bytes), isCurrent: false }
}

function decrypt(key: Buffer, purpose: string, bytes: Buffer): string {
  const nonce = bytes.subarray(1, 1 + nonceBytes)
  const tag = bytes.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes)
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(purpose))
  decipher.setAuthTag(tag)
  const content = bytes.subarray(1 + nonceBytes + tagBytes)
  return Buffer.concat([decipher.update(content), decipher.final()]).toString("utf8")
}

/** Keys of a configuration, hence of a process and its database: asked for once. */
const known = new WeakMap<SealingKeys, Map<string | undefined, Buffer>>()

async function keyOf(sql: Sql, config: SealingKeys, secretsKey: string | undefined): Promise<Buffer> {
  const keys = known.get(config) ?? new Map<string | undefined, Buffer>()
  const made = keys.get(secretsKey)
  if (made) return made
  const salt = await installationSecret(sql, "sealing")
  const material = secretsKey === undefined ? salt : Buffer.from(secretsKey)
  const key = Buffer.from(hkdfSync("sha256", material, salt, "fieldway sealing", 32))
  known.set(config, keys.set(secretsKey, key))
  return key
}
