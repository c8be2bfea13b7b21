import { type Static, Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { json, type Tx } from "#core/database/database.ts"
import { isId } from "#core/ids.ts"
import { readName } from "#core/plain-text.ts"
import { languages as supported } from "#shared/languages.ts"
import { organizationErrors } from "./errors.ts"
import { findOrganization } from "./queries.ts"
import type { OrganizationRow } from "./wire.ts"

/** Languages of organizations and people. Those after `supported` read English texts. */
export const languages = [...supported, "jp", "zh", "vi", "tl", "th", "ms"]

export const SettingsBody = Type.Object(
  {
    configuration: Type.Optional(
      Type.Object(
        {
          filesServerProvider: Type.Optional(Type.String({ enum: ["milesto", "awsS3"] })),
          filesAccessPermission: Type.Optional(Type.String({ enum: ["private", "public"] })),
          hubCountries: Type.Optional(
            Type.Union([Type.Array(Type.String({ pattern: "^[A-Za-z]{3}$" })), Type.Null()], {
              description: "Countries in which hubs are allowed; null: any",
            }),
          ),
          correctionMinutes: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 10_080,
              description: "For how long people can correct a task that they finished; 0: not at all",
            }),
          ),
          positionConsent: Type.Optional(
            Type.Boolean({
              description: "Whether the field app asks people for consent before it records their positions",
            }),
          ),
          quickReplies: Type.Optional(
            Type.Array(Type.String({ minLength: 1, maxLength: 120 }), {
              maxItems: 20,
              description: "Messages that people in the field can send with one tap",
            }),
          ),
          uniqueRefId: Type.Optional(
            Type.Boolean({
              description:
                "Whether the refId of tasks must be unique; refused with org-032 while there are duplicates",
            }),
          ),
        },
        { additionalProperties: true },
      ),
    ),
    companyName: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    country: Type.Optional(Type.String()),
    language: Type.Optional(Type.String({ enum: languages })),
    currency: Type.Optional(Type.String()),
    timeZone: Type.Optional(Type.String()),
  },
  { title: "OrganizationSettingsInput" },
)

const known = ["configuration", "companyName", "country", "language", "currency", "timeZone"] as const
const maxConfigurationBytes = 65_536

export function readCountry(code: string): string {
  const country = code.trim().toUpperCase()
  if (!/^[A-Z]{3}$/.test(country)) throw organizationErrors.unknownCountry()
  return country
}

const currencies = new Set(Intl.supportedValuesOf("currency"))

export function readCurrency(code: string): string {
  const currency = code.trim().toUpperCase()
  if (!currencies.has(currency)) throw organizationErrors.unknownCurrency()
  return currency
}

export function readTimeZone(name: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone
  } catch (cause) {
    throw organizationErrors.unknownTimeZone({ cause })
  }
}

/** Refuses another organization's id: settings belong to the one that the token is for. */
export function checkOwn(caller: Caller, organizationId: string): void {
  if (!isId(organizationId)) throw organizationErrors.notFound()
  if (organizationId.toLowerCase() !== caller.organizationId) throw organizationErrors.forbidden()
}

/** Changes the given settings. A new language becomes the language of all members. */
export async function updateSettings(
  tx: Tx,
  caller: Caller,
  body: Static<typeof SettingsBody>,
  address: string,
  hooks: SettingHooks,
): Promise<OrganizationRow> {
  if (known.every((key) => body[key] === undefined)) throw organizationErrors.nothingToChange()
  // Only the check of unique references must wait for rows that are being written, such as a long import.
  const strength = body.configuration?.uniqueRefId === true ? tx`for update` : tx`for no key update`
  await tx`select 1 from organizations where id = ${caller.organizationId} ${strength}`
  const before = await findOrganization(tx, caller.organizationId)
  const configuration = { ...before.configuration, ...body.configuration }
  if (configuration.uniqueRefId === true && before.configuration.uniqueRefId !== true)
    await checkRefs(tx, caller, hooks.findRepeatedRefs)
  if (JSON.stringify(configuration).length > maxConfigurationBytes)
    throw organizationErrors.nothingToChange({ message: "The configuration is larger than 64 kB" })
  await tx`
    update organizations set
      name = ${body.companyName === undefined ? before.name : readName(body.companyName, "org", "companyName")},
      country_code = ${body.country === undefined ? before.countryCode : readCountry(body.country)},
      language = ${body.language ?? before.language},
      currency = ${body.currency === undefined ? before.currency : readCurrency(body.currency)},
      time_zone = ${body.timeZone === undefined ? before.timeZone : readTimeZone(body.timeZone)},
      configuration = ${json(tx, configuration)}, updated_time = now()
    where id = ${caller.organizationId}`
  if (body.language !== undefined && body.language !== before.language)
    await hooks.setLanguageOfMembers(tx, caller.organizationId, body.language)
  const after = await findOrganization(tx, caller.organizationId)
  await audit(tx, actorOf(caller, address), {
    action: "organization.update",
    targetType: "organization",
    targetId: after.id,
    targetName: after.name,
    before: settingsOf(before),
    after: settingsOf(after),
  })
  return after
}

export interface SettingHooks {
  /** Waits for concurrent writes of task references and returns some that several tasks have. */
  findRepeatedRefs(tx: Tx, organizationId: string): Promise<string[]>
  setLanguageOfMembers(tx: Tx, organizationId: string, language: string): Promise<void>
}

async function checkRefs(
  tx: Tx,
  caller: Caller,
  findRepeatedRefs: SettingHooks["findRepeatedRefs"],
): Promise<void> {
  const repeated = await findRepeatedRefs(tx, caller.organizationId)
  if (repeated.length > 0)
    throw organizationErrors.repeatedRefs({
      message: `Several tasks have the same refId (${repeated.join(", ")}). Change them first`,
      fields: { uniqueRefId: [`several tasks have ${repeated.join(", ")}`] },
    })
}

function settingsOf(row: OrganizationRow) {
  const { name, countryCode, language, currency, timeZone, configuration } = row
  return { name, country: countryCode, language, currency, timeZone, configuration }
}
