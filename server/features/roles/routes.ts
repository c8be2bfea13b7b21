import { Type } from "typebox"
import { inTransaction } from "#core/database.ts"
import type { App } from "#core/http/types.ts"
import { createRole } from "./create-role.ts"
import { listRoles } from "./queries.ts"
import { RoleBody, RoleSchema } from "./schemas.ts"
import { toWireRole } from "./wire.ts"

export function roleRoutes(app: App): void {
  app.get(
    "/roles",
    {
      config: { permission: "view/role" },
      schema: {
        tags: ["Roles"],
        operationId: "listRoles",
        summary: "All roles of the organization",
        response: { 200: Type.Object({ status: Type.Literal(true), data: Type.Array(RoleSchema) }) },
      },
    },
    async ({ sql, caller }) => {
      const roles = await listRoles(sql, caller)
      return { status: true as const, data: roles.map((role) => toWireRole(role, { withPermissions: true })) }
    },
  )

  app.post(
    "/role",
    {
      config: { permission: "create/role" },
      schema: {
        tags: ["Roles"],
        operationId: "createRole",
        summary: "Create a custom role",
        body: RoleBody,
        response: {
          200: Type.Object({ ...RoleSchema.properties, status: Type.Literal(true), data: RoleSchema }),
        },
      },
    },
    async ({ sql, caller, body, ip }) => {
      const role = await inTransaction(sql, (tx) => createRole(tx, caller, body, ip))
      const wire = toWireRole(role, { withPermissions: true })
      return { ...wire, status: true as const, data: wire }
    },
  )
}
