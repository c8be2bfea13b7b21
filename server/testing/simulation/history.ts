import type { Reply } from "../start-app.ts"
import { type Member, watchedEvents } from "./company.ts"
import type { Step } from "./step.ts"
import { must, mustMatch } from "./violation.ts"

const watched: ReadonlySet<string> = new Set(watchedEvents)

/** An integration that keeps the cursor of the feed and asks on from there, also while calls are under way. */
export class FeedReader {
  readonly #events: string[] = []
  readonly #member: Member
  readonly #rule: string
  #after = ""

  constructor(member: Member, rule: string) {
    this.#member = member
    this.#rule = rule
  }

  /** Reads a few pages. */
  async readOn({ world, random }: Step, pages = 2): Promise<void> {
    for (let page = 0; page < pages; page += 1) {
      const path = `/events/feed?limit=${random.integer(1, 12)}${this.#after && `&after=${this.#after}`}`
      const reply = await world.ask(random, this.#member, (calls) => calls.get(path))
      must(reply.statusCode === 200, "the feed goes on from its cursor", reply.body.slice(0, 200))
      const read = reply.json() as {
        data: { event: string; referenceId: string }[]
        cursor: string | null
        hasMore: boolean
      }
      this.#events.push(...read.data.map(({ event, referenceId }) => `${event} ${referenceId}`))
      this.#after = read.cursor ?? this.#after
      if (!read.hasMore) return
    }
  }

  /** Nothing was missed and nothing came twice. */
  async check(step: Step): Promise<void> {
    await settled(step)
    await this.readOn(step, 1_000)
    mustMatch(
      this.#events.filter((line) => watched.has(line.split(" ")[0] ?? "")),
      step.model.eventsOf(this.#member).map(({ event, taskId }) => `${event} ${taskId}`),
      this.#rule,
    )
  }
}

/** The feed shows what no open transaction can precede, and the tests beside this one have transactions, too. */
async function settled({ world: { sql } }: Pick<Step, "world">): Promise<void> {
  const [now] = await sql<{ xid: string }[]>`select pg_current_xact_id()::text as xid`
  for (let tries = 0; tries < 500; tries += 1) {
    const passed = await sql`
      select where pg_snapshot_xmin(pg_current_snapshot()) > ${now?.xid ?? "0"}::text::xid8`
    if (passed.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** A call that was made under a key, and its response. */
export interface KeptCall {
  person: Member
  path: string
  body: unknown
  headers: Record<string, string>
  reply: Pick<Reply, "statusCode" | "body">
}

/** No transaction is left open, and no connection waits in one. */
export async function checkNothingOpen({ world: { sql } }: Step): Promise<void> {
  let open: { query: string }[] = []
  for (let tries = 0; tries < 300; tries += 1) {
    open = await sql<{ query: string }[]>`
      select left(query, 120) as query from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`
    if (open.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  must(false, "no transaction stays open", open)
}
