import { type Objects, safeName } from "#core/objects/objects.ts"
import { runInThread, type ThreadTask } from "#core/threads/run-in-thread.ts"
import { headerTitles } from "#packages/spreadsheets/headers.ts"
import type { TemplateColumn, TemplateSheet } from "#packages/spreadsheets/write-template.ts"
import type { ImportRow } from "../queries.ts"
import type { ItemGroup } from "../rows/item-columns.ts"
import type { FieldKind, ImportField, Target } from "../targets/target.ts"
import { sampleId } from "../targets/task-fields.ts"

type Templated = Pick<ImportRow, "organizationId" | "type" | "targetId" | "targetName">

/** Where the template of a flow or data type lies. */
export function templateKey({ organizationId, type, targetId, targetName }: Templated): string {
  const name = type === "datasource" ? safeName(targetName ?? "data") : `${type}_${targetId ?? "import"}`
  return `${organizationId}/templates/template_${name}.xlsx`
}

/** Lists of options may be long: a data type's records are among them. */
const writing: ThreadTask<readonly TemplateSheet[], Uint8Array> = {
  name: "writing the template",
  module: new URL("./template-thread.ts", import.meta.url),
  pool: "quick",
  seconds: 60,
}

/** Rebuilds the template: its sources may have changed since the last time. */
export async function storeTemplate(
  objects: Objects,
  query: Templated,
  { fields, itemGroups = [] }: Pick<Target, "fields" | "itemGroups">,
): Promise<string> {
  const key = templateKey(query)
  const offered = fields.filter(({ isInTemplate }) => isInTemplate !== false)
  const titles = headerTitles(offered)
  const columns = offered.map((field, index) => templateColumn(field, titles[index] ?? field.title))
  const sheets = [{ name: query.targetName ?? "Import", columns }, ...itemGroups.map(itemSheet)]
  const { organizationId } = query
  await objects.put(key, Buffer.from(await runInThread(writing, sheets, { organizationId })))
  return key
}

/** A sheet of items; its sample belongs to the sample task. */
function itemSheet({ title, isBill, needsQuantity, names }: ItemGroup): TemplateSheet {
  const options = names.length > 0 ? { options: names } : {}
  const id = { title: "ID", kind: "text" as const, help: "The ID of the task in the first sheet" }
  const item = { title: "Item*", kind: "text" as const, help: "One item per row", ...options }
  const quantity = { title: "Qty*", kind: "number" as const, help: "A number of 0 or more", sample: 1 }
  const price = { title: "Price", kind: "number" as const, help: "The price of one unit", sample: 1 }
  return {
    name: title,
    columns: [
      { ...id, sample: sampleId },
      { ...item, sample: names[0] ?? "Sample" },
      ...(needsQuantity ? [quantity] : []),
      ...(isBill ? [price] : []),
    ],
  }
}

function templateColumn(field: ImportField, title: string): TemplateColumn {
  const { help, options, isStrict, sample } = field
  const kind = columnKinds[field.kind]
  return {
    title,
    ...(help ? { help } : {}),
    ...(options && options.length > 0 ? { options, strict: isStrict === true } : {}),
    ...(kind ? { kind } : {}),
    sample: sample ?? options?.[0] ?? samples[field.kind],
  }
}

const columnKinds: Partial<Record<FieldKind, NonNullable<TemplateColumn["kind"]>>> = {
  text: "text",
  address: "text",
  coordinate: "text",
  number: "number",
}

const samples: Record<FieldKind, string | number | boolean> = {
  text: "Sample",
  number: 1,
  date: "2031-05-04",
  dateTime: "2031-05-04 08:00:00",
  time: "08:00",
  boolean: true,
  option: "",
  coordinate: "52.3731,4.8926",
  address: "Quay 1",
  email: "",
}
