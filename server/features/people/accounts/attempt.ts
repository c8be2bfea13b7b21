import type { Sql, Tx } from "#core/database/database.ts"
import { coreErrors } from "#core/errors.ts"
import { passwordMatches } from "#core/security/passwords.ts"
import { policyOfAccount } from "../password-policies/index.ts"
import { type AccountRow, findAccount, normalizeEmail, touchMemberships } from "./accounts.ts"
import { clearFailures, findSource, type Origin, type SignInSource } from "./sign-in-sources.ts"

export interface Attempt {
  account: AccountRow | undefined
  source: SignInSource
  isRight: boolean
}

type LockPolicy = Awaited<ReturnType<typeof policyOfAccount>>

const maxWaiting = 20
const queues = new Map<string, { last: Promise<unknown>; waiting: number }>()

/**
 * All unknown places together get this many times the policy's attempts before the account is closed to them: one
 * stranger's place locks alone, and guessing from many places is slowed down all the same.
 */
const brakeFactor = 4

/** Who tries, and from where. The same work is done for an unknown e-mail. */
export async function findAttempt(
  sql: Sql,
  email: string,
  origin: Origin,
): Promise<{ account: AccountRow | undefined; source: SignInSource }> {
  const account = await findAccount(sql, { email: normalizeEmail(email) })
  return { account, source: await findSource(sql, account?.id, origin) }
}

/**
 * Compares a password and counts towards the lock. Every attempt is counted before the password is looked
 * at, and the attempts on one e-mail from one place take turns, so that a thousand guesses at once are no more
 * guesses than one after the other. A locked or unknown account costs the same work. After a right password the
 * count is what it was before; `welcome` ends it once the sign-in is complete.
 */
export async function attemptPassword(
  sql: Sql,
  { email, account, source }: { email: string; account: AccountRow | undefined; source: SignInSource },
  password: string,
): Promise<boolean> {
  return inTurn(`${normalizeEmail(email)} ${source.key}`, async () => {
    const accountId = account?.id ?? ""
    const policy = await policyOfAccount(sql, accountId)
    const mayCompare = await countAttempt(sql, accountId, source, policy)
    const isRight = await passwordMatches(mayCompare ? account?.passwordHash : undefined, password)
    if (isRight) await uncountAttempt(sql, accountId, source)
    else await lockWhenDue(sql, accountId, source, policy)
    return isRight
  })
}

/** Counts an attempt where it comes from and, from an unknown place, on the account. False when either is used up. */
async function countAttempt(
  sql: Sql,
  accountId: string,
  { key, isKnown }: SignInSource,
  { accountLockout }: LockPolicy,
): Promise<boolean> {
  const counted = await sql`
    insert into sign_in_sources as s (account_id, source, failed_attempts)
    select id, ${key}, 1 from accounts
    where id = ${accountId} and (${isKnown} or locked_until is null or locked_until <= now())
    on conflict (account_id, source) do update set
      failed_attempts = case when ${isOver(sql, sql`s`)} then 1 else s.failed_attempts + 1 end,
      locked_until = null, failed_time = now()
    where (s.locked_until is null or s.locked_until <= now())
      and (s.failed_attempts < ${accountLockout} or ${isOver(sql, sql`s`)})
    returning 1`
  if (counted.length === 0) return false
  if (isKnown) return true
  const total = await sql`
    update accounts set
      failed_attempts = case when ${isOver(sql, sql`accounts`)} then 1 else failed_attempts + 1 end,
      locked_until = null, failed_time = now()
    where id = ${accountId} and (locked_until is null or locked_until <= now())
      and (failed_attempts < ${accountLockout * brakeFactor} or ${isOver(sql, sql`accounts`)})
    returning 1`
  return total.length > 0
}

/** After a lock, and after a day without failures, counting restarts. */
function isOver(sql: Sql, row: ReturnType<Sql>) {
  return sql`coalesce(${row}.locked_until <= now() or ${row}.failed_time < now() - interval '1 day', false)`
}

async function uncountAttempt(sql: Sql, accountId: string, { key, isKnown }: SignInSource): Promise<void> {
  await sql`
    update sign_in_sources set failed_attempts = greatest(failed_attempts - 1, 0)
    where account_id = ${accountId} and source = ${key}`
  if (!isKnown)
    await sql`
      update accounts set failed_attempts = greatest(failed_attempts - 1, 0) where id = ${accountId}`
}

/** Locks the place, or the account for unknown places, whose failures reached the policy's limit. */
async function lockWhenDue(
  sql: Sql,
  accountId: string,
  { key }: SignInSource,
  { accountLockout, accountLockoutDuration }: LockPolicy,
): Promise<void> {
  const until =
    accountLockoutDuration < 0
      ? sql`'9999-12-31T00:00:00Z'::timestamptz`
      : sql`now() + make_interval(mins => ${accountLockoutDuration})`
  const place = await sql`
    update sign_in_sources set locked_until = ${until}
    where account_id = ${accountId} and source = ${key} and failed_attempts >= ${accountLockout}
      and (locked_until is null or locked_until <= now()) returning 1`
  const everywhere = await sql`
    update accounts set locked_until = ${until}
    where id = ${accountId} and failed_attempts >= ${accountLockout * brakeFactor}
      and (locked_until is null or locked_until <= now()) returning 1`
  if (place.length + everywhere.length > 0) await touchMemberships(sql, accountId)
}

/** Counts a wrong one-time code like a wrong password, which limits guesses of codes too. */
export async function countFailure(sql: Sql, accountId: string, source: SignInSource): Promise<void> {
  const policy = await policyOfAccount(sql, accountId)
  await countAttempt(sql, accountId, source, policy)
  await lockWhenDue(sql, accountId, source, policy)
}

/** Whether nothing is accepted from there now. */
export async function isLockedFor(sql: Sql, accountId: string, source: SignInSource): Promise<boolean> {
  const rows = await sql`
    select 1 from sign_in_sources where account_id = ${accountId} and source = ${source.key} and locked_until > now()
    union all
    select 1 from accounts where id = ${accountId} and not ${source.isKnown}::boolean and locked_until > now()`
  return rows.length > 0
}

/** Ends the lock everywhere: earlier failures no longer count. */
export async function forgiveFailures(tx: Tx, accountId: string): Promise<void> {
  await clearFailures(tx, accountId, false)
  await touchMemberships(tx, accountId)
}

async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(key) ?? { last: Promise.resolve(), waiting: 0 }
  if (queue.waiting >= maxWaiting) throw coreErrors.tooManyRequests({ headers: { "retry-after": "5" } })
  queues.set(key, queue)
  queue.waiting += 1
  const turn = queue.last.then(work)
  queue.last = turn.catch(() => undefined)
  try {
    return await turn
  } finally {
    queue.waiting -= 1
    if (queue.waiting === 0) queues.delete(key)
  }
}
