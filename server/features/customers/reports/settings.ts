import { type Static, Type } from "typebox"
import { Value } from "typebox/value"
import { json, type Sql, type Tx } from "#core/database/database.ts"

const Part = (description: string) => Type.Boolean({ default: true, description })

/** What the service report of a flow contains. */
export const ReportSettingsSchema = Type.Object(
  {
    title: Type.String({ default: "", maxLength: 100, description: "Empty: the built-in title" }),
    foot: Type.String({ default: "", maxLength: 200, description: "Text at the foot of each page" }),
    showLogo: Part("The logo of the tracking page"),
    showTimes: Part("Time window, arrival and completion"),
    showFields: Part("Values of the flow's pages"),
    hiddenFields: Type.Array(Type.String({ maxLength: 100 }), {
      default: [],
      maxItems: 200,
      description: "Ids of components that are left out",
    }),
    showItems: Part("Items and totals"),
    showPhotos: Part("Photos"),
    showSignature: Part("Signature"),
    showMap: Part("The place, on a map where one is installed"),
    attachToReceipt: Type.Boolean({
      default: false,
      description: "E-mails of the trigger receipt, sent when a task is done, have the report attached",
    }),
    showHash: Part("SHA-256 of the task's values, at the foot"),
  },
  { title: "ServiceReportSettings" },
)
export type ReportSettings = Static<typeof ReportSettingsSchema>

export const defaultReportSettings = Value.Create(ReportSettingsSchema) as ReportSettings

export async function readReportSettings(
  sql: Sql,
  organizationId: string,
  flowId: string,
): Promise<ReportSettings> {
  const rows = await sql<{ settings: Partial<ReportSettings> }[]>`
    select settings from report_settings where organization_id = ${organizationId} and flow_id = ${flowId}`
  return { ...defaultReportSettings, ...rows[0]?.settings }
}

export async function writeReportSettings(
  tx: Tx,
  { organizationId, email }: { organizationId: string; email: string },
  flowId: string,
  settings: ReportSettings,
): Promise<void> {
  await tx`
    insert into report_settings (organization_id, flow_id, settings, updated_by)
    values (${organizationId}, ${flowId}, ${json(tx, settings)}, ${email})
    on conflict (organization_id, flow_id) do update set settings = excluded.settings, updated_time = now(),
      updated_by = excluded.updated_by`
}
