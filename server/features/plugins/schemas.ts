import { Type } from "typebox"
import { IdSchema } from "#core/ids.ts"
import { PaginatorSchema } from "#core/paging.ts"

export const pluginStatuses = ["active", "inactive", "draft"] as const
export type PluginStatus = (typeof pluginStatuses)[number]

const NullableText = Type.Union([Type.String(), Type.Null()])
export const PluginSchema = Type.Object({
  id: IdSchema("plugin"),
  name: Type.String(),
  description: Type.String(),
  resourceFile: Type.String(),
  resourceUrl: Type.String({ description: "Signed, good for a day" }),
  icon: NullableText,
  organizationId: Type.String({ description: "`system` for global plugins" }),
  organizationName: Type.String(),
  isUsed: Type.Boolean(),
  customModuleId: NullableText,
  createdBy: Type.String(),
  updatedBy: NullableText,
  createdTime: Type.String(),
  updatedTime: Type.String(),
  status: Type.String(),
})

export const PluginAnswer = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: PluginSchema,
})
export const PluginListAnswer = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: PaginatorSchema(PluginSchema),
})
export const DeletedPluginAnswer = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Object({ deletedPluginId: IdSchema("plugin"), deletedAt: Type.String() }),
})
