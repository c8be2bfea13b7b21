import { type Static, Type } from "typebox"
import type { Caller } from "../access/caller.ts"
import { hasHub, isInTeams } from "../access/caller.ts"
import type { Pool, Sql } from "../database/database.ts"
import type { BoundEventListener, DomainEventListener } from "../domain-events.ts"
import { newId } from "../ids.ts"
import type { Log } from "../telemetry/log.ts"
import { permissionOfEvent } from "./live-event-types.ts"
import { type SeenPerson, type WantedPeople, type WatchedPeople, wantedPeople } from "./watched-people.ts"

/**
 * Live events. A change writes a row to `live_events` in its own transaction; after the commit the node
 * wakes all nodes with one coalesced NOTIFY that carries no content; each node then reads what is new and
 * hands it to its connected readers. The table is the truth: a lost wake-up only costs a poll interval.
 *
 * A cursor is PostgreSQL's snapshot of the moment (`xmin:xmax:` and the transactions then running): what
 * is visible now and was not visible in it is new. That is exact however long a transaction ran, where a
 * sequence number would skip what commits late.
 */
export interface LiveEvent {
  id: string
  organizationId: string
  type: string
  hubId: string | null
  /** Several hubs, one of which is enough; for what is about a person. None: no hub confines it. */
  hubIds?: readonly string[]
  /** Teams of the people: readers in teams only receive it if they share one. None: no team confines it. */
  teamIds?: readonly string[] | null
  /** E-mail of the member who receives it whatever their permissions, because it is about this member. */
  owner?: string | null
  /** Members whom the event is about, for those who only see their own. Null: everybody who may. */
  emails: string[] | null
  /** Of a position: readers may have limited whose they want. */
  person?: SeenPerson
  content: unknown
}

export const LiveEventSchema = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    hubId: Type.Union([Type.String(), Type.Null()]),
    content: Type.Unknown(),
  },
  { title: "LiveEvent" },
)
export type WireLiveEvent = Static<typeof LiveEventSchema>

export interface LiveReader {
  caller: Caller
  /** Whose positions it wants; undefined: everybody's. */
  people?: WatchedPeople | undefined
  /** Returns false when the reader is too slow and was dropped. */
  deliver(events: readonly LiveEvent[], cursor: string): boolean
}

/**
 * Something else than the event table that reports what changed: newest positions. What the cursor's snapshot did not show
 * is new. It may show more than the next cursor does: repeats are dropped by id, so an id must change with what it reports.
 */
export type LiveSource = (wanted: WantedPeople, cursor: string) => Promise<LiveEvent[]>

export interface LiveEvents {
  /** Run by `emit` in the transaction of each domain event. */
  readonly listeners: readonly BoundEventListener[]
  /** Says that something was committed that readers may want; nodes look within `coalesceMilliseconds`. */
  wake(): void
  /** Registers a reader. Events after its cursor are delivered first, when it has one. */
  connect(reader: LiveReader, cursor: string | undefined): Promise<() => void>
  addSource(source: LiveSource): void
  /** Up to where every reader has received what it wants. */
  cursor(): string | undefined
  readerCount(): number
  start(): Promise<void>
  close(): Promise<void>
}

const channel = "fieldway_live"
export const coalesceMilliseconds = 40
const pollMilliseconds = 2_000

export function createLiveEvents(sql: Pool, log: Log, listeners: readonly DomainEventListener[]): LiveEvents {
  const readers = new Map<string, Set<LiveReader>>()
  /** What comes while readers are still to receive what they missed. */
  const held = new Map<LiveReader, Batch[]>()
  const sources: LiveSource[] = []
  let cursor: string | undefined
  let seen = new Set<string>()
  let isReading = false
  let isDue = false
  let notifyTimer: NodeJS.Timeout | undefined
  let pollTimer: NodeJS.Timeout | undefined
  let listening: { unlisten(): Promise<void> } | undefined
  let isClosed = false

  const read = async (): Promise<void> => {
    if (isReading) {
      isDue = true
      return
    }
    isReading = true
    try {
      do {
        isDue = false
        await readOnce()
      } while (isDue && !isClosed)
    } catch (error) {
      if (!isClosed) log.warn({ reason: String(error) }, "live events could not be read")
    } finally {
      isReading = false
    }
  }

  const readOnce = async (): Promise<void> => {
    const next = await currentSnapshot(sql)
    const from = cursor ?? next
    if (readers.size > 0) {
      const [events, ...others] = await readSince(readers, from, next)
      const found = others.flat()
      const fresh = found.filter((event) => !seen.has(event.id))
      seen = new Set(found.map((event) => event.id))
      dispatch([...(events ?? []), ...fresh], next)
    }
    cursor = next
  }

  const readSince = (
    groups: ReadonlyMap<string, Iterable<LiveReader>>,
    from: string,
    next: string,
  ): Promise<LiveEvent[][]> => {
    const wanted = wantedPeople(groups)
    const hasTeams = [...groups.values()].some((group) => [...group].some(({ caller }) => isInTeams(caller)))
    return Promise.all([
      readEvents(sql, [...groups.keys()], { from, next, hasTeams }),
      ...sources.map((source) => source(wanted, from)),
    ])
  }

  const dispatch = (events: readonly LiveEvent[], at: string): void => {
    if (events.length === 0) return
    for (const [organizationId, group] of readers) {
      const own = events.filter((event) => event.organizationId === organizationId)
      if (own.length === 0) continue
      const sights = new Map<string, readonly LiveEvent[]>()
      for (const reader of [...group]) {
        const sight = sightOf(reader.caller)
        const visible = sights.get(sight) ?? visibleTo(reader.caller, own)
        sights.set(sight, visible)
        const waiting = held.get(reader)
        if (waiting) waiting.push({ events: visible, at })
        else if (!deliverTo(reader, { events: visible, at })) group.delete(reader)
      }
    }
  }

  return {
    listeners: listeners.map(
      (listener) =>
        (...change) =>
          listener(...change, sql),
    ),
    addSource: (source) => {
      sources.push(source)
    },
    cursor: () => cursor,
    wake() {
      if (notifyTimer || isClosed) return
      notifyTimer = setTimeout(() => {
        notifyTimer = undefined
        sql`select pg_notify(${channel}, '')`.catch(() => undefined)
      }, coalesceMilliseconds)
    },
    async connect(reader, from) {
      const { organizationId } = reader.caller
      const group = readers.get(organizationId) ?? new Set()
      readers.set(organizationId, group)
      const leave = () => {
        group.delete(reader)
        if (group.size === 0 && readers.get(organizationId) === group) readers.delete(organizationId)
      }
      const later: Batch[] = []
      held.set(reader, later)
      // Before the snapshot: what is read after it must not pass by the reader, and the group must not be given up meanwhile.
      group.add(reader)
      try {
        const start = await currentSnapshot(sql)
        const own = new Map([[organizationId, [reader]]])
        const missed = from === undefined ? [] : (await readSince(own, from, start)).flat()
        reader.deliver(wantedOf(reader, visibleTo(reader.caller, missed)), start)
      } catch (error) {
        leave()
        throw error
      } finally {
        held.delete(reader)
      }
      if (!later.every((batch) => deliverTo(reader, batch))) group.delete(reader)
      return leave
    },
    readerCount: () => [...readers.values()].reduce((sum, group) => sum + group.size, 0),
    async start() {
      listening = await sql.listen(
        channel,
        () => void read(),
        () => void read(),
      )
      pollTimer = setInterval(() => void read(), pollMilliseconds)
      pollTimer.unref()
    },
    async close() {
      isClosed = true
      clearTimeout(notifyTimer)
      clearInterval(pollTimer)
      await listening?.unlisten().catch(() => undefined)
    },
  }
}

/** What `GET /events` takes as a cursor. */
export const cursorPattern = "^\\d{1,20}:\\d{1,20}:[\\d,]{0,4000}$"

/** The cursor of this moment. Read it before a first list, and nothing falls between the list and the stream. */
export async function currentSnapshot(sql: Sql): Promise<string> {
  const rows = await sql<{ snapshot: string }[]>`select pg_current_snapshot()::text as snapshot`
  return rows[0]?.snapshot ?? "1:1:"
}

/** The oldest transaction that a snapshot may not show. */
export const horizonOf = (snapshot: string): string => snapshot.split(":")[0] ?? "0"

const replayLimit = 10_000

/**
 * Events that the later snapshot shows and the earlier one did not; where a reader is in teams, with the teams of the people
 * whom they are about, unless one of these is in none.
 */
async function readEvents(
  sql: Pool,
  organizationIds: readonly string[],
  { from, next, hasTeams }: { from: string; next: string; hasTeams: boolean },
): Promise<LiveEvent[]> {
  const teamIds = sql`(
    select case when count(*) = count(mine.team_id) then array_agg(distinct mine.team_id) end
    from users
    left join user_teams mine on mine.organization_id = users.organization_id and mine.user_id = users.id
    where users.organization_id = live_events.organization_id and users.email = any (live_events.emails))`
  const events = await sql<LiveEvent[]>`
    select id, organization_id, type, hub_id, emails, owner, content, ${hasTeams ? teamIds : sql`null`} as team_ids
    from live_events
    where xid >= ${horizonOf(from)}::xid8 and organization_id = any (${organizationIds as string[]})
      and not pg_visible_in_snapshot(xid, ${from}::pg_snapshot) and pg_visible_in_snapshot(xid, ${next}::pg_snapshot)
    order by xid, id limit ${replayLimit}`
  if (events.length < replayLimit) return events
  return organizationIds.map((organizationId) => ({
    id: newId(),
    organizationId,
    type: "stream.overflow",
    hubId: null,
    emails: null,
    content: {},
  }))
}

/** Events that a reader may see, and the cursor after them. */
interface Batch {
  events: readonly LiveEvent[]
  at: string
}

/** Returns false when the reader is too slow and was dropped. */
function deliverTo(reader: LiveReader, { events, at }: Batch): boolean {
  const wanted = wantedOf(reader, events)
  return wanted.length === 0 || reader.deliver(wanted, at)
}

/** What is left of events for a reader that limits whose positions it wants; the very list for all others. */
function wantedOf({ people }: LiveReader, events: readonly LiveEvent[]): readonly LiveEvent[] {
  return people ? events.filter(({ person }) => !person || people.carries(person)) : events
}

/** Who sees everything gets the very list, so that it is written out once for all such readers. */
function visibleTo(caller: Caller, events: readonly LiveEvent[]): readonly LiveEvent[] {
  const visible = events.filter((event) => maySee(caller, event))
  return visible.length === events.length ? events : visible
}

const sightKeys = new WeakMap<Caller, string>()

/** Everything of a caller that `maySee` asks: callers with the same text see the same. */
function sightOf(caller: Caller): string {
  const known = sightKeys.get(caller)
  if (known !== undefined) return known
  const hubs = caller.hubs === "all" ? "all" : [...caller.hubs].sort().join(" ")
  const key = JSON.stringify([
    caller.email,
    hubs,
    [...caller.teamIds].sort(),
    caller.tokenScopes !== null,
    [...caller.permissions].sort(),
  ])
  sightKeys.set(caller, key)
  return key
}

/** Tenancy was applied by the query; hub, team, permission and "only mine" are checked where the event leaves. */
function maySee(caller: Caller, event: LiveEvent): boolean {
  // A scoped token receives what its scopes name, not what its owner receives because of who they are.
  const isScoped = caller.tokenScopes !== null
  if (event.owner === caller.email && !isScoped) return true
  const permission = permissionOfEvent(event.type)
  if (permission === "owner") return false
  if (permission ? !caller.permissions.has(permission) : isScoped && event.type !== "stream.overflow")
    return false
  if (event.hubId !== null && !hasHub(caller, event.hubId)) return false
  if (event.hubIds?.length && !event.hubIds.some((hubId) => hasHub(caller, hubId))) return false
  if (
    isInTeams(caller) &&
    event.teamIds?.length &&
    !event.teamIds.some((id) => (caller.teamIds as readonly string[]).includes(id))
  )
    return false
  if (caller.permissions.has("view/task/only-me") && event.emails !== null)
    return event.emails.includes(caller.email)
  return true
}
