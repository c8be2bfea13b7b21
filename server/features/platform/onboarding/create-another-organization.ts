import { type Static, Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { audit } from "#core/audit.ts"
import type { Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { readName } from "#core/plain-text.ts"
import { copyHubs, createFirstHub, NewHub } from "../../organization/hubs/index.ts"
import {
  findOrganization,
  languages,
  type OrganizationRow,
  organizationErrors,
  readCountry,
} from "../../organization/organizations/index.ts"
import { lockAccount } from "../../people/accounts/index.ts"
import { checkMovable, findOwnedOrganization, hasOrganizationNamed } from "../../people/memberships/index.ts"
import { copyRoles } from "../../people/roles/index.ts"
import { joinHubs } from "../../people/users/index.ts"
import { copyFlows } from "../../work/flows/index.ts"
import { createOrganization } from "./create-organization.ts"

export const NewOrganizationBody = Type.Object({
  companyName: Type.String({ minLength: 1, maxLength: 200 }),
  country: Type.String({ minLength: 1, maxLength: 3 }),
  language: Type.Optional(Type.String({ enum: languages })),
  hub: Type.Optional(NewHub),
  copyData: Type.Optional(Type.Boolean()),
})

export interface Copied {
  settings: number
  hubs: number
  roles: number
  flows: number
}

/**
 * Makes another organization with the caller as its owner, all in one transaction. With `copyData` it gets the
 * settings, hubs, custom roles and flows of the first organization that the caller owns; its default roles come
 * from the templates.
 */
export async function createAnotherOrganization(
  tx: Tx,
  caller: Caller,
  body: Static<typeof NewOrganizationBody>,
  context: { live: LiveEvents; address: string },
): Promise<{ organization: OrganizationRow; copied: Copied }> {
  checkMovable(caller)
  await lockAccount(tx, caller.accountId)
  const name = readName(body.companyName, "org", "companyName")
  const countryCode = readCountry(body.country)
  if (await hasOrganizationNamed(tx, caller, name)) throw organizationErrors.nameTaken()
  const source = body.copyData ? await findOwnedOrganization(tx, caller) : undefined
  if (body.copyData && !source) throw organizationErrors.nothingToCopy()
  const settings = source && (await findOrganization(tx, source.organizationId))
  const made = await createOrganization(tx, {
    name,
    countryCode,
    ...(body.language ? { language: body.language } : settings ? { language: settings.language } : {}),
    ...(settings
      ? {
          currency: settings.currency,
          timeZone: settings.timeZone,
          configuration: settings.configuration,
          flows: [],
        }
      : {}),
    profile: body.hub ? { hub: { ...body.hub, lat: String(body.hub.lat), lng: String(body.hub.lng) } } : {},
    owner: { accountId: caller.accountId, email: caller.email, name: caller.name },
  })
  const to = { organizationId: made.organizationId, userId: made.ownerId, createdBy: caller.email }
  const copied: Copied = { settings: 0, hubs: 0, roles: 0, flows: 0 }
  if (source) {
    const flows = await copyFlows(tx, source, to)
    copied.settings = 1
    copied.flows = flows.size
    copied.roles = await copyRoles(tx, source, to, flows)
    const hubIds = await copyHubs(tx, source, to)
    await joinHubs(tx, to, hubIds)
    copied.hubs = hubIds.length
  }
  const owner = { ...to, email: caller.email, language: caller.language }
  if (body.hub) await joinHubs(tx, to, [await createFirstHub(tx, owner, body.hub, context)])
  const actor = { organizationId: made.organizationId, email: caller.email, address: context.address }
  await audit(tx, actor, {
    action: "organization.create",
    targetType: "organization",
    targetId: made.organizationId,
    targetName: name,
    after: copied,
  })
  return { organization: await findOrganization(tx, made.organizationId), copied }
}
