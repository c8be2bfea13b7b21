import type { Id } from "#core/ids.ts"
import type { Provisioning } from "../app-integrations/index.ts"

/** Role, hubs and teams of a person. */
export interface Places {
  roleId: Id<"role">
  hubIds: Id<"hub">[]
  teamIds: Id<"team">[]
}

const maxGroups = 2_000

/** The groups in the claim or attribute that the connection names: a text, or texts in a list. */
export function readGroups(
  settings: Provisioning | null,
  ...sources: readonly Readonly<Record<string, unknown>>[]
): string[] {
  const claim = settings?.groupClaim
  const source = claim ? sources.find((each) => Object.hasOwn(each, claim)) : undefined
  const value = claim && source?.[claim]
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((each) => typeof each === "string").slice(0, maxGroups)
}

function matchedBy({ groups }: Provisioning, held: readonly string[]) {
  const names = new Set(held)
  return groups.filter(({ group }) => names.has(group))
}

/** Where somebody new starts; undefined when only people of a mapped group become members and this is none. */
export function firstPlaces(settings: Provisioning, held: readonly string[]): Places | undefined {
  const matched = matchedBy(settings, held)
  if (!settings.createsMembers || (settings.needsGroup && matched.length === 0)) return undefined
  return {
    roleId: roleOf(settings, matched),
    hubIds: [...new Set([settings, ...matched].flatMap(({ hubId }) => hubId))],
    teamIds: [...new Set([settings, ...matched].flatMap(({ teamId }) => teamId))],
  }
}

/**
 * Where a member belongs by the groups of today. With a role anywhere in the mapping, the groups decide about the role;
 * hubs and teams that a group of the mapping gives are theirs exactly while they are in such a group, others are left alone.
 */
export function placesToday(settings: Provisioning, held: readonly string[], now: Places): Places {
  const matched = matchedBy(settings, held)
  const decidesRole = settings.groups.some(({ roleId }) => roleId !== null)
  return {
    roleId: decidesRole ? roleOf(settings, matched) : now.roleId,
    hubIds: merged((each) => each.hubId, now.hubIds),
    teamIds: merged((each) => each.teamId, now.teamIds),
  }

  function merged<Kind>(
    idsOf: (each: { hubId: Places["hubIds"]; teamId: Places["teamIds"] }) => Kind[],
    had: Kind[],
  ) {
    const mapped = new Set(settings.groups.flatMap(idsOf)).difference(new Set(idsOf(settings)))
    return [...new Set([...had.filter((id) => !mapped.has(id)), ...matched.flatMap(idsOf)])]
  }
}

/** Of the first group in the list that has one. */
function roleOf({ roleId }: Provisioning, matched: Provisioning["groups"]): Id<"role"> {
  return matched.find((group) => group.roleId !== null)?.roleId ?? roleId
}
