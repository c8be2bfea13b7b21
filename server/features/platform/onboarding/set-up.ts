import { type Static, Type } from "typebox"
import { audit } from "#core/audit.ts"
import type { Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { readName } from "#core/plain-text.ts"
import { createFirstHub, NewHub } from "../../organization/hubs/index.ts"
import {
  countryLanguage,
  languages,
  readCountry,
  readTimeZone,
  verifyOrganization,
} from "../../organization/organizations/index.ts"
import {
  accountErrors,
  claimOrigin,
  findAccount,
  forgiveFailures,
  markVerified,
  setPassword,
  spendCode,
} from "../../people/accounts/index.ts"
import { openSession, type Session } from "../../people/sessions/index.ts"
import { activateFirstOwner, findUnconfirmedOwner, joinHubs } from "../../people/users/index.ts"
import { defaultFlows, insertDefaultFlows } from "../../work/flows/index.ts"

const Text = Type.String({ minLength: 1, maxLength: 200 })

export const SetUpBody = Type.Object({
  name: Text,
  phoneNumber: Text,
  numberOfUsers: Text,
  industry: Text,
  position: Text,
  email: Type.String({ format: "email", maxLength: 254 }),
  activationCode: Type.String({ minLength: 1, maxLength: 100 }),
  companyName: Type.Optional(Text),
  country: Type.Optional(Type.String({ maxLength: 3 })),
  language: Type.Optional(Type.String({ enum: languages })),
  timeZone: Type.Optional(Type.String({ maxLength: 100, description: "IANA name; default UTC" })),
  hub: Type.Optional(NewHub),
  flows: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: 50,
      description: `Names of the default flows to create; default all: ${defaultFlows.map(({ name }) => name).join(", ")}`,
    }),
  ),
  type: Type.Optional(Type.String({ maxLength: 200 })),
  password: Type.Optional(
    Type.String({ minLength: 8, maxLength: 200, description: "Replaces the password of the registration" }),
  ),
})

/**
 * Completes a registration: the address is proved, the organization gets its name, country, first hub and
 * chosen flows, its owner becomes active and is signed in.
 */
export async function setUp(
  tx: Tx,
  body: Static<typeof SetUpBody>,
  context: { live: LiveEvents; address: string },
): Promise<Session> {
  const account = await findAccount(tx, { email: body.email })
  const owner = await findUnconfirmedOwner(tx, account?.id, "update")
  const isRight = await spendCode(tx, account?.id, "verify", body.activationCode.toLowerCase())
  if (!account || !isRight || !owner) {
    if (account?.emailVerifiedTime && !owner) throw accountErrors.alreadyActive()
    throw accountErrors.badActivation()
  }
  const name = readName(body.name, "user", "name")
  const companyName = readName(body.companyName ?? `${name}'s organization`, "org", "companyName")
  const country = body.country === undefined || body.country === "" ? null : readCountry(body.country)
  const language = body.language ?? countryLanguage(country)
  const timeZone = body.timeZone === undefined ? "UTC" : readTimeZone(body.timeZone)
  const flows = await insertDefaultFlows(
    tx,
    { organizationId: owner.organizationId, createdBy: account.email },
    body.flows,
  )
  const profile = { ...profileOf(body), name, email: account.email, flows }
  await verifyOrganization(tx, owner.organizationId, {
    name: companyName,
    country,
    language,
    timeZone,
    profile,
  })
  await activateFirstOwner(tx, owner, { name, phoneNumber: body.phoneNumber, language })
  await markVerified(tx, account.id)
  await claimOrigin(tx, account.id, owner.organizationId)
  if (body.password !== undefined) await setPassword(tx, account.id, body.password, "mail")
  await forgiveFailures(tx, account.id)
  const there = { ...owner, email: account.email, language }
  if (body.hub) await joinHubs(tx, owner, [await createFirstHub(tx, there, body.hub, context)])
  await audit(
    tx,
    { organizationId: owner.organizationId, email: account.email, address: context.address },
    {
      action: "organization.create",
      targetType: "organization",
      targetId: owner.organizationId,
      targetName: companyName,
    },
  )
  const session = await openSession(tx, owner)
  if (!session) throw accountErrors.badActivation()
  return session
}

function profileOf(body: Static<typeof SetUpBody>) {
  const { phoneNumber, numberOfUsers, industry, position, hub, type } = body
  const wireHub = hub && { hub: { ...hub, lat: String(hub.lat), lng: String(hub.lng) } }
  return { phoneNumber, numberOfUsers, industry, position, type: type ?? null, ...wireHub }
}
