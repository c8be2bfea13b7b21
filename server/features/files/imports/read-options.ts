import { basename } from "node:path"
import { type Caller, may } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import { parseBoolean } from "#core/http/tolerance.ts"
import { findHub } from "../../organization/hubs/index.ts"
import { allowedFlowIds } from "../../work/flows/index.ts"
import { importErrors } from "./errors.ts"
import { findImport, type ImportRow } from "./queries.ts"
import { type ColumnMapping, type ImportMode, type ImportType, importModes, importTypes } from "./settings.ts"
import { openTarget } from "./targets/open-target.ts"
import type { Target } from "./targets/target.ts"
import type { Upload } from "./upload/receive-upload.ts"

/** What the form of an upload asks for. */
export interface ImportOptions {
  type: ImportType
  mode: ImportMode
  hubId: string | null
  targetId: string | null
  targetName: string | null
  name: string | null
  filename: string
  columns: ColumnMapping
  isDryRun: boolean
  isForced: boolean
  continues: string | null
  /** Finds what the rows become, and checks that the caller may fill it. Throws 400, 403 or 422. */
  checkTarget(): Promise<Target>
}

const extensions = /\.(csv|xlsx|xls|gpx|kml|kmz|geojson|json)$/i
/** The name of a file of failed rows, also as a browser saves it a second time. */
const failedRowsName = /^failed_.*_([0-9a-f]{24})(?: ?\(\d+\))?\.xlsx$/i

/** Reads the form's parts in the order of the contract's checks, up to the file's extension. */
export async function readOptions(
  sql: Sql,
  caller: Caller,
  upload: Upload,
  flags: { force?: boolean | undefined; dryRun?: boolean | undefined } = {},
): Promise<ImportOptions> {
  const { file, fields } = upload
  const filename = basename((file?.filename ?? "").replaceAll("\\", "/")).slice(0, 255)
  const earlier = file ? await continuedImport(sql, caller, fields.continues, filename) : undefined
  const typeText = fields.type ?? earlier?.type ?? "datasource"
  const targetId =
    (
      fields[targetPart(typeText)] ??
      (typeText === "route" ? undefined : fields.flowId) ??
      earlier?.targetId ??
      ""
    ).toLowerCase() || null
  const hubId = (fields.hubId ?? earlier?.hubId ?? "").toLowerCase() || null
  const missing = missingPart(file !== undefined, typeText, targetId, hubId)
  if (missing)
    throw importErrors.partMissing({
      message: `The part ${missing} is missing`,
      fields: { [missing]: ["is required"] },
    })
  if (!extensions.test(filename))
    throw importErrors.badFile({ message: "Upload a .csv, .xlsx, .xls, .gpx, .kml, .kmz or .geojson file" })
  const options: ImportOptions = {
    type: "datasource",
    mode: earlier?.mode ?? "create",
    hubId,
    targetId,
    targetName: null,
    name: (fields.name ?? earlier?.name ?? null)?.slice(0, 255) ?? null,
    filename,
    columns: {},
    isDryRun: flags.dryRun ?? parseBoolean(fields.dryRun) ?? false,
    isForced: flags.force ?? parseBoolean(fields.force) ?? false,
    continues: earlier?.id ?? null,
    checkTarget: async () => {
      options.type = oneOf(importTypes, typeText, "type")
      options.mode = oneOf(importModes, fields.mode ?? options.mode, "mode")
      options.columns = fields.columns === undefined ? (earlier?.columns ?? {}) : readColumns(fields.columns)
      const target = await checkTarget(sql, caller, options)
      options.targetName = target.name
      return target
    },
  }
  return options
}

async function continuedImport(
  sql: Sql,
  caller: Caller,
  given: string | undefined,
  filename: string,
): Promise<ImportRow | undefined> {
  const importId = given ?? failedRowsName.exec(filename)?.[1]
  const found = importId === undefined ? undefined : await findImport(sql, caller, importId)
  if (given !== undefined && !found)
    throw importErrors.badSetting({ message: "continues refers to an import that does not exist" })
  return found
}

function targetPart(type: string): string {
  if (type === "datasource") return "dataTypeId"
  if (type === "route") return "routeConfigId"
  return type === "visit" ? "visitTypeId" : "flowId"
}

function missingPart(
  hasFile: boolean,
  type: string,
  targetId: string | null,
  hubId: string | null,
): string | undefined {
  if (!hasFile) return "file"
  if (type === "datasource") return targetId ? undefined : "dataTypeId"
  if (type === "task" || type === "visit") return targetId ? (hubId ? undefined : "hubId") : "flowId"
  return ["route", "vehicle", "user"].includes(type) && !hubId ? "hubId" : undefined
}

function oneOf<const Word extends string>(words: readonly Word[], text: string, part: string): Word {
  const found = words.find((word) => word === text)
  if (found) return found
  const message = `${part} must be one of ${words.join(", ")}`
  throw importErrors.badSetting({ message, fields: { [part]: [`must be one of ${words.join(", ")}`] } })
}

/** `{"deliveryPoint": ["latitude", "longitude"], "note": null}` */
export function readColumns(text: string): ColumnMapping {
  const refuse = () =>
    importErrors.badSetting({
      message:
        'columns must be a JSON object of field and header, of field and two headers that form a coordinate, or of field and {"value":"…"} for all rows',
    })
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw refuse()
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) throw refuse()
  const isHeader = (value: unknown) => typeof value === "string" && value !== ""
  for (const value of Object.values(parsed)) {
    const isPair = Array.isArray(value) && value.length === 2 && value.every(isHeader)
    if (value !== null && !isHeader(value) && !isPair && !isOneValue(value)) throw refuse()
  }
  return parsed as ColumnMapping
}

const longestValue = 1_000

/** `{"value": "Box"}` */
function isOneValue(source: unknown): boolean {
  if (typeof source !== "object" || source === null || Object.keys(source).join() !== "value") return false
  const { value } = source as { value: unknown }
  return (
    typeof value === "string" && value.trim() !== "" && value.length <= longestValue && value.isWellFormed()
  )
}

async function checkTarget(sql: Sql, caller: Caller, options: ImportOptions): Promise<Target> {
  const target = await openTarget(sql, caller, options)
  if (!target)
    throw importErrors.badTarget({ message: `A ${targetWords[options.type]} with this id does not exist` })
  checkRights(caller, options)
  if (target.isCommon) options.hubId = null
  else if (options.hubId === null || !(await findHub(sql, caller, options.hubId)))
    throw importErrors.badTarget({
      message: "hubId must be one of your hubs",
      fields: { hubId: ["is not one of your hubs"] },
    })
  return target
}

const targetWords: Record<ImportType, string> = {
  datasource: "data type that can be imported",
  task: "flow",
  visit: "flow",
  route: "routing configuration",
  vehicle: "hub",
  user: "hub",
}

/** What rows create, and what they change, needs the permissions of single calls. */
const rights = {
  task: { create: "add/task", change: "edit/task" },
  visit: { create: "add/task", change: "edit/task" },
  route: { create: "route-optimization", change: "route-optimization" },
  vehicle: { create: "add/vehicle", change: "edit/vehicle" },
  user: { create: "invite", change: "edit/member" },
} as const

function checkRights(caller: Caller, { type, mode, targetId }: ImportOptions): void {
  if (type === "datasource") return
  const { create, change } = rights[type]
  for (const permission of [...(mode === "update" ? [] : [create]), ...(mode === "create" ? [] : [change])]) {
    if (!may(caller, permission))
      throw new AppError(403, "auth-003", `Your role lacks the permission ${permission}`)
  }
  if (type !== "task" && type !== "visit") return
  const allowed = allowedFlowIds(caller)
  if (allowed && !allowed.includes(targetId ?? ""))
    throw new AppError(403, "auth-003", "Your role does not allow creating tasks with this flow")
}
