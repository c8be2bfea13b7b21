import type { Caller } from "#core/access/caller.ts"
import { systemCaller } from "#core/access/system-caller.ts"
import { setOrigin } from "#core/audit-trail/origin.ts"
import type { Tx } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { isOwnerRole } from "#core/permissions.ts"
import { readName } from "#core/plain-text.ts"
import { findHub } from "../../organization/hubs/index.ts"
import { findOrganization } from "../../organization/organizations/index.ts"
import { normalizeEmail } from "../accounts/index.ts"
import { type IntegrationRow, labelOf, type Provisioning } from "../app-integrations/index.ts"
import { findRole } from "../roles/index.ts"
import { findTeam } from "../teams/index.ts"
import { createUser, findVisibleUser, type PersonHooks, updateUser } from "../users/index.ts"
import { firstPlaces, type Places, placesToday } from "./places-of-groups.ts"
import { SignInRefused } from "./refusal.ts"

const maxNameLength = 200

/** What a verified response says about somebody. */
export interface Vouched {
  email: string
  /** Undefined where the provider sends none. */
  name?: string | undefined
  /** Names or ids, as they came. */
  groups: readonly string[]
}

/** What writing people needs besides the provider. */
export interface ProvisionContext {
  address: string
  live: LiveEvents
  publicUrl: string
  hooks: PersonHooks
}

/**
 * Makes somebody whom the provider vouches for a member, or gives a member what their groups give today, before
 * `enter` lets them in. Only addresses in the domains of the connection make members: an active member had a confirmed
 * address in each when it was entered. Somebody with an account elsewhere in this installation is invited and decides. Owners and members
 * who are not active stay as they are.
 */
export async function provision(
  tx: Tx,
  integration: IntegrationRow,
  vouched: Vouched,
  context: ProvisionContext,
): Promise<void> {
  if (!integration.provisioning) return
  const { organizationId, emailDomains } = integration
  const email = normalizeEmail(vouched.email)
  const caller = await callerOf(tx, integration)
  // Two first sign-ins of one person at once.
  await tx`select pg_advisory_xact_lock(hashtextextended(${`sign-in ${organizationId} ${email}`}, 0))`
  const member = await findVisibleUser(tx, caller, { email })
  const isOfDomain = emailDomains.includes(email.slice(email.lastIndexOf("@") + 1))
  if (!member && !isOfDomain) return
  if (member && (member.status !== "active" || integration.provisioning.appliesGroups !== "everySignIn"))
    return
  const { settings, teams } = await withWhatExists(tx, caller, integration.provisioning, member)
  const { email: author, name } = caller
  const by = { kind: "system", via: "api", email: author, name, address: context.address } as const
  if (!member) {
    const places = firstPlaces(settings, vouched.groups)
    if (!places) return
    await refuseBadRole(tx, caller, places.roleId)
    await setOrigin(tx, by)
    const { roleId, hubIds: hubId, teamIds: teamId } = places
    const newMember = { email, name: usableName(vouched.name), roleId, hubId, teamId, isProvisioned: true }
    await createUser(tx, caller, newMember, context)
    return
  }
  const role = await findRole(tx, caller, member.roleId)
  if (!role || isOwnerRole(role)) return
  const next = placesToday(settings, vouched.groups, member)
  // Who leaves a hub leaves its teams.
  next.teamIds = next.teamIds.filter((id) => next.hubIds.some((hubId) => hubId === teams.get(id)?.hubId))
  const change = changeTo(member, next)
  if (Object.keys(change).length === 0) return
  if (change.roleId !== undefined) await refuseBadRole(tx, caller, change.roleId)
  await setOrigin(tx, by)
  await updateUser(tx, caller, member.id, change, context)
}

/** The connection acts as the product itself, limited by what `provision` does. */
async function callerOf(tx: Tx, integration: IntegrationRow): Promise<Caller> {
  const { name: organizationName, language } = await findOrganization(tx, integration.organizationId)
  const name = labelOf(integration, organizationName)
  return { ...systemCaller(integration.organizationId, { email: `sso:${name}`, name }), language }
}

/** Without roles, hubs and teams that were deleted since, and with the hubs of the teams; and teams by id, those of `now` too. */
async function withWhatExists(tx: Tx, caller: Caller, stored: Provisioning, now?: Places) {
  const all = [stored, ...stored.groups]
  const roles = await byId(
    stored.groups.flatMap(({ roleId }) => roleId ?? []),
    (id) => findRole(tx, caller, id),
  )
  const hubs = await byId(
    all.flatMap(({ hubId }) => hubId),
    (id) => findHub(tx, caller, id),
  )
  const teams = await byId([...all.flatMap(({ teamId }) => teamId), ...(now?.teamIds ?? [])], (id) =>
    findTeam(tx, caller, id),
  )
  const existing = ({ hubId, teamId }: Pick<Provisioning, "hubId" | "teamId">) => {
    const found = teamId.flatMap((id) => teams.get(id) ?? [])
    return {
      hubId: [...new Set([...hubId.filter((id) => hubs.has(id)), ...found.map((team) => team.hubId)])],
      teamId: found.map(({ id }) => id),
    }
  }
  const groups = stored.groups.map(({ group, roleId, ...places }) => ({
    ...{ group, roleId: roleId && roles.has(roleId) ? roleId : null },
    ...existing(places),
  }))
  return { settings: { ...stored, ...existing(stored), groups }, teams }
}

async function byId<Row extends { id: string }>(
  ids: readonly Row["id"][],
  find: (id: string) => Promise<Row | undefined>,
): Promise<Map<Row["id"], Row>> {
  const rows = await Promise.all([...new Set(ids)].map(find))
  return new Map(rows.flatMap((row) => (row ? [[row.id, row] as const] : [])))
}

/** A name that nobody may have gives way to the part of the address before the @. */
function usableName(name: string | undefined): string | undefined {
  try {
    return name === undefined ? undefined : readName(name.slice(0, maxNameLength), "user", "name")
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

async function refuseBadRole(tx: Tx, caller: Caller, roleId: string): Promise<void> {
  const role = await findRole(tx, caller, roleId)
  if (!role || isOwnerRole(role))
    throw new SignInRefused("unreachable", "the role that the connection gives no longer exists")
}

function changeTo(now: Places, next: Places) {
  const differs = (key: "hubIds" | "teamIds") =>
    new Set<string>(now[key]).symmetricDifference(new Set<string>(next[key])).size > 0
  const hasMoved = differs("hubIds")
  return {
    ...(next.roleId !== now.roleId && { roleId: next.roleId }),
    ...(hasMoved && { hubId: next.hubIds }),
    // A change of hubs clears teams that are not named.
    ...((hasMoved || differs("teamIds")) && { teamId: next.teamIds }),
  }
}
