import { otherTitlesOf } from "#shared/task-field-titles/titles.ts"
import {
  type FlowComponent,
  type FlowRow,
  type InputType,
  inputTypeOf,
  isRequired,
} from "../../../work/flows/index.ts"
import { titleOf } from "../../../work/tasks/index.ts"
import { taskKeyId } from "../rows/item-columns.ts"
import { itemComponents, itemFields } from "../rows/item-fields.ts"
import { optionalFields } from "./optional-fields.ts"
import { type FieldKind, type ImportField, samplePhoneNumber } from "./target.ts"

/** Of the sample row of a template, and of the sample items that belong to it. */
export const sampleId = "1"

const windowFields: readonly ImportField[] = [
  {
    id: "startTime",
    title: "Start Time",
    otherTitles: otherTitlesOf("startTime"),
    kind: "dateTime",
    help: "Earliest start, such as 2031-05-04 09:30:00, in your organization's time zone. Empty: now",
    aliases: ["start", "begin", "from", "date", "delivery date", "planned", "scheduled"],
  },
  {
    id: "endTime",
    title: "End Time",
    otherTitles: otherTitlesOf("endTime"),
    kind: "dateTime",
    help: "Latest end. Empty: one day after the start",
    sample: "2031-05-04 17:00:00",
    aliases: ["end", "due", "until", "deadline"],
  },
  {
    id: "assignee",
    title: "Assignee",
    otherTitles: otherTitlesOf("assignee"),
    kind: "email",
    help: "E-mail addresses of members with access to the hub, separated by commas. Empty: unassigned",
    aliases: ["driver", "worker", "email", "e-mail"],
  },
]

/** Components of the initial page that a spreadsheet can fill. */
export function importedComponents(flow: Pick<FlowRow, "pages">): FlowComponent[] {
  const page = flow.pages.find(({ id }) => id === "page0") ?? flow.pages[0]
  return (page?.components ?? []).filter(({ component }) => component === "input" || component === "select")
}

/** The columns of a task import: a flow's initial page, then the time window and who does it. */
export function taskFields(flow: Pick<FlowRow, "pages">): ImportField[] {
  const taken = new Set(flow.pages.flatMap(({ components }) => components.map(({ id }) => id)))
  return [
    {
      id: taskKeyId,
      title: "ID",
      kind: "text",
      help: "Your own reference of the task; updates find tasks by it",
      isInTemplate: itemComponents(flow).length > 0,
      sample: sampleId,
      aliases: ["_id", "reference", "ref id", "refid", "order id", "order number"],
    },
    ...importedComponents(flow).flatMap(componentFields),
    ...itemFields(flow),
    ...windowFields,
    ...optionalFields.filter(({ id }) => !taken.has(id)),
  ]
}

function componentFields(component: FlowComponent): ImportField[] {
  const title = titleOf(component)
  const field: ImportField = {
    id: component.id,
    title,
    required: isRequired(component) && isBlank(component.default),
    kind: kindOf(component),
    ...sampleOf(component),
    ...describe(component),
  }
  if (component.useUnit !== true) return [field]
  const units = unitsOf(component)
  return [
    field,
    {
      id: `${component.id}_unit`,
      title: `${title} Unit`,
      kind: "option",
      options: units,
      isStrict: true,
      help: `One of ${units.join(", ")}. Empty: ${units[0] ?? ""}`,
    },
  ]
}

export function unitsOf(component: FlowComponent): string[] {
  return Array.isArray(component.units) ? component.units.map(String) : []
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === ""
}

const kinds: Record<InputType, FieldKind> = {
  String: "text",
  Date: "date",
  Datetime: "dateTime",
  Time: "time",
  Numeric: "number",
  Address: "address",
  Geolocation: "coordinate",
  PhoneNumber: "text",
  URL: "text",
  Currency: "number",
}

function sampleOf(component: FlowComponent): Pick<ImportField, "sample"> {
  if (component.component !== "input") return {}
  const type = inputTypeOf(component)
  if (type === "PhoneNumber") return { sample: samplePhoneNumber }
  return type === "URL" ? { sample: "https://www.fieldway.example" } : {}
}

function kindOf(component: FlowComponent): FieldKind {
  if (component.component === "select") return "option"
  return kinds[inputTypeOf(component) ?? "String"]
}

const helps: Partial<Record<InputType, string>> = {
  Date: "A date such as 2031-05-04",
  Datetime: "A date and time such as 2031-05-04 09:30:00",
  Time: "A time of day such as 09:30",
  Numeric: "A number",
  Currency: "An amount",
  Geolocation: "latitude,longitude in degrees, such as 52.37,4.89",
  PhoneNumber: "6 to 20 digits, optionally with a leading +",
  URL: "A complete web address, https://…",
}

function describe(component: FlowComponent): Partial<ImportField> {
  if (component.component !== "select") {
    const help = helps[inputTypeOf(component) ?? "String"]
    return help ? { help } : {}
  }
  const options = component.options ?? []
  const isStrict = Number(component.max ?? 1) <= 1
  return {
    options,
    isStrict,
    help: isStrict
      ? `One of: ${options.join(", ")}`
      : `One or more of these, separated by commas: ${options.join(", ")}`,
  }
}
