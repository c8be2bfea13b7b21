import { type Static, Type } from "typebox"
import { actsAsOwner, type Caller, may } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import { type Id, IdSchema } from "#core/ids.ts"
import { isOwnerRole } from "#core/permissions.ts"
import { findHub } from "../../organization/hubs/index.ts"
import { findRole, mayAssignRole } from "../roles/index.ts"
import { findTeam } from "../teams/index.ts"
import { integrationErrors } from "./errors.ts"

const options = (description: string) => ({ maxItems: 100, description })

const GroupSchema = Type.Object(
  {
    group: Type.String({
      minLength: 1,
      maxLength: 300,
      description: "Name or id of the group, exactly as the provider sends it",
    }),
    roleId: Type.Union([IdSchema("role"), Type.Null()], {
      description: "Role of its people; of several groups, the first in this list with a role counts",
    }),
    hubId: Type.Array(IdSchema("hub"), options("Hubs of its people")),
    teamId: Type.Array(IdSchema("team"), options("Teams of its people, who get the hubs of these teams too")),
  },
  { title: "ProvisioningGroup" },
)

/** Whom a connection makes members, and what the groups that its provider sends give. */
export const ProvisioningSchema = Type.Object(
  {
    createsMembers: Type.Boolean({
      description:
        "Everybody the provider vouches for, in one of `emailDomains`, becomes a member at the first sign-in",
    }),
    needsGroup: Type.Boolean({ description: "Only people in one of `groups` become members" }),
    // Of people to whom no group gives one.
    roleId: IdSchema("role"),
    hubId: Type.Array(IdSchema("hub"), options("Hubs of new members")),
    teamId: Type.Array(
      IdSchema("team"),
      options("Teams of new members, who get the hubs of these teams too"),
    ),
    groupClaim: Type.Union([Type.String({ maxLength: 300 }), Type.Null()], {
      description: "Claim (OpenID Connect) or attribute (SAML) with the groups; null: groups are not read",
    }),
    scope: Type.Union(
      [Type.String({ maxLength: 200, pattern: "^[\\x21\\x23-\\x5b\\x5d-\\x7e ]*$" }), Type.Null()],
      { description: "OpenID Connect: scopes that are requested besides `openid email profile`" },
    ),
    appliesGroups: Type.String({
      enum: ["firstSignIn", "everySignIn"],
      description: "When groups decide about role, hubs and teams",
    }),
    groups: Type.Array(GroupSchema, { maxItems: 200 }),
  },
  { title: "SignInProvisioning" },
)
export type Provisioning = Static<typeof ProvisioningSchema>

/** In upper case it is the same id. */
const lowerId = <Kind extends string>(id: Id<Kind>) => id.toLowerCase() as Id<Kind>
const lower = <Kind extends string>(ids: readonly Id<Kind>[]) => [...new Set(ids.map(lowerId))]

/** The settings as they are stored, after `checkProvisioning`. */
export function tidyProvisioning(sent: Provisioning): Provisioning {
  return {
    ...sent,
    roleId: lowerId(sent.roleId),
    hubId: lower(sent.hubId),
    teamId: lower(sent.teamId),
    groupClaim: sent.groupClaim?.trim() || null,
    scope: sent.scope?.split(" ").filter(Boolean).join(" ") || null,
    groups: sent.groups.map(({ group, roleId, hubId, teamId }) => ({
      group: group.trim(),
      roleId: roleId && lowerId(roleId),
      hubId: lower(hubId),
      teamId: lower(teamId),
    })),
  }
}

/**
 * Refuses what the caller could not do for each person by hand: inviting and editing people, roles that hold what the
 * caller lacks, hubs and teams that are not theirs. Nobody becomes an owner by it.
 */
export async function checkProvisioning(sql: Sql, caller: Caller, settings: Provisioning): Promise<void> {
  for (const permission of ["invite", "edit/member"] as const)
    if (!may(caller, permission))
      throw new AppError(403, "auth-003", `Your role lacks the permission ${permission}`)
  const refuse = (field: string, message: string) =>
    integrationErrors.badProvisioning({ message, fields: { [field]: [message] } })
  const names = settings.groups.map(({ group }) => group)
  if (names.includes("")) throw refuse("groups", "A group has no name")
  if (new Set(names).size < names.length) throw refuse("groups", "A group is listed twice")
  if (settings.groups.length > 0 && settings.groupClaim === null)
    throw refuse("groupClaim", "The claim or attribute with the groups is required")
  const places = [settings, ...settings.groups]
  for (const id of new Set(places.map(({ roleId }) => roleId).filter((roleId) => roleId !== null))) {
    const role = await findRole(sql, caller, id)
    if (!role || isOwnerRole(role)) throw refuse("roleId", `The role ${id} does not exist, or is the owner's`)
    if (!actsAsOwner(caller) && !mayAssignRole(caller, role)) throw integrationErrors.roleTooStrong()
  }
  for (const id of new Set(places.flatMap(({ hubId }) => hubId)))
    if (!(await findHub(sql, caller, id))) throw refuse("hubId", `${id} is not one of your hubs`)
  for (const id of new Set(places.flatMap(({ teamId }) => teamId)))
    if (!(await findTeam(sql, caller, id))) throw refuse("teamId", `${id} is not a team of your hubs`)
}
