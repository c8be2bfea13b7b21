import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import type { Sql } from "#core/database/database.ts"
import { codeMakerOf } from "../tracking-pages/index.ts"

/**
 * What each rendered form carries: when it was shown, and a number of its own. Signed, so that nobody posts without
 * having read the form; the number makes a request that is sent twice one request.
 */
export interface FormToken {
  text: string
  shownAt: number
  submission: Buffer
}

const maxAgeMilliseconds = 24 * 3600 * 1000
/** By which the clocks of two nodes may differ. */
const clockMilliseconds = 60_000

export async function issueToken(pool: Sql, formId: string, now: Temporal.Instant): Promise<FormToken> {
  const nonce = randomBytes(16).toString("base64url")
  const shownAt = now.epochMilliseconds
  const text = `${shownAt.toString(36)}.${nonce}.${await signatureOf(pool, formId, shownAt, nonce)}`
  return { text, shownAt, submission: submissionOf(nonce) }
}

/** The token of a form that was posted; undefined for one that is forged, of another form or too old. */
export async function readToken(
  pool: Sql,
  formId: string,
  text: string,
  now: Temporal.Instant,
): Promise<FormToken | undefined> {
  const [, time = "", nonce = "", signature = ""] =
    /^([0-9a-z]{1,11})\.([\w-]{22})\.([\w-]{43})$/.exec(text) ?? []
  if (signature === "") return undefined
  const shownAt = Number.parseInt(time, 36)
  const wanted = Buffer.from(await signatureOf(pool, formId, shownAt, nonce))
  if (!timingSafeEqual(wanted, Buffer.from(signature))) return undefined
  const age = now.epochMilliseconds - shownAt
  return age >= -clockMilliseconds && age <= maxAgeMilliseconds
    ? { text, shownAt, submission: submissionOf(nonce) }
    : undefined
}

async function signatureOf(pool: Sql, formId: string, shownAt: number, nonce: string): Promise<string> {
  const { hashOf } = await codeMakerOf(pool)
  return hashOf(`request-form-token\n${formId}\n${shownAt}\n${nonce}`).toString("base64url")
}

const submissionOf = (nonce: string) => createHash("sha256").update(nonce).digest()
