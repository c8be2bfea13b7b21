import "./history.css"
import { isTaskPriority } from "#shared/task-priorities.ts"
import { type TaskStatus, taskStatuses } from "#shared/task-status.ts"
import type { ResponseBody } from "../../api/server.ts"
import { labelMessages } from "../../features/work/tasks/label-messages.ts"
import { taskMessages } from "../../features/work/tasks/messages.ts"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { builderMessages } from "../filters/filter-messages.ts"
import { historyMessages } from "./history-messages.ts"
import { useKnownNames } from "./known-names.ts"
import { leafChanges } from "./leaf-changes.ts"

type FieldChange = ResponseBody<"listActionParts">["data"][number]["changes"][number]

/** Larger ones are not set by people. */
const lastOrder = 1_000_000_000

const dayPattern = /^\d{4}-\d\d-\d\d$/
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/
/** Beyond it, a value is cut. */
const maxCharacters = 200
/** Of one field; more are counted. */
const maxLeaves = 30

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
  const tLabel = useMessages(labelMessages)
  const tBuilder = useMessages(builderMessages)
  const names = useKnownNames(changes)
  const text = (field: string, value: unknown): string | undefined => {
    if (value === null || value === undefined || value === "") return undefined
    if (value === "…") return t("hidden")
    if (typeof value === "boolean") return tBuilder(value ? "yes" : "no")
    if (Array.isArray(value)) {
      const items = value.map((item) => text(field, item)).filter((item) => item !== undefined)
      return items.length > 0 ? cut(items.join(", ")) : undefined
    }
    if (typeof value === "object") return cut(JSON.stringify(value))
    if (field === "status" && isStatus(value)) return tTask(value)
    if (field === "priority" && isTaskPriority(value)) return tLabel(value)
    // Until somebody sets an order, tasks have one of when they were made.
    if (field === "orderIndex" && Number(value) > lastOrder) return undefined
    if (typeof value === "string" && timePattern.test(value)) return formats.dateTime(value)
    if (typeof value === "string" && dayPattern.test(value)) return formats.day(value)
    return names.get(String(value)) ?? cut(String(value))
  }
  const title = (field: string) => {
    const key = `field ${field}`
    if (isKnown(key)) return t(key)
    const id = field.replace(/^values\./, "")
    return titles?.get(id) ?? (field.startsWith("values.") ? id : inWords(field))
  }
  const lines = changes.flatMap(({ field, before, after }) => {
    const leaves = leafChanges(before, after).map(({ path, ...leaf }) => ({
      name: [title(field), ...path.map(inWords)].join(" › "),
      was: text(path.at(-1) ?? field, leaf.before),
      is: text(path.at(-1) ?? field, leaf.after),
    }))
    const shown = leaves.filter(({ was, is }) => was !== undefined || is !== undefined)
    const more = shown.length - maxLeaves
    return [
      ...shown.slice(0, maxLeaves),
      ...(more > 0 ? [{ name: title(field), was: undefined, is: `+${more}` }] : []),
    ].map((line, index) => ({ ...line, key: `${field}-${index}` }))
  })
  return (
    <dl className="field-changes">
      {lines.map(({ key, name, was, is }) => (
        <div key={key}>
          <dt>{name}</dt>
          <dd>
            {was === undefined ? null : <del className="quiet">{was}</del>} {is ? <ins>{is}</ins> : "–"}
          </dd>
        </div>
      ))}
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

/** `fixedCost` as `Fixed cost`; names that people gave stay as they are. */
function inWords(name: string): string {
  if (!/^[a-z][A-Za-z0-9]*$/.test(name)) return name
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
