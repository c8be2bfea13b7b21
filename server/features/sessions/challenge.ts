import { createHash, randomInt, timingSafeEqual } from "node:crypto"
import { inTransaction, type Pool, type Sql, type Tx } from "#core/database.ts"
import { newId } from "#core/ids.ts"
import {
  type AccountRow,
  countFailure,
  findAccount,
  forgiveFailures,
  markVerified,
  spendAuthenticatorCode,
} from "../accounts/index.ts"
import { queueMail } from "../mails/index.ts"
import { sessionErrors } from "./errors.ts"
import { type Membership, openSession, roleDemands, type Session } from "./session.ts"

const minutes = 10
const mostTries = 5
const mostSends = 4

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
  if (method === "email") await sendCode(tx, { ...membership, id }, email)
  return id
}

async function sendCode(tx: Tx, challenge: Membership & { id: string }, email: string): Promise<void> {
  const code = String(randomInt(1_000_000)).padStart(6, "0")
  await tx`
    update sign_in_challenges set code_hash = ${hashOf(challenge.id, code)}
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
export async function resendCode(tx: Tx, id: string): Promise<void> {
  const rows = await tx<Challenge[]>`
    update sign_in_challenges c set sends = sends + 1 from users
    where c.id = ${id.toLowerCase()} and c.expires_at > now() and c.method = 'email'
      and c.sends < ${mostSends} and c.tries < ${mostTries}
      and users.organization_id = c.organization_id and users.id = c.user_id
    returning c.organization_id, c.id, c.user_id, users.email`
  const challenge = rows[0]
  if (!challenge) throw sessionErrors.notSent()
  await sendCode(tx, challenge, challenge.email)
}

/**
 * Finishes a sign-in with its code. Each try is counted before the code is looked at, five at most, and a
 * wrong code counts towards the account's lock like a wrong password.
 */
export async function answerChallenge(
  sql: Pool,
  wish: { id: string; code: string; now: Temporal.Instant },
): Promise<{ session: Session; email: string }> {
  const counted = await sql<Challenge[]>`
    update sign_in_challenges c set tries = tries + 1 from users
    where c.id = ${wish.id.toLowerCase()} and c.expires_at > now() and c.tries < ${mostTries}
      and users.organization_id = c.organization_id and users.id = c.user_id
    returning c.organization_id, c.id, c.user_id, c.method, c.sign_in, c.code_hash, users.account_id, users.email`
  const challenge = counted[0]
  if (!challenge) throw sessionErrors.wrongCode()
  const session = await inTransaction(sql, (tx) => finish(tx, challenge, wish))
  if (session) return { session, email: challenge.email }
  await countFailure(sql, challenge.accountId)
  throw sessionErrors.wrongCode()
}

async function finish(
  tx: Tx,
  challenge: Challenge,
  wish: { code: string; now: Temporal.Instant },
): Promise<Session | undefined> {
  const account = await findAccount(tx, { id: challenge.accountId })
  if (!account || account.isLocked || !(await isRight(tx, challenge, wish))) return undefined
  const used = await tx`
    delete from sign_in_challenges
    where organization_id = ${challenge.organizationId} and id = ${challenge.id} returning 1`
  if (used.length === 0) return undefined
  if (challenge.method === "email" && account.passwordSetBy === null) await markVerified(tx, account.id)
  await forgiveFailures(tx, account.id)
  return openSession(tx, challenge, { signIn: challenge.signIn, hasSecondFactor: true })
}

async function isRight(
  tx: Tx,
  challenge: Challenge,
  wish: { code: string; now: Temporal.Instant },
): Promise<boolean> {
  const code = wish.code.trim()
  if (challenge.method === "totp") return spendAuthenticatorCode(tx, challenge.accountId, code, wish.now)
  return challenge.codeHash !== null && timingSafeEqual(challenge.codeHash, hashOf(challenge.id, code))
}

/** Bound to its challenge, so that the hash of a code says nothing about another one. */
function hashOf(id: string, code: string): Buffer {
  return createHash("sha256").update(`${id}:${code}`).digest()
}

export async function removeOldChallenges(sql: Sql): Promise<void> {
  await sql`delete from sign_in_challenges where expires_at < now() - interval '1 day'`
}
