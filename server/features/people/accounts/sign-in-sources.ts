import { createHash, randomBytes } from "node:crypto"
import type { Fragment, Sql, Tx } from "#core/database/database.ts"

/** How a request shows where it comes from. */
export interface Origin {
  address: string
  cookies: Readonly<Record<string, string | undefined>>
  /** Whether it is the console, whose browsers are known by a cookie; other clients by their address. */
  isConsole: boolean
}

/** Where an attempt comes from. Failures are counted per account and source. */
export interface SignInSource {
  key: string
  /** The person signed in from there before: no failure elsewhere counts against it. */
  isKnown: boolean
}

/** A cookie that makes this browser known for an account. */
export interface BrowserCookie {
  name: string
  value: string
  maxAge: number
}

const knownDays = 90
const maxKnown = 20

/** The network of an address: IPv6 clients choose among 2^64 addresses of their own. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1]) return mapped[1]
  if (!address.includes(":")) return address
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? []
  const groups = head === "" ? [] : head.split(":")
  const rest = tail ? tail.split(":") : []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length)
  const all = [...groups, ...Array.from({ length: zeros }, () => "0"), ...rest]
  return `${all.slice(0, 4).join(":")}::/64`
}

/** A signed-in session that asks for the password again: a stranger's failures do not concern it. */
export function sessionSource(tokenId: string): SignInSource {
  return { key: `session:${tokenId}`, isKnown: true }
}

/** The source of a request; without an account the same work is done for nothing. */
export async function findSource(
  sql: Sql,
  accountId: string | undefined,
  origin: Origin,
): Promise<SignInSource> {
  const address = `address:${networkOf(origin.address)}`
  const cookie = origin.cookies[cookieName(accountId ?? "")]
  const browser = cookie ? browserKey(cookie) : address
  const rows = await sql<{ source: string }[]>`
    select source from sign_in_sources
    where account_id = ${accountId ?? ""} and source = any (${[address, browser]}) and known_until > now()`
  const known = rows.map(({ source }) => source)
  if (browser !== address && known.includes(browser)) return { key: browser, isKnown: true }
  return { key: address, isKnown: known.includes(address) }
}

/**
 * The person is in: earlier failures from there no longer count, and the place is known from now on. A console's
 * browser gets a cookie of its own for each account.
 */
export async function welcome(
  tx: Tx,
  accountId: string,
  source: SignInSource,
  origin: Origin,
): Promise<BrowserCookie | undefined> {
  const cleared = await tx<{ failures: number }[]>`
    with before as (
      select failed_attempts as failures from sign_in_sources
      where account_id = ${accountId} and source = ${source.key} for update
    ), cleared as (
      update sign_in_sources set failed_attempts = 0, locked_until = null
      where account_id = ${accountId} and source = ${source.key})
    select failures from before`
  const failures = cleared[0]?.failures ?? 0
  if (!source.isKnown && failures > 0)
    await tx`
      update accounts set failed_attempts = greatest(failed_attempts - ${failures}, 0) where id = ${accountId}`
  if (!origin.isConsole) {
    await makeKnown(tx, accountId, `address:${networkOf(origin.address)}`)
    return undefined
  }
  const name = cookieName(accountId)
  const sent = origin.cookies[name]
  const value = sent && browserKey(sent) === source.key ? sent : randomBytes(32).toString("base64url")
  await makeKnown(tx, accountId, browserKey(value))
  return { name, value, maxAge: knownDays * 86_400 }
}

async function makeKnown(tx: Tx, accountId: string, source: string): Promise<void> {
  await tx`
    insert into sign_in_sources (account_id, source, known_until)
    values (${accountId}, ${source}, now() + make_interval(days => ${knownDays}))
    on conflict (account_id, source) do update set known_until = excluded.known_until`
  await tx`
    update sign_in_sources set known_until = null
    where account_id = ${accountId} and source in (
      select source from sign_in_sources where account_id = ${accountId} and known_until is not null
      order by known_until desc, source = ${source} desc offset ${maxKnown})`
}

/** The latest end of any lock of an account; null without one. */
export function lockedUntil(sql: Sql): Fragment {
  return sql`nullif(greatest(accounts.locked_until, (
    select max(locked.locked_until) from sign_in_sources locked where locked.account_id = accounts.id), now()), now())`
}

/** The most failures that were counted in one place, or in all unknown places together. */
export function failureCount(sql: Sql): Fragment {
  return sql`greatest(accounts.failed_attempts, (
    select max(failed.failed_attempts) from sign_in_sources failed where failed.account_id = accounts.id))`
}

/** Ends all locks; with `isForgotten` no place is known any more either. */
export async function clearFailures(tx: Tx, accountId: string, isForgotten: boolean): Promise<void> {
  await tx`update accounts set failed_attempts = 0, locked_until = null where id = ${accountId}`
  await tx`
    delete from sign_in_sources
    where account_id = ${accountId} and (${isForgotten} or known_until is null or known_until <= now())`
  await tx`
    update sign_in_sources set failed_attempts = 0, locked_until = null where account_id = ${accountId}`
}

export async function removeOldSources(sql: Sql): Promise<void> {
  await sql`
    delete from sign_in_sources
    where (known_until is null or known_until < now()) and (locked_until is null or locked_until < now())
      and failed_time < now() - interval '1 day'`
}

function cookieName(accountId: string): string {
  return `fieldway_browser_${createHash("sha256").update(accountId).digest("hex").slice(0, 12)}`
}

function browserKey(cookie: string): string {
  return `browser:${createHash("sha256").update(cookie).digest("hex")}`
}
