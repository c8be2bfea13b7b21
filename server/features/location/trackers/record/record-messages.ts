import type { Clock } from "#core/clock.ts"
import type { RateLimiter } from "#core/fairness/rate-limit.ts"
import type { ProtocolName, TrackerAttributes, TrackerMessage } from "#packages/tracker-protocols/index.ts"
import {
  type EntryOutcome,
  findMember,
  locationErrors,
  recordEntries,
  retentionDays,
  storeAlarms,
  type WriteContext,
} from "../../positions/index.ts"
import { logMessages, type Tracker, trackerOf } from "../queries.ts"
import { readPosition } from "./read-position.ts"

export interface TrackerContext extends Pick<WriteContext, "pool" | "recorder" | "onPointsStored" | "live"> {
  clock: Clock
  limiter: RateLimiter
  /** Calls per second and organization; positions have ten times as many. 0: unlimited. */
  /** Messages of an organization per second; 0 is no limit. */
  positionRateLimit: number
}

/** Messages of one device that arrived together. */
export interface Contact {
  device: string
  protocol: ProtocolName
  address: string
  messages: readonly TrackerMessage[]
}

/**
 * Stores what a device sent, like the positions of other devices, and resolves after the commit: only then may the messages be
 * acknowledged. `unknown` devices are registered nowhere; of `refused` ones nothing is stored until their registration is
 * corrected. Throws an AppError of 429 or 503 when it should be tried again.
 */
export async function recordMessages(
  context: TrackerContext,
  contact: Contact,
): Promise<"stored" | "unknown" | "refused"> {
  const tracker = await trackerOf(context.pool)(contact.device)
  if (!tracker) return "unknown"
  const person = await findMember(context.pool, tracker, tracker.userId)
  const obstacle = obstacleOf(tracker, contact.protocol, person?.isActive ?? false)
  if (obstacle !== undefined || !person) {
    await log(context, tracker, contact, [], obstacle ?? null)
    return "refused"
  }
  const positions = contact.messages.flatMap((message) => message.positions)
  const outcomes = positions.length > 0 ? await store(context, tracker, person, contact, positions) : []
  await storeAlarmsWithoutFix(context, tracker, person, contact)
  const refusal = outcomes.findLast((outcome) => !outcome.ok)
  await log(context, tracker, contact, outcomes, refusal?.refusal.message ?? null)
  return "stored"
}

function obstacleOf(tracker: Tracker, protocol: ProtocolName, isActive: boolean): string | undefined {
  if (tracker.protocol !== protocol)
    return `The device is registered for ${tracker.protocol} but sends on the port of ${protocol}`
  return isActive ? undefined : "The person of this device is not active"
}

async function store(
  context: TrackerContext,
  tracker: Tracker,
  person: { number: number; userId: string; email: string },
  { protocol }: Contact,
  positions: readonly TrackerMessage["positions"][number][],
): Promise<EntryOutcome[]> {
  const { limiter, positionRateLimit } = context
  const limited = positionRateLimit > 0
  if (limited && (await limiter.takeOne(`positions:${tracker.organizationId}`, positionRateLimit)) < 0)
    throw locationErrors.overloaded()
  const now = context.clock.now()
  const retention = {
    now: now.epochMilliseconds,
    retentionDays: await retentionDays(context.pool, tracker),
  }
  const writer = {
    organizationId: tracker.organizationId,
    organizationNumber: tracker.organizationNumber,
    self: { number: person.number, userId: person.userId, email: person.email },
    mayWriteOthers: false,
  }
  const { pool, recorder, onPointsStored, live } = context
  return recordEntries(
    { pool, sql: pool, recorder, onPointsStored, live, now },
    writer,
    positions.map((position) => readPosition(position, protocol, retention)),
  )
}

/** An SOS from a garage has no position; it counts from when it arrives. */
async function storeAlarmsWithoutFix(
  { pool, clock, onPointsStored }: TrackerContext,
  tracker: Tracker,
  { userId }: { userId: string },
  { messages }: Contact,
): Promise<void> {
  const now = clock.now()
  const alarms = messages.flatMap(({ positions, attributes: { alarm } }) =>
    alarm && positions.length === 0
      ? [{ userId, alarm, recordedAt: now.epochMilliseconds, lat: null, lng: null }]
      : [],
  )
  if (alarms.length === 0) return
  await storeAlarms(pool, tracker, alarms, now)
  onPointsStored(pool, tracker.organizationId)
}

async function log(
  context: TrackerContext,
  tracker: Tracker,
  { address, messages }: Contact,
  outcomes: readonly EntryOutcome[],
  refusal: string | null,
): Promise<void> {
  const now = context.clock.now()
  let place = 0
  const logged = messages.map((message) => {
    const own = outcomes.slice(place, place + message.positions.length)
    place += message.positions.length
    const stored = own.filter((outcome) => outcome.ok).length
    return {
      kind: message.kind,
      frame: message.frame,
      positions: stored,
      note: noteOf(message, own, refusal),
    }
  })
  await logMessages(
    context.pool,
    tracker,
    { address, now, attributes: lastAttributes(messages), refusal },
    logged,
  )
}

/** Why something of a message was not stored. */
function noteOf(
  message: TrackerMessage,
  outcomes: readonly EntryOutcome[],
  refusal: string | null,
): string | undefined {
  if (message.problem !== undefined) return message.problem
  const refused = outcomes.find((outcome) => !outcome.ok)
  if (refused) return refused.refusal.message
  if (outcomes.length < message.positions.length && refusal !== null) return refusal
  return message.withoutFix > 0 ? `Without position fix: ${message.withoutFix}` : undefined
}

/** Ignition, battery and so on; what belongs to one position only is left out. */
function lastAttributes(messages: readonly TrackerMessage[]): TrackerAttributes {
  const all = messages.map((message) => ({
    ...message.positions.at(-1)?.attributes,
    ...message.attributes,
  }))
  const { alarm: _alarm, satellites: _satellites, hdop: _hdop, ...attributes } = Object.assign({}, ...all)
  return attributes
}
