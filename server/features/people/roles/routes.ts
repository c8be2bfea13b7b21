import { Type } from "typebox"
import { inTransaction, type Tx } from "#core/database/database.ts"
import { publish } from "#core/events/publish.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { permissionCatalogue, permissionId, permissionNames } from "#core/permissions.ts"
import { createRole } from "./create-role.ts"
import { listCustomPermissions } from "./custom-permissions.ts"
import { roleErrors } from "./errors.ts"
import type { FindFlow } from "./permission-settings.ts"
import { findRole, listRoles } from "./queries.ts"
import { PermissionEntrySchema, RoleBody, RoleSchema } from "./schemas.ts"
import { deleteRole, updateRole } from "./update-role.ts"
import { type RoleRow, toWireRole } from "./wire.ts"

const RoleParams = Type.Object({ roleId: IdSchema("role") })
const ReadRole = Type.Object({
  ...RoleSchema.properties,
  permission: Type.Array(PermissionEntrySchema, {
    description: "Same as permissions, for older clients",
  }),
})
const WrittenRole = Type.Object({ ...RoleSchema.properties, status: Type.Literal(true), data: RoleSchema })
const CatalogueEntry = Type.Object(
  {
    _id: Type.String(),
    name: Type.String(),
    module: Type.String(),
    menu: Type.String(),
    displayName: Type.String(),
    meta: Type.Object({}, { additionalProperties: true }),
  },
  { title: "Permission" },
)

export function roleRoutes(app: App, findFlow: FindFlow): void {
  const publishChange = async (tx: Tx, role: RoleRow): Promise<RoleRow> => {
    const { organizationId, id: roleId } = role
    await publish(tx, app.live, "role.changed", { organizationId, content: { roleId } })
    return role
  }

  app.get("/roles", {
    config: { permission: "view/role" },
    schema: {
      operationId: "listRoles",
      summary: "List the roles of the organization",
      response: { 200: Type.Object({ status: Type.Literal(true), data: Type.Array(RoleSchema) }) },
    },
    async handler({ sql, caller }) {
      const roles = await listRoles(sql, caller)
      return { status: true as const, data: roles.map((role) => toWireRole(role, { withPermissions: true })) }
    },
  })

  app.get("/permissions", {
    config: { signedIn: true, scopedToken: ["view/role", "view/permission"] },
    schema: {
      operationId: "listPermissions",
      summary: "List the permissions that a role can have, with their labels",
      response: { 200: Type.Object({ status: Type.Literal(true), data: Type.Array(CatalogueEntry) }) },
    },
    async handler({ sql, caller }) {
      const custom = await listCustomPermissions(sql, caller.organizationId)
      const known = permissionNames.map((name) => {
        const { module, menu, label } = permissionCatalogue[name]
        return { _id: permissionId(name), name, module, menu, displayName: label, meta: {} }
      })
      const brought = custom.map(({ name, moduleName }) => ({
        _id: permissionId(name),
        name,
        module: "customModule",
        menu: "custom",
        displayName: `View ${moduleName}`,
        meta: {},
      }))
      return { status: true as const, data: [...known, ...brought] }
    },
  })

  app.get("/role/:roleId", {
    config: { permission: "view/role", quick: true },
    schema: {
      operationId: "getRole",
      summary: "Get a role with its permissions",
      params: RoleParams,
      response: { 200: Type.Object({ status: Type.Literal(true), data: ReadRole }) },
    },
    async handler({ sql, caller, params }) {
      const role = await findRole(sql, caller, params.roleId)
      if (!role) throw roleErrors.notFound()
      const wire = toWireRole(role, { withPermissions: true })
      return { status: true as const, data: { ...wire, permission: wire.permissions ?? [] } }
    },
  })

  app.post("/role", {
    config: { permission: "create/role" },
    schema: {
      operationId: "createRole",
      summary: "Create a custom role",
      body: RoleBody,
      response: { 200: WrittenRole },
    },
    handler: async ({ sql, caller, body, ip }) =>
      written(
        await inTransaction(sql, async (tx) =>
          publishChange(tx, await createRole(tx, caller, body, { address: ip, findFlow })),
        ),
      ),
  })

  app.put("/role/:roleId", {
    config: { anyOf: ["edit/role", "edit/permission"] },
    schema: {
      operationId: "updateRole",
      summary: "Change a role's name, permissions, permission settings or password policy",
      params: RoleParams,
      body: RoleBody,
      response: { 200: WrittenRole },
    },
    handler: async ({ sql, caller, params, body, ip }) =>
      written(
        await inTransaction(sql, async (tx) =>
          publishChange(tx, await updateRole(tx, caller, params.roleId, body, { address: ip, findFlow })),
        ),
      ),
  })

  app.delete("/role/:roleId", {
    config: { permission: "delete/role" },
    schema: {
      operationId: "deleteRole",
      summary: "Delete a custom role without members",
      params: RoleParams,
      response: { 200: WrittenRole },
    },
    handler: async ({ sql, caller, params, ip }) =>
      written(
        await inTransaction(sql, async (tx) =>
          publishChange(tx, await deleteRole(tx, caller, params.roleId, ip)),
        ),
      ),
  })
}

/** Writes return the role at the top level and again in `data`. */
function written(role: RoleRow) {
  const wire = toWireRole(role, { withPermissions: true })
  return { ...wire, status: true as const, data: wire }
}
