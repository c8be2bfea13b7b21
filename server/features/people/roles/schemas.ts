import { Type } from "typebox"
import { IdSchema } from "#core/ids.ts"

export const PermissionEntrySchema = Type.Object(
  {
    _id: Type.String(),
    name: Type.String(),
    module: Type.String(),
    menu: Type.String(),
    displayName: Type.String(),
    access: Type.Boolean(),
    meta: Type.Object({}, { additionalProperties: true }),
  },
  { title: "RolePermission" },
)

export const PermissionDetailSchema = Type.Object(
  { permissionName: Type.String() },
  {
    title: "PermissionDetail",
    additionalProperties: true,
    description: "Settings of a permission, for example the flows of add/task",
  },
)

export const RoleSchema = Type.Object(
  {
    _id: IdSchema("role"),
    organizationId: IdSchema("organization"),
    name: Type.String(),
    isAdmin: Type.Boolean(),
    isDefault: Type.Boolean(),
    isDeleted: Type.Boolean(),
    permissionList: Type.Array(Type.String()),
    permissionDetails: Type.Array(PermissionDetailSchema),
    permissions: Type.Optional(Type.Array(PermissionEntrySchema)),
    passwordPolicyId: Type.Union([Type.String(), Type.Null()]),
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "Role" },
)

export const RoleBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    permissionList: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        maxItems: 1000,
        description: "Ids or names of permissions",
      }),
    ),
    permissionDetails: Type.Optional(Type.Array(PermissionDetailSchema, { maxItems: 1000 })),
    passwordPolicyId: Type.Optional(Type.Union([IdSchema("password policy"), Type.Null()])),
  },
  { title: "RoleInput" },
)
