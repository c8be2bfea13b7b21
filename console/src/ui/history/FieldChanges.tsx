import "./history.css"
import { useQuery } from "@tanstack/react-query"
import { type TaskStatus, taskStatuses } from "#shared/task-status.ts"
import type { ResponseBody } from "../../api/server.ts"
import { hubsQuery } from "../../features/organization/hubs/hubs.queries.ts"
import { taskMessages } from "../../features/work/tasks/messages.ts"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { historyMessages } from "./history-messages.ts"

type FieldChange = ResponseBody<"listActionParts">["data"][number]["changes"][number]

/** Larger ones are not set by people. */
const lastOrder = 1_000_000_000

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/
/** Beyond it, a value is cut. */
const maxCharacters = 200

interface FieldChangesProps {
  changes: readonly FieldChange[]
  /** Of a flow's or a data type's fields, by their ids. */
  titles?: ReadonlyMap<string, string> | undefined
}

/** What changed, field by field: before, struck through, and after. */
export function FieldChanges({ changes, titles }: FieldChangesProps) {
  const t = useMessages(historyMessages)
  const tTask = useMessages(taskMessages)
  const formats = useFormats()
  const { data: hubs = [] } = useQuery(hubsQuery)
  const hubNames = new Map(hubs.map((hub) => [hub._id as string, hub.name]))
  const text = (field: string, value: unknown): string | undefined => {
    if (value === null || value === undefined || value === "") return undefined
    if (value === "…") return t("hidden")
    if (Array.isArray(value)) {
      const items = value.map((item) => text(field, item)).filter((item) => item !== undefined)
      return items.length > 0 ? cut(items.join(", ")) : undefined
    }
    if (typeof value === "object") return cut(JSON.stringify(value))
    if (field === "status" && isStatus(value)) return tTask(value)
    // Until somebody sets an order, tasks have one of when they were made.
    if (field === "orderIndex" && Number(value) > lastOrder) return undefined
    if (field === "hubId") return hubNames.get(String(value)) ?? String(value)
    if (typeof value === "string" && timePattern.test(value)) return formats.dateTime(value)
    return cut(String(value))
  }
  const title = (field: string) => {
    const key = `field ${field}`
    if (isKnown(key)) return t(key)
    const id = field.replace(/^values\./, "")
    return titles?.get(id) ?? (field.startsWith("values.") ? id : inWords(field))
  }
  return (
    <dl className="field-changes">
      {changes.map(({ field, before, after }) => {
        const [was, is] = [text(field, before), text(field, after)]
        return was === undefined && is === undefined ? null : (
          <div key={field}>
            <dt>{title(field)}</dt>
            <dd>
              {was === undefined ? null : <del className="quiet">{was}</del>}{" "}
              {is === undefined ? was === undefined ? null : "–" : <ins>{is}</ins>}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

function isStatus(value: unknown): value is TaskStatus {
  return taskStatuses.some((status) => status === value)
}

function isKnown(key: string): key is keyof (typeof historyMessages)["en"] {
  return key in historyMessages.en
}

function cut(text: string): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
}

/** `fixedCost` as `Fixed cost`. */
function inWords(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
