import { Type } from "typebox"
import { IdSchema } from "#core/ids.ts"
import { PaginatorSchema } from "#core/paging.ts"

export const pluginStatuses = ["active", "inactive", "draft"] as const
export type PluginStatus = (typeof pluginStatuses)[number]

const NullableText = Type.Union([Type.String(), Type.Null()])
export const PluginSchema = Type.Object(
  {
    id: IdSchema("plugin"),
    name: Type.String(),
    description: Type.String(),
    resourceFile: Type.String(),
    resourceUrl: Type.String({ description: "Signed URL, valid for one day" }),
    icon: NullableText,
    organizationId: Type.String({ description: "`system` for global plugins" }),
    organizationName: Type.String(),
    isUsed: Type.Boolean({
      description: "Whether it is enabled in your organization; it runs while its status is active",
    }),
    permissions: Type.Array(Type.String(), { description: "Permissions that its script requests" }),
    grantedPermissions: Type.Array(Type.String(), {
      description: "Permissions granted in your organization",
    }),
    customModuleId: NullableText,
    createdBy: Type.String(),
    updatedBy: NullableText,
    createdTime: Type.String(),
    updatedTime: Type.String(),
    status: Type.String(),
  },
  { title: "Plugin" },
)

export const PluginResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: PluginSchema,
})
export const PluginListResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: PaginatorSchema(PluginSchema),
})
export const RunningPluginsResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Array(
    Type.Object({
      id: IdSchema("plugin"),
      name: Type.String(),
      icon: NullableText,
      customModuleId: NullableText,
      permissions: Type.Array(Type.String(), {
        description: "Permissions that are granted to the plugin and that you have: its reads use these",
      }),
      frameUrl: Type.String({
        description: "Path of the page that runs it in a sandboxed frame; valid for one day",
      }),
    }),
  ),
})
export const DeletedPluginResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Object({ deletedPluginId: IdSchema("plugin"), deletedAt: Type.String() }),
})
