import { createHmac } from "node:crypto"
import type { Sql } from "#core/database/database.ts"
import { installationSecret } from "#core/security/secrets.ts"

/** Crockford's base 32: no letter is mistaken for a digit. Ten characters are 50 bits. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
export const codeLength = 10

export interface LinkCode {
  /** What stands in the address. */
  code: string
  /** What is stored. */
  hash: Buffer
}

/** A code as somebody typed it: upper case, O for 0 and I or L for 1 are the same. Undefined for other texts. */
export function readCode(text: string): string | undefined {
  if (text.length !== codeLength) return undefined
  const code = text.toLowerCase().replaceAll("o", "0").replace(/[il]/g, "1")
  return [...code].every((sign) => alphabet.includes(sign)) ? code : undefined
}

/**
 * Codes are derived from ids with a secret of the installation: a message can repeat the link of a task, although the
 * database has only the hash. The hash is keyed, since 50 bits could be tried out against a plain one.
 */
export interface CodeMaker {
  codeOf(purpose: string, id: string): LinkCode
  hashOf(code: string): Buffer
}

const makers = new WeakMap<object, Promise<CodeMaker>>()

/** `pool` is the application's pool: the secret is read once for it. */
export function codeMakerOf(pool: Sql): Promise<CodeMaker> {
  const known = makers.get(pool)
  if (known) return known
  const made = installationSecret(pool, "tracking-page-codes").then(createCodeMaker)
  made.catch(() => makers.delete(pool))
  makers.set(pool, made)
  return made
}

export function createCodeMaker(secret: Buffer): CodeMaker {
  const hmac = (text: string) => createHmac("sha256", secret).update(text).digest()
  const hashOf = (code: string) => hmac(`hash\n${code}`)
  return {
    hashOf,
    codeOf(purpose, id) {
      let bits = hmac(`code\n${purpose}\n${id}`).readBigUInt64BE()
      let code = ""
      for (let place = 0; place < codeLength; place++) {
        code += alphabet[Number(bits & 31n)]
        bits >>= 5n
      }
      return { code, hash: hashOf(code) }
    },
  }
}
