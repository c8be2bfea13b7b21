import { isId } from "#core/ids.ts"
import { pluginErrors } from "./errors.ts"
import type { PluginStatus } from "./schemas.ts"

/** What a form or a JSON body asks for; undefined: as it is. */
export interface PluginOptions {
  name: string
  description: string
  customModuleId: string | null | undefined
  status: PluginStatus | undefined
  isUsed: boolean | undefined
}

export function readOptions(fields: Readonly<Record<string, unknown>>): PluginOptions {
  const { name, description, status, customModuleId, isUsed } = fields
  for (const [field, value] of Object.entries({ name, description }))
    if (typeof value !== "string" || value.trim() === "")
      throw pluginErrors.required({ message: `${field} is required`, fields: { [field]: ["is required"] } })
  const [title, text] = [String(name).trim(), String(description).trim()]
  if (title.length < 3 || title.length > 100) throw pluginErrors.badLength({ fields: { name: ["3 to 100"] } })
  if (text.length < 10 || text.length > 500)
    throw pluginErrors.badLength({ fields: { description: ["10 to 500"] } })
  if (status !== undefined && status !== "active" && status !== "inactive" && status !== "draft")
    throw pluginErrors.badStatus({ fields: { status: ["active, inactive or draft"] } })
  const moduleId = customModuleId === "" ? null : customModuleId
  if (moduleId !== undefined && moduleId !== null && !isId(moduleId)) throw pluginErrors.badModule()
  const used = isUsed === undefined ? undefined : isUsed === true || isUsed === "true" || isUsed === "1"
  return { name: title, description: text, customModuleId: moduleId, status, isUsed: used }
}
