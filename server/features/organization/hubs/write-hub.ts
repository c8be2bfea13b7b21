import type { Static } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import type { Tx } from "#core/database/database.ts"
import { databaseErrorOf, inTransaction } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { publish } from "#core/events/publish.ts"
import { type Id, newId } from "#core/ids.ts"
import { readLine } from "#core/plain-text.ts"
import { moveToTrash } from "#core/trash.ts"
import { findOrganization } from "../organizations/index.ts"
import { hubErrors } from "./errors.ts"
import { findHub, type HubRow, visibleHubs } from "./queries.ts"
import type { HubBody } from "./schemas.ts"

type Body = Static<typeof HubBody>

export interface Change {
  live: LiveEvents
  address: string
}

/** Makes the hub that a new organization starts with. */
export async function createFirstHub(
  tx: Tx,
  owner: { organizationId: string; email: string },
  body: Body,
  change: Change,
): Promise<Id<"hub">> {
  check(body)
  const id = newId<"hub">()
  await refuseTakenName(tx, (point) => insertHub(point, owner.organizationId, id, body))
  await audit(
    tx,
    { organizationId: owner.organizationId, email: owner.email, address: change.address },
    { action: "hub.create", targetType: "hub", targetId: id, targetName: body.name },
  )
  return id
}

/** Makes a hub; its creator gets access to it. */
export async function createHub(
  tx: Tx,
  caller: Caller,
  body: Body,
  change: Change & Pick<HubHooks, "joinHubs">,
): Promise<HubRow> {
  check(body)
  await checkCountry(tx, caller, body.countryCode)
  const id = newId<"hub">()
  await refuseTakenName(tx, (point) => insertHub(point, caller.organizationId, id, body))
  await change.joinHubs(tx, caller, [id])
  const hub = await read(tx, { ...caller, hubs: "all" }, id)
  await note(tx, caller, hub, "hub.create", change, undefined, hub)
  return hub
}

/** Replaces name, address and place. */
export async function updateHub(
  tx: Tx,
  caller: Caller,
  hubId: string,
  body: Body,
  change: Change,
): Promise<HubRow> {
  const before = await findHub(tx, caller, hubId)
  if (!before) throw hubErrors.notFound()
  check(body)
  if (body.countryCode !== undefined) await checkCountry(tx, caller, body.countryCode)
  const { name, address } = textsOf(body)
  await refuseTakenName(
    tx,
    (point) => point`
    update hubs set name = ${name}, address = ${address}, lat = ${body.lat}, lng = ${body.lng},
      country_code = ${body.countryCode === undefined ? point`country_code` : (body.countryCode?.toUpperCase() ?? null)},
      time_zone = ${body.timeZone === undefined ? before.timeZone : body.timeZone}, updated_time = now()
    where ${visibleHubs(tx, caller)} and hubs.id = ${before.id}`,
  )
  const after = await read(tx, caller, before.id)
  await note(tx, caller, after, "hub.update", change, before, after)
  return after
}

/** What app.ts passes in, of the features that hubs know nothing of. */
export interface HubHooks {
  joinHubs(
    tx: Tx,
    member: { organizationId: string; userId: string },
    hubIds: readonly string[],
  ): Promise<void>
  /** Deletes the open tasks of a hub, with their events, and returns their rows for the trash. */
  removeTasks(tx: Tx, live: LiveEvents, hub: HubOfCaller): Promise<unknown>
  /** Moves the records of a hub to the trash, with their events. */
  discardRecords(tx: Tx, live: LiveEvents, hub: HubOfCaller): Promise<void>
  /** Puts the rows of `removeTasks` back. */
  restoreTasks(
    tx: Tx,
    live: LiveEvents,
    hub: HubOfCaller,
    rows: readonly Record<string, unknown>[],
  ): Promise<void>
}

export interface HubOfCaller {
  caller: Caller
  hubId: string
}

/** Deletes a hub that nobody uses, with its open tasks, and keeps it in the trash. */
export async function deleteHub(
  tx: Tx,
  caller: Caller,
  hubId: string,
  change: Change & HubHooks,
): Promise<void> {
  await lockHub(tx, caller, hubId)
  const hub = await findHub(tx, caller, hubId)
  if (!hub) throw hubErrors.notFound()
  if (hub.isInUse)
    throw hubErrors.hasDependents({
      message:
        "Remove this hub from its users first. Finished tasks are part of reports: move them, or keep the hub",
    })
  const tasks = await change.removeTasks(tx, change.live, { caller, hubId: hub.id })
  await change.discardRecords(tx, change.live, { caller, hubId: hub.id })
  const [kept] = await tx<{ row: unknown }[]>`
    delete from hubs where organization_id = ${caller.organizationId} and id = ${hub.id} returning to_jsonb(hubs) as row`
  const content = { hub: kept?.row, tasks }
  await moveToTrash(tx, caller, [{ type: "Hub", name: hub.name, sourceId: hub.id, hubId: hub.id, content }])
  await note(tx, caller, hub, "hub.delete", change, hub, undefined)
}

/**
 * A concurrent write into the hub, such as an import, finishes first, and later ones find no hub: a task that
 * came in between would otherwise be missing from the trash, or keep the hub from being deleted.
 */
async function lockHub(tx: Tx, caller: Caller, hubId: string): Promise<void> {
  await tx`
    select from hubs where organization_id = ${caller.organizationId} and id = ${hubId.toLowerCase()} for update`
}

function check(body: Body): void {
  const fields = {
    ...(Math.abs(body.lat) > 90 ? { lat: ["must be from -90 to 90"] } : {}),
    ...(Math.abs(body.lng) > 180 ? { lng: ["must be from -180 to 180"] } : {}),
    ...(body.timeZone && !isTimeZone(body.timeZone)
      ? { timeZone: ["must be an IANA name such as Europe/Lisbon"] }
      : {}),
  }
  if ("lat" in fields || "lng" in fields) throw hubErrors.badCoordinates({ fields })
  if ("timeZone" in fields) throw hubErrors.unknownTimeZone({ fields })
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name })
    return true
  } catch {
    return false
  }
}

async function insertHub(tx: Tx, organizationId: string, id: string, body: Body): Promise<void> {
  const { name, address } = textsOf(body)
  await tx`
    insert into hubs (organization_id, id, name, address, lat, lng, country_code, time_zone)
    values (${organizationId}, ${id}, ${name}, ${address}, ${body.lat}, ${body.lng},
      ${body.countryCode?.toUpperCase() ?? null}, ${body.timeZone ?? null})`
}

/** Addresses of several lines come from forms. */
function oneLine(address: string): string {
  const lines = address.split("\n").map((line) => line.trim())
  return lines.filter((line) => line !== "").join(", ")
}

function textsOf(body: Body): { name: string; address: string } {
  return {
    name: readLine(body.name, "hub", "name"),
    address: readLine(oneLine(body.address), "hub", "address"),
  }
}

/** Off by default: an organization may limit its hubs to countries with the setting `hubCountries`. */
async function checkCountry(tx: Tx, caller: Caller, code: string | null | undefined): Promise<void> {
  const { configuration } = await findOrganization(tx, caller.organizationId)
  const allowed = configuration.hubCountries
  if (!Array.isArray(allowed) || allowed.length === 0) return
  const country = code?.toUpperCase()
  if (country === undefined || !allowed.some((entry) => String(entry).toUpperCase() === country))
    throw hubErrors.countryNotAllowed({
      message: `Hubs of this organization must be in one of ${allowed.join(", ")}. Send countryCode`,
    })
}

async function refuseTakenName(tx: Tx, write: (point: Tx) => Promise<unknown>): Promise<void> {
  try {
    await inTransaction(tx, write)
  } catch (error) {
    if (databaseErrorOf(error)?.constraint === "hubs_name") throw hubErrors.nameTaken({ cause: error })
    throw error
  }
}

async function read(tx: Tx, caller: Caller, hubId: string): Promise<HubRow> {
  const hub = await findHub(tx, caller, hubId)
  if (!hub) throw new Error("a hub vanished in the transaction that wrote it")
  return hub
}

async function note(
  tx: Tx,
  caller: Caller,
  hub: HubRow,
  action: string,
  change: Change,
  before?: HubRow,
  after?: HubRow,
): Promise<void> {
  await audit(tx, actorOf(caller, change.address), {
    action,
    targetType: "hub",
    targetId: hub.id,
    targetName: hub.name,
    before: before && settingsOf(before),
    after: after && settingsOf(after),
  })
  await publish(tx, change.live, "hub.changed", {
    organizationId: caller.organizationId,
    content: { hubId: hub.id },
  })
}

function settingsOf({ name, address, lat, lng, countryCode, timeZone }: HubRow) {
  return { name, address, lat, lng, countryCode, timeZone }
}
