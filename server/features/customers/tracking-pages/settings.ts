import { type Static, Type } from "typebox"
import { Value } from "typebox/value"
import { json, type Sql, type Tx } from "#core/database/database.ts"
import { languages } from "#shared/languages.ts"

const Switch = (initial: boolean, description: string) => Type.Boolean({ default: initial, description })
const Text = (maxLength: number, description: string) => Type.String({ default: "", maxLength, description })

/** What an organization's tracking pages show and allow. */
export const TrackingSettingsSchema = Type.Object(
  {
    isActive: Switch(true, "False: links of tasks show that the page is not available"),
    name: Text(100, "Name on the page; empty: the organization's"),
    color: Type.String({
      default: "#1864ab",
      pattern: "^#[0-9a-fA-F]{6}$",
      description: "Colour of the page's head and buttons",
    }),
    language: Type.String({
      default: "",
      enum: ["", ...languages],
      description: "Language of the page where the customer's is not known; empty: the organization's",
    }),
    phone: Text(40, "Telephone number for customers"),
    email: Text(200, "E-mail address for customers"),
    expiresDays: Type.Integer({
      default: 7,
      minimum: 0,
      maximum: 365,
      description: "Days for which a link works after the end of the task",
    }),
    showTitle: Switch(true, "Show the task's title"),
    showStops: Switch(true, "Show the number of stops before the customer's"),
    showDriverName: Switch(true, "Show the first name of the driver"),
    showDriverPhone: Switch(false, "Show the driver's telephone number while the task is next"),
    map: Type.String({
      default: "next",
      enum: ["never", "next", "minutes"],
      description:
        "Show where the driver is: never, while the task is next, or within `mapMinutes` of arrival",
    }),
    mapMinutes: Type.Integer({ default: 30, minimum: 1, maximum: 240 }),
    showPhotos: Switch(true, "Show photos afterwards"),
    showSignature: Switch(true, "Show the signature afterwards"),
    showItems: Switch(true, "Show lists and bills"),
    showDocument: Switch(true, "Offer the service report afterwards"),
    askRating: Switch(true, "Ask for a rating afterwards"),
    allowInstructions: Switch(true, "The customer may write instructions"),
    allowSafePlace: Switch(true, "The customer may name a safe place"),
    allowContact: Switch(true, "The customer may name another contact person"),
    allowCancellation: Switch(false, "The customer may ask to cancel"),
    allowReschedule: Switch(
      false,
      "The customer may choose another time that fits the plan, until two hours before the appointment",
    ),
    rescheduleDays: Type.Integer({ default: 7, minimum: 1, maximum: 14, description: "From today on" }),
    rescheduleWindowMinutes: Type.Integer({
      default: 120,
      minimum: 30,
      maximum: 480,
      description: "Length of the windows that are offered",
    }),
    fields: Type.Object(
      {
        name: Text(100, "Component with the customer's name; empty: recognized by its id"),
        phone: Text(100, "Component with the telephone number; empty: recognized by its type or id"),
        email: Text(100, "Component with the e-mail address; empty: recognized by its id"),
        language: Text(100, "Component with the language code; empty: the component `language`"),
      },
      { description: "Which components of tasks have the customer's details" },
    ),
  },
  { title: "TrackingPageSettings" },
)
export type TrackingSettings = Static<typeof TrackingSettingsSchema>

export const defaultSettings: TrackingSettings = Value.Create(TrackingSettingsSchema) as TrackingSettings

export interface StoredSettings {
  settings: TrackingSettings
  logo: { content: Buffer; type: string } | undefined
}

/** The settings of an organization; what was never set has its default. */
export async function readSettings(sql: Sql, organizationId: string): Promise<StoredSettings> {
  const rows = await sql<{ settings: object; logo: Buffer | null; logoType: string | null }[]>`
    select settings, logo, logo_type from tracking_page_settings where organization_id = ${organizationId}`
  const [row] = rows
  const stored = row?.settings as Partial<TrackingSettings> | undefined
  return {
    settings: { ...defaultSettings, ...stored, fields: { ...defaultSettings.fields, ...stored?.fields } },
    logo: row?.logo && row.logoType ? { content: Buffer.from(row.logo), type: row.logoType } : undefined,
  }
}

/** `logo`: undefined leaves it, null removes it. */
export async function writeSettings(
  tx: Tx,
  { organizationId, email }: { organizationId: string; email: string },
  settings: TrackingSettings,
  logo: { content: Buffer; type: string } | null | undefined,
): Promise<void> {
  const [content, type] = [logo?.content ?? null, logo?.type ?? null]
  await tx`
    insert into tracking_page_settings (organization_id, settings, logo, logo_type, updated_by)
    values (${organizationId}, ${json(tx, settings)}, ${content}, ${type}, ${email})
    on conflict (organization_id) do update set settings = excluded.settings, updated_time = now(),
      updated_by = excluded.updated_by
      ${logo === undefined ? tx`` : tx`, logo = excluded.logo, logo_type = excluded.logo_type`}`
}

const maxLogoBytes = 200_000
const signatures: readonly (readonly [string, RegExp])[] = [
  ["image/png", /^\x89PNG\r\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/webp", /^RIFF....WEBP/s],
]

/** A picture as a data URL; undefined when it is none, or too large. The content decides, not what the URL says. */
export function readLogo(dataUrl: string): { content: Buffer; type: string } | undefined {
  const encoded = /^data:[^,;]{1,40};base64,([A-Za-z0-9+/=]+)$/.exec(dataUrl)?.[1]
  if (encoded === undefined) return undefined
  const content = Buffer.from(encoded, "base64")
  if (content.length > maxLogoBytes) return undefined
  const head = content.subarray(0, 16).toString("latin1")
  const type = signatures.find(([, pattern]) => pattern.test(head))?.[0]
  return type === undefined ? undefined : { content, type }
}
