import { queryOptions } from "@tanstack/react-query"
import type { ExportFormat } from "#shared/export-formats.ts"
import type { Language } from "#shared/languages.ts"
import { taskFieldNames } from "#shared/task-fields.ts"
import { dataOf, type ResponseBody, server } from "../../../api/server.ts"
import { fieldTitle } from "../../../i18n/field-title.ts"
import { componentsOf, type Flow } from "../../work/flows/flows.queries.ts"

export type ExportConfig = ResponseBody<"listExportConfigs">["data"]["data"][number]

/** A column as stored: a flow's component, or a key of the task itself. */
export interface ConfigColumn {
  id: string
  component: string
  title: string
  /** The title of the column in the file. */
  uniqueTitle?: string
  [key: string]: unknown
}

export const rhythms = ["daily", "weekly", "monthly"] as const
type Rhythm = (typeof rhythms)[number]

/** A configuration as it is edited. */
export interface ConfigDraft {
  name: string
  /** Flows whose tasks it exports, at least one. */
  flowIds: readonly string[]
  columns: readonly ConfigColumn[]
  format: ExportFormat
  rhythm: Rhythm | "never"
  /** `HH:mm` in the organization's time zone. */
  time: string
  /** Addresses that the link is mailed to, separated by commas. */
  emails: string
}

export const exportConfigsQuery = queryOptions({
  queryKey: ["export-configs"],
  queryFn: async ({ signal }) => {
    const query = { limit: 1000, sortBy: "name", sortOrder: "asc" }
    return (await dataOf(server.get("/api/v3/export-configs", { query, signal }))).data
  },
})

/** Creates the configuration, or replaces the one with this id. */
export async function saveExportConfig(
  draft: ConfigDraft,
  { configId, filters }: { configId: string | undefined; filters: Readonly<Record<string, string>> },
): Promise<ExportConfig> {
  const body = {
    name: draft.name.trim(),
    collection: "task",
    flowIds: [...draft.flowIds],
    fields: [...draft.columns],
    format: draft.format,
    filters,
    schedule: draft.rhythm === "never" ? null : scheduleOf(draft, draft.rhythm),
  }
  if (configId === undefined) return await dataOf(server.post("/api/v3/export-config", { body }))
  return await dataOf(
    server.put("/api/v3/export-config/{exportConfigId}", { exportConfigId: configId, body }),
  )
}

export async function deleteExportConfig(configId: string): Promise<void> {
  await server.delete("/api/v3/export-config/{exportConfigId}", { exportConfigId: configId })
}

function scheduleOf({ time, emails }: ConfigDraft, rhythm: Rhythm) {
  const entries = {
    daily: { time: [time] },
    weekly: { day: "monday", time: [time] },
    monthly: { date: "1", time: [time] },
  }
  return { periode: rhythm, schedules: [entries[rhythm]], emails: emails.split(",").filter(Boolean) }
}

/** What a saved configuration looks like to its editor. */
export function draftOf(config: ExportConfig): ConfigDraft {
  const schedule = (config.schedule ?? {}) as {
    periode?: string
    schedules?: { time?: string[] }[]
    emails?: string[]
  }
  return {
    name: config.name,
    flowIds: config.flowIds,
    columns: config.fields as ConfigColumn[],
    format: (config.format ?? "xlsx") as ExportFormat,
    rhythm: rhythms.find((known) => known === schedule.periode) ?? "never",
    time: schedule.schedules?.[0]?.time?.[0] ?? "06:00",
    emails: (schedule.emails ?? []).join(","),
  }
}

export const usualKeys: readonly string[] = [
  "_id",
  "title",
  "status",
  "flow",
  "hub",
  "assignee",
  "startTime",
  "doneTime",
]

/** Every column that can be had: the task's own keys, then the components of the flows, each id once. */
export function knownColumns(flows: readonly Flow[], language: Language): ConfigColumn[] {
  const taskKeys = taskFieldNames(({ exported }) => exported !== undefined)
  const ownKeys = taskKeys.map((id): ConfigColumn => {
    const title = fieldTitle(id, language)
    return { id, component: "input", type: "String", title, uniqueTitle: title, source: "reservedKey" }
  })
  const byId = new Map<string, ConfigColumn>()
  for (const flow of flows)
    for (const component of componentsOf(flow)) {
      if (component.component === "view" || taskKeys.includes(component.id)) continue
      const known = byId.get(component.id)
      const title = component.title || component.id
      // The first flow that has the id defines its column, as in the file.
      byId.set(component.id, {
        ...(known ?? { ...component, title, uniqueTitle: title }),
        flowId: [...((known?.flowId as string[] | undefined) ?? []), flow._id],
        flowName: [...((known?.flowName as string[] | undefined) ?? []), flow.name],
      })
    }
  return [...ownKeys, ...byId.values()]
}
