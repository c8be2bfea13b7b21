import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"
import type { Config } from "./config.ts"
import type { Sql } from "./database.ts"
import { installationSecret } from "./secrets.ts"

/**
 * Secrets that the service must be able to read again (a client secret, a key of signatures) are stored sealed:
 * AES-256-GCM under a key of this installation, bound to what they are for. The key is derived from a secret in
 * the database, so that trash, exports and logs never show one; with SECRETS_KEY from that as well, so that a
 * copy of the database alone opens nothing.
 */
export interface Sealing {
  sql: Sql
  config: Pick<Config, "secretsKey">
}

const nonceBytes = 12
const tagBytes = 16
/** First byte of what is sealed: which key it needs. */
const withDatabaseKey = 1
const withSecretsKey = 2

/** `purpose` says whose secret it is; the same is needed to open it, so a row's secret fits no other row. */
export async function seal({ sql, config }: Sealing, purpose: string, text: string): Promise<Buffer> {
  const kind = config.secretsKey === undefined ? withDatabaseKey : withSecretsKey
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv("aes-256-gcm", await keyOf(sql, config.secretsKey), nonce)
  cipher.setAAD(Buffer.from(purpose))
  const content = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  return Buffer.concat([Buffer.of(kind), nonce, cipher.getAuthTag(), content])
}

/** Throws when it was sealed for another purpose, or under a SECRETS_KEY that this process does not have. */
export async function unseal({ sql, config }: Sealing, purpose: string, sealed: Uint8Array): Promise<string> {
  const bytes = Buffer.from(sealed)
  const secretsKey = bytes[0] === withSecretsKey ? config.secretsKey : undefined
  if (bytes[0] === withSecretsKey && secretsKey === undefined)
    throw new Error("this secret was stored under SECRETS_KEY: set it as it was")
  const nonce = bytes.subarray(1, 1 + nonceBytes)
  const tag = bytes.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes)
  const decipher = createDecipheriv("aes-256-gcm", await keyOf(sql, secretsKey), nonce, {
    authTagLength: tagBytes,
  })
  decipher.setAAD(Buffer.from(purpose))
  decipher.setAuthTag(tag)
  const content = bytes.subarray(1 + nonceBytes + tagBytes)
  return Buffer.concat([decipher.update(content), decipher.final()]).toString("utf8")
}

async function keyOf(sql: Sql, secretsKey: string | undefined): Promise<Buffer> {
  const salt = await installationSecret(sql, "sealing")
  const material = secretsKey === undefined ? salt : Buffer.from(secretsKey)
  return Buffer.from(hkdfSync("sha256", material, salt, "fieldway sealing", 32))
}
