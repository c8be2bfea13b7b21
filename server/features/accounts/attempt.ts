import type { Sql } from "#core/database.ts"
import { coreErrors } from "#core/errors.ts"
import { passwordMatches } from "#core/passwords.ts"
import { policyOfAccount } from "../password-policies/index.ts"
import { type AccountRow, findAccount, normalizeEmail, touchMemberships } from "./accounts.ts"

export interface Attempt {
  account: AccountRow | undefined
  isRight: boolean
}

const mostWaiting = 20
const queues = new Map<string, { last: Promise<unknown>; waiting: number }>()

/**
 * Compares a password and counts towards the lock. Every attempt is counted before the password is looked
 * at, and the attempts on one e-mail take turns, so that a thousand guesses at once are no more guesses than
 * one after the other. A locked or unknown account costs the same work. After a right password the count is
 * what it was before; `forgiveFailures` ends it once the sign-in is complete.
 */
export async function attemptPassword(sql: Sql, email: string, password: string): Promise<Attempt> {
  const key = normalizeEmail(email)
  return inTurn(key, async () => {
    const account = await findAccount(sql, { email: key })
    const policy = await policyOfAccount(sql, account?.id ?? "")
    const counted = await sql<{ failedAttempts: number }[]>`
      update accounts set
        failed_attempts = case when locked_until <= now() then 1 else failed_attempts + 1 end,
        locked_until = case when locked_until <= now() then null else locked_until end
      where id = ${account?.id ?? ""} and (locked_until is null or locked_until <= now())
      returning failed_attempts`
    const attempts = counted[0]?.failedAttempts
    const mayCompare = attempts !== undefined && attempts <= policy.accountLockout
    const isRight = await passwordMatches(mayCompare ? account?.passwordHash : undefined, password)
    if (isRight)
      await sql`
        update accounts set failed_attempts = greatest(failed_attempts - 1, 0) where id = ${account?.id ?? ""}`
    else await lockWhenDue(sql, account?.id ?? "", policy)
    return { account, isRight }
  })
}

/** Locks an account whose failures reached its policy's limit. */
async function lockWhenDue(
  sql: Sql,
  accountId: string,
  policy: { accountLockout: number; accountLockoutDuration: number },
): Promise<void> {
  const until =
    policy.accountLockoutDuration < 0
      ? sql`'9999-12-31T00:00:00Z'::timestamptz`
      : sql`now() + make_interval(mins => ${policy.accountLockoutDuration})`
  const locked = await sql`
    update accounts set locked_until = ${until}
    where id = ${accountId} and failed_attempts >= ${policy.accountLockout}
      and (locked_until is null or locked_until <= now()) returning 1`
  if (locked.length > 0) await touchMemberships(sql, accountId)
}

/** Counts a wrong one-time code like a wrong password: codes cannot be guessed on for ever either. */
export async function countFailure(sql: Sql, accountId: string): Promise<void> {
  await sql`
    update accounts set failed_attempts = failed_attempts + 1
    where id = ${accountId} and (locked_until is null or locked_until <= now())`
  await lockWhenDue(sql, accountId, await policyOfAccount(sql, accountId))
}

/** The person is in: earlier failures no longer count. */
export async function forgiveFailures(sql: Sql, accountId: string): Promise<void> {
  await sql`
    with freed as (
      update accounts set failed_attempts = 0, locked_until = null
      where id = ${accountId} and (failed_attempts > 0 or locked_until is not null) returning id
    )
    update users set updated_time = now() from freed where users.account_id = freed.id`
}

async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(key) ?? { last: Promise.resolve(), waiting: 0 }
  if (queue.waiting >= mostWaiting) throw coreErrors.tooManyRequests({ headers: { "retry-after": "5" } })
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
