import { randomInt, timingSafeEqual } from "node:crypto"
import { inTransaction, type Pool, type Sql, type Tx } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import { keyedHash, type Sealing, type SealingKeys } from "#core/security/sealing.ts"
import { queueMail } from "../../organization/mails/index.ts"
import {
  type AccountRow,
  type BrowserCookie,
  countFailure,
  findAccount,
  findSource,
  isLockedFor,
  markVerified,
  type Origin,
  type SignInSource,
  spendAuthenticatorCode,
  welcome,
} from "../accounts/index.ts"
import { sessionErrors } from "./errors.ts"
import { type Membership, openSession, roleDemands, type Session } from "./session.ts"

const minutes = 10
const maxTries = 5
const maxSends = 4

type Method = "email" | "totp"

/** The second factor of this sign-in: the account's own authenticator, else a mailed code when the role asks. */
export async function needsSecondFactor(
  sql: Sql,
  membership: Membership,
  account: AccountRow,
): Promise<Method | undefined> {
  if (account.totpEnabledTime) return "totp"
  return (await roleDemands(sql, membership)).code ? "email" : undefined
}

/** Starts waiting for the code, and mails it where it is a mailed one. Returns the id that the code goes with. */
export async function beginChallenge(
  tx: Tx,
  config: SealingKeys,
  membership: Membership,
  email: string,
  method: Method,
  signIn: "password" | "sso" = "password",
): Promise<string> {
  const id = newId<"challenge">()
  await tx`
    insert into sign_in_challenges (organization_id, id, user_id, method, sign_in, expires_at)
    values (${membership.organizationId}, ${id}, ${membership.userId}, ${method}, ${signIn},
      now() + make_interval(mins => ${minutes}))`
  if (method === "email") await sendCode({ sql: tx, config }, { ...membership, id }, email)
  return id
}

async function sendCode(
  sealing: Sealing,
  challenge: Membership & { id: string },
  email: string,
): Promise<void> {
  const tx = sealing.sql as Tx
  const code = String(randomInt(1_000_000)).padStart(6, "0")
  await tx`
    update sign_in_challenges set code_hash = ${await hashOf(sealing, challenge.id, code)}
    where organization_id = ${challenge.organizationId} and id = ${challenge.id}`
  const rows = await tx<{ language: string }[]>`
    select language from organizations where id = ${challenge.organizationId}`
  await queueMail(
    tx,
    { organizationId: challenge.organizationId, email, language: rows[0]?.language ?? "en" },
    "code",
    { code, minutes },
  )
}

interface Challenge extends Membership {
  id: string
  accountId: string
  email: string
  method: Method
  signIn: "password" | "sso"
  codeHash: Buffer | null
}

/** `any***@fieldway.example`: enough to recognise one's own address. */
export async function readChallenge(sql: Sql, id: string): Promise<{ email: string; method: Method }> {
  const rows = await sql<{ email: string; method: Method }[]>`
    select users.email, c.method from sign_in_challenges c
    join users on users.organization_id = c.organization_id and users.id = c.user_id
    where c.id = ${id.toLowerCase()} and c.expires_at > now()`
  const found = rows[0]
  if (!found) throw sessionErrors.wrongCode()
  const [name = "", domain = ""] = found.email.split("@")
  return { email: `${name.slice(0, 3)}***@${domain}`, method: found.method }
}

/** Mails a new code; the old one no longer works. The tries that were used stay used. */
export async function resendCode(tx: Tx, config: SealingKeys, id: string): Promise<void> {
  const rows = await tx<Challenge[]>`
    update sign_in_challenges c set sends = sends + 1 from users
    where c.id = ${id.toLowerCase()} and c.expires_at > now() and c.method = 'email'
      and c.sends < ${maxSends} and c.tries < ${maxTries}
      and users.organization_id = c.organization_id and users.id = c.user_id
    returning c.organization_id, c.id, c.user_id, users.email`
  const challenge = rows[0]
  if (!challenge) throw sessionErrors.notSent()
  await sendCode({ sql: tx, config }, challenge, challenge.email)
}

interface ChallengeInput {
  id: string
  code: string
  now: Temporal.Instant
  origin: Origin
  config: SealingKeys
}

/** Signed in; a console's browser is known for this account from now on. */
export interface Finished {
  session: Session
  email: string
  browser: BrowserCookie | undefined
}

/**
 * Finishes a sign-in with its code. Each try is counted before the code is looked at, five at most, and a
 * wrong code counts towards the lock like a wrong password.
 */
export async function verifyChallenge(sql: Pool, input: ChallengeInput): Promise<Finished> {
  const counted = await sql<Challenge[]>`
    update sign_in_challenges c set tries = tries + 1 from users
    where c.id = ${input.id.toLowerCase()} and c.expires_at > now() and c.tries < ${maxTries}
      and users.organization_id = c.organization_id and users.id = c.user_id
    returning c.organization_id, c.id, c.user_id, c.method, c.sign_in, c.code_hash, users.account_id, users.email`
  const challenge = counted[0]
  if (!challenge) throw sessionErrors.wrongCode()
  const source = await findSource(sql, challenge.accountId, input.origin)
  const finished = await inTransaction(sql, (tx) => finish(tx, challenge, source, input))
  if (finished) return finished
  await countFailure(sql, challenge.accountId, source)
  throw sessionErrors.wrongCode()
}

async function finish(
  tx: Tx,
  challenge: Challenge,
  source: SignInSource,
  input: ChallengeInput,
): Promise<Finished | undefined> {
  const account = await findAccount(tx, { id: challenge.accountId })
  if (!account || (await isLockedFor(tx, account.id, source)) || !(await isRight(tx, challenge, input)))
    return undefined
  const used = await tx`
    delete from sign_in_challenges
    where organization_id = ${challenge.organizationId} and id = ${challenge.id} returning 1`
  if (used.length === 0) return undefined
  if (challenge.method === "email" && account.passwordSetBy === null) await markVerified(tx, account.id)
  const session = await openSession(tx, challenge, { signIn: challenge.signIn, hasSecondFactor: true })
  if (!session) return undefined
  const isPassword = challenge.signIn === "password"
  const browser = isPassword ? await welcome(tx, account.id, source, input.origin) : undefined
  return { session, email: challenge.email, browser }
}

async function isRight(
  tx: Tx,
  challenge: Challenge,
  { code: sent, now, config }: ChallengeInput,
): Promise<boolean> {
  const code = sent.trim()
  if (challenge.method === "totp") return spendAuthenticatorCode(tx, config, challenge.accountId, code, now)
  const hash = await hashOf({ sql: tx, config }, challenge.id, code)
  return challenge.codeHash !== null && timingSafeEqual(challenge.codeHash, hash)
}

/** Bound to its challenge and keyed, so that a copy of the database does not give the six digits away. */
function hashOf(sealing: Sealing, id: string, code: string): Promise<Buffer> {
  return keyedHash(sealing, `sign-in-code:${id}`, code)
}

export async function removeOldChallenges(sql: Sql): Promise<void> {
  await sql`delete from sign_in_challenges where expires_at < now() - interval '1 day'`
}
