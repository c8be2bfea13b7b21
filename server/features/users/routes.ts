import { Type } from "typebox"
import { inTransaction } from "#core/database.ts"
import type { App } from "#core/http/types.ts"
import { pickFields } from "#core/paging.ts"
import { findOrganization } from "../organizations/index.ts"
import { listRoles } from "../roles/index.ts"
import { createUser } from "./create-user.ts"
import { userErrors } from "./errors.ts"
import { findFullUser, listUsers } from "./queries.ts"
import { NewUserBody, UserSchema } from "./schemas.ts"
import { isFieldUser, toWireFullUser, toWireListedUser, toWireUser } from "./wire.ts"

export function userRoutes(app: App): void {
  app.get(
    "/users",
    {
      config: { permission: "view/user" },
      schema: {
        tags: ["Users"],
        operationId: "listUsers",
        summary: "All members of the organization",
        querystring: Type.Object({
          hubId: Type.Optional(Type.String()),
          roleId: Type.Optional(Type.String()),
          teamId: Type.Optional(Type.String()),
          status: Type.Optional(Type.String({ description: "Comma list of statuses" })),
          isFieldUser: Type.Optional(Type.Boolean()),
          fields: Type.Optional(Type.String()),
          q: Type.Optional(Type.String({ description: "Part of a name or e-mail" })),
        }),
        response: {
          200: Type.Object({ status: Type.Literal(true), data: Type.Array(Type.Partial(UserSchema)) }),
        },
      },
    },
    async ({ sql, caller, query }) => {
      const [users, roles, organization] = await Promise.all([
        listUsers(sql, caller, query),
        listRoles(sql, caller),
        findOrganization(sql, caller.organizationId),
      ])
      const roleOf = new Map(roles.map((role) => [role.id, role]))
      const rows = users.flatMap((user) => {
        const role = roleOf.get(user.roleId)
        if (!role || (query.isFieldUser !== undefined && isFieldUser(role) !== query.isFieldUser)) return []
        return [pickFields(toWireListedUser(user, role, organization), query.fields)]
      })
      return { status: true as const, data: rows }
    },
  )

  app.get(
    "/user",
    {
      config: { signedIn: true },
      schema: {
        tags: ["Users"],
        operationId: "getOwnUser",
        summary: "The caller",
        response: { 200: UserSchema },
      },
    },
    async ({ sql, caller }) => {
      const found = await findFullUser(sql, caller, caller.userId)
      if (!found) throw userErrors.notFound()
      return toWireFullUser(found.user, found.role, found.organization)
    },
  )

  app.post(
    "/user",
    {
      config: { permission: "invite" },
      schema: {
        tags: ["Users"],
        operationId: "createUser",
        summary: "Add a person to the organization",
        body: NewUserBody,
        response: {
          201: Type.Object({
            status: Type.Literal(true),
            code: Type.Literal(201),
            message: Type.String(),
            data: UserSchema,
          }),
        },
      },
    },
    async ({ sql, caller, body, ip }, reply) => {
      const { user, role } = await inTransaction(sql, (tx) => createUser(tx, caller, body, ip))
      reply.code(201)
      return {
        status: true as const,
        code: 201 as const,
        message: "User has been created",
        data: toWireUser(user, role),
      }
    },
  )
}
