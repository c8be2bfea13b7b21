import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, type Sql, type Tx } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import { isDeviceNumber, type ProtocolName } from "#packages/tracker-protocols/index.ts"
import { toT1 } from "#shared/wire-time.ts"
import { findMember, findMembersById, type Member } from "../positions/index.ts"
import { trackerErrors } from "./errors.ts"
import {
  deleteTracker,
  insertTracker,
  listTrackers,
  lockTracker,
  type TrackerRow,
  updateTracker,
} from "./queries.ts"

export interface TrackerSettings {
  name: string
  protocol: ProtocolName
  userId: string
}

interface Change {
  caller: Caller
  address: string
  now: Temporal.Instant
}

export async function registerTracker(
  sql: Sql,
  { caller, address, now }: Change,
  { imei: written, ...settings }: TrackerSettings & { imei: string },
) {
  const imei = written.replace(/[\s-]/g, "")
  if (!isDeviceNumber(imei)) throw trackerErrors.badNumber()
  return inTransaction(sql, async (tx) => {
    const person = await activeMember(tx, caller, settings.userId)
    const { organizationNumber } = caller
    const tracker = {
      id: newId<"tracker">(),
      organizationNumber,
      imei,
      ...settings,
      name: settings.name.trim(),
      userId: person.userId,
      createdBy: caller.email,
      now,
    }
    if (!(await insertTracker(tx, caller, tracker))) throw trackerErrors.taken()
    await audit(tx, actorOf(caller, address), {
      action: "tracker.create",
      targetType: "tracker",
      targetId: tracker.id,
      targetName: imei,
      after: { name: tracker.name, protocol: tracker.protocol, email: person.email },
    })
    return wireById(tx, caller, tracker.id)
  })
}

export async function changeTracker(
  sql: Sql,
  { caller, address }: Change,
  trackerId: string,
  settings: TrackerSettings,
) {
  return inTransaction(sql, async (tx) => {
    const before = await lockTracker(tx, caller, trackerId)
    if (!before) throw trackerErrors.notFound()
    const person = await activeMember(tx, caller, settings.userId)
    const after = { ...settings, name: settings.name.trim(), userId: person.userId }
    await updateTracker(tx, caller, before.id, after)
    await audit(tx, actorOf(caller, address), {
      action: "tracker.update",
      targetType: "tracker",
      targetId: before.id,
      targetName: before.imei,
      before: { name: before.name, protocol: before.protocol, userId: before.userId },
      after,
    })
    return wireById(tx, caller, before.id)
  })
}

export async function removeTracker(sql: Sql, { caller, address }: Change, trackerId: string): Promise<void> {
  await inTransaction(sql, async (tx) => {
    const row = await lockTracker(tx, caller, trackerId)
    if (!row) throw trackerErrors.notFound()
    await deleteTracker(tx, caller, row.id)
    await audit(tx, actorOf(caller, address), {
      action: "tracker.delete",
      targetType: "tracker",
      targetId: row.id,
      targetName: row.imei,
      before: { name: row.name },
    })
  })
}

async function activeMember(tx: Tx, caller: Caller, userId: string): Promise<Member> {
  const person = await findMember(tx, caller, userId)
  if (!person?.isActive) throw trackerErrors.badPerson()
  return person
}

async function wireById(tx: Tx, caller: Caller, trackerId: string) {
  const row = await lockTracker(tx, caller, trackerId)
  if (!row) throw trackerErrors.notFound()
  const [person] = await findMembersById(tx, caller, [row.userId])
  return toWireTracker(row, person)
}

export async function listWireTrackers(sql: Sql, caller: Caller, userId: string | undefined) {
  const rows = await listTrackers(sql, caller, userId)
  const people = await findMembersById(sql, caller, [...new Set(rows.map((row) => row.userId))])
  const byId = new Map<string, Member>(people.map((person) => [person.userId, person]))
  return rows.map((row) => toWireTracker(row, byId.get(row.userId)))
}

function toWireTracker(row: TrackerRow, person: Member | undefined) {
  return {
    _id: row.id,
    imei: row.imei,
    protocol: row.protocol,
    name: row.name,
    userId: row.userId,
    email: person?.email ?? "",
    userName: person?.name ?? "",
    createdBy: row.createdBy,
    createdTime: toT1(row.createdTime),
    lastContactTime: row.lastContactAt ? toT1(row.lastContactAt) : null,
    lastAddress: row.lastAddress,
    lastRefusal: row.lastRefusal,
    attributes: row.attributes,
    messageCount: row.messages,
  }
}
