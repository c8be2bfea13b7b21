import { type Static, Type } from "typebox"
import { Value } from "typebox/value"
import { json, type Sql, type Tx } from "#core/database/database.ts"

const Time = (initial: string, description: string) =>
  Type.String({ default: initial, pattern: "^([01]\\d|2[0-3]):[0-5]\\d$", description })

/** When messages are sent. */
export const MessageSettingsSchema = Type.Object(
  {
    quietFrom: Time("21:00", "Start of the quiet hours, in the time zone of the task's place"),
    quietTo: Time("08:00", "End of the quiet hours; equal to the start: none"),
    dayBeforeAt: Time("17:00", "When the message about tomorrow's appointment is sent"),
    onTheWayMinutes: Type.Integer({
      default: 60,
      minimum: 5,
      maximum: 480,
      description: "Minutes before arrival at which `onTheWay` is sent",
    }),
    lateMinutes: Type.Integer({
      default: 10,
      minimum: 0,
      maximum: 480,
      description: "Minutes after the end of the time window from which an expected arrival is late",
    }),
    ratingDelayMinutes: Type.Integer({ default: 60, minimum: 0, maximum: 10_080 }),
  },
  { title: "MessageSettings" },
)
export type MessageSettings = Static<typeof MessageSettingsSchema>

export const defaultMessageSettings = Value.Create(MessageSettingsSchema) as MessageSettings

export async function readMessageSettings(sql: Sql, organizationId: string): Promise<MessageSettings> {
  const rows = await sql<{ settings: Partial<MessageSettings> }[]>`
    select settings from message_settings where organization_id = ${organizationId}`
  return { ...defaultMessageSettings, ...rows[0]?.settings }
}

export async function writeMessageSettings(
  tx: Tx,
  { organizationId, email }: { organizationId: string; email: string },
  settings: MessageSettings,
): Promise<void> {
  await tx`
    insert into message_settings (organization_id, settings, updated_by)
    values (${organizationId}, ${json(tx, settings)}, ${email})
    on conflict (organization_id) do update set settings = excluded.settings, updated_time = now(),
      updated_by = excluded.updated_by`
}
