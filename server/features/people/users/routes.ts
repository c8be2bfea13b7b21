import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import { commaList } from "#core/http/tolerance.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { pickFields } from "#core/paging.ts"
import { permissionNameOf } from "#core/permissions.ts"
import { FilterParameter } from "#core/row-filter.ts"
import { toT7 } from "#shared/wire-time.ts"
import { findOrganization, toWireOrganization } from "../../organization/organizations/index.ts"
import type { AccessHook } from "../accounts/index.ts"
import { defaultPolicy, policiesByRole } from "../password-policies/index.ts"
import { listRoles, toWireRole } from "../roles/index.ts"
import { createUser } from "./create-user.ts"
import { deleteUser, type LeaveHook } from "./delete-user.ts"
import { userErrors } from "./errors.ts"
import { explainPermission } from "./explain-permission.ts"
import { invitationRoutes } from "./invitations/invitation-routes.ts"
import { memberRoutes } from "./member-routes.ts"
import { ownUserRoutes } from "./own-user-routes.ts"
import { completeUser, findVisibleUser, listUsers } from "./queries.ts"
import { ListedUserSchema, NewUserBody, PatchUserBody, PutUserBody, UserSchema } from "./schemas.ts"
import { type EmailHook, updateUser } from "./update-user.ts"
import { isFieldUser, toWireFullUser, toWireListedUser, toWireUser } from "./wire.ts"

/** What other features do when a person leaves, changes their e-mail or loses every way in. */
export interface PersonHooks {
  onLeave: readonly LeaveHook[]
  onEmailChange: readonly EmailHook[]
  onAccessEnd: readonly AccessHook[]
}

const UserParams = Type.Object({ userId: IdSchema("user") })
const Written = Type.Object({
  status: Type.Literal(true),
  statusCode: Type.Literal(200),
  message: Type.String(),
  data: UserSchema,
  property: UserSchema,
})
const Deleted = Type.Object({ status: Type.Literal(true), id: IdSchema("user"), message: Type.String() })

/** `/user/{id}` returns the user at the top level and, for clients that expect it there, again in `data`. */
const ReadUser = Type.Object({ ...UserSchema.properties, data: UserSchema })

export function userRoutes(app: App, hooks: PersonHooks): void {
  ownUserRoutes(app, hooks)
  invitationRoutes(app)
  memberRoutes(app, hooks)

  app.get("/users", {
    config: { permission: "view/user", reads: "replica" },
    schema: {
      operationId: "listUsers",
      summary: "List all members of the organization",
      querystring: Type.Object({
        hubId: Type.Optional(Type.String({ description: "Comma-separated list" })),
        roleId: Type.Optional(Type.String({ description: "Comma-separated list" })),
        teamId: Type.Optional(Type.String({ description: "Comma-separated list" })),
        status: Type.Optional(Type.String({ description: "Comma-separated list of statuses" })),
        isFieldUser: Type.Optional(Type.Boolean()),
        fields: Type.Optional(
          Type.String({ description: "Comma-separated list; role and organization are complete if named" }),
        ),
        q: Type.Optional(Type.String({ description: "Part of a name or e-mail" })),
        filter: FilterParameter,
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          data: Type.Array(ListedUserSchema),
          dataVersion: Type.String({ description: "Unix seconds of the latest change of any member" }),
        }),
      },
    },
    async handler({ sql, caller, query }) {
      const [users, roles, organization] = await Promise.all([
        listUsers(sql, caller, {
          ...query,
          built: query.filter === undefined ? undefined : { text: query.filter, now: app.clock.now() },
        }),
        listRoles(sql, caller),
        findOrganization(sql, caller.organizationId),
      ])
      const policies = await policiesByRole(sql, caller.organizationId, roles)
      const asked = new Set(commaList(query.fields ?? ""))
      const shown = asked.has("organization")
        ? toWireOrganization(organization)
        : { _id: organization.id, name: organization.name }
      const contexts = new Map(
        roles.map((role) => [
          role.id,
          {
            role: toWireRole(role, { withPermissions: asked.has("role") }),
            isFieldUser: isFieldUser(role),
            policy: policies.get(role.id) ?? defaultPolicy,
            organization: shown,
          },
        ]),
      )
      const data = users.flatMap((user) => {
        const context = contexts.get(user.roleId)
        if (!context || (query.isFieldUser !== undefined && context.isFieldUser !== query.isFieldUser))
          return []
        return [pickFields(toWireListedUser(user, context), query.fields)]
      })
      return { status: true as const, data, dataVersion: toT7(users[0]?.lastChange ?? app.clock.now()) }
    },
  })

  app.get("/user/:userId", {
    config: { permission: "view/user", quick: true },
    schema: {
      operationId: "getUser",
      summary: "Get a member",
      params: UserParams,
      response: { 200: ReadUser },
    },
    async handler({ sql, caller, params }) {
      const user = await findVisibleUser(sql, caller, { id: params.userId })
      if (!user) throw userErrors.notFound()
      const full = await completeUser(sql, user)
      const wire = toWireFullUser(full.user, full.role, full.organization, full.policy)
      return { ...wire, data: wire }
    },
  })

  app.get("/user/email/:email", {
    config: { permission: "view/user", quick: true },
    schema: {
      operationId: "getUserByEmail",
      summary: "Get the member with this e-mail",
      params: Type.Object({ email: Type.String({ minLength: 1, maxLength: 254 }) }),
      response: { 200: UserSchema },
    },
    async handler({ sql, caller, params }) {
      const user = await findVisibleUser(sql, caller, { email: params.email })
      if (!user) throw userErrors.notFound()
      const full = await completeUser(sql, user)
      return toWireFullUser(full.user, full.role, full.organization, full.policy)
    },
  })

  app.post("/user", {
    config: { permission: "invite" },
    schema: {
      operationId: "createUser",
      summary:
        "Add a person to the organization; people without a password or with an existing account are invited",
      body: NewUserBody,
      response: {
        201: Type.Object({
          status: Type.Literal(true),
          code: Type.Literal(201),
          message: Type.String(),
          data: UserSchema,
          hasMailServer: Type.Boolean({ description: "Without one, an invitation stays in the outbox" }),
        }),
      },
    },
    async handler({ sql, caller, body, ip }, reply) {
      const context = { address: ip, publicUrl: app.settings.publicUrl, live: app.live }
      const { user, role } = await inTransaction(sql, (tx) => createUser(tx, caller, body, context))
      reply.code(201)
      return {
        status: true as const,
        code: 201 as const,
        message: "User has been created",
        data: toWireUser(user, role),
        hasMailServer: app.settings.mailUrl !== undefined,
      }
    },
  })

  for (const [method, body] of [
    ["put", PutUserBody],
    ["patch", PatchUserBody],
  ] as const) {
    app[method]("/user/:userId", {
      config: { permission: "edit/member" },
      schema: {
        operationId: method === "put" ? "updateUser" : "patchUser",
        summary: "Change a member's name, contact, hubs, teams, role or status",
        params: UserParams,
        body,
        response: { 200: Written },
      },
      async handler({ sql, caller, params, body: options, ip }) {
        const context = { address: ip, live: app.live, hooks }
        const { user, role } = await inTransaction(sql, (tx) =>
          updateUser(tx, caller, params.userId, options, context),
        )
        const wire = toWireUser(user, role)
        return {
          status: true as const,
          statusCode: 200 as const,
          message: "User has been updated",
          data: wire,
          property: wire,
        }
      },
    })
  }

  for (const [path, operationId] of [
    ["/member/:userId", "deleteMember"],
    ["/user/:userId", "deleteUser"],
  ] as const) {
    app.delete(path, {
      config: { permission: "delete/member" },
      schema: {
        operationId,
        summary: "Remove a member; their open tasks become unassigned",
        params: UserParams,
        response: { 200: Deleted },
      },
      async handler({ sql, caller, params, ip }) {
        const context = { address: ip, live: app.live, onLeave: hooks.onLeave }
        const person = await inTransaction(sql, (tx) => deleteUser(tx, caller, params.userId, context))
        return { status: true as const, id: person.id, message: "User has been deleted" }
      },
    })
  }

  app.get("/permission-explanation", {
    config: { permission: "view/user" },
    schema: {
      operationId: "explainPermission",
      summary: "Explain rule by rule why a member may or may not do something",
      querystring: Type.Object({
        userId: IdSchema("user"),
        permission: Type.String({ minLength: 1, description: "Name or id" }),
        hubId: Type.Optional(IdSchema("hub")),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          data: Type.Object({
            isAllowed: Type.Boolean(),
            reasons: Type.Array(
              Type.Object({
                check: Type.String({ description: "membership, role, hub, team or own-tasks" }),
                passed: Type.Boolean(),
                text: Type.String(),
              }),
            ),
          }),
        }),
      },
    },
    async handler({ sql, caller, query }) {
      const permission =
        permissionNameOf(query.permission) ??
        (query.permission.startsWith("view/custom/")
          ? (query.permission as `view/custom/${string}`)
          : undefined)
      if (!permission) throw userErrors.unknownPermission()
      const options = { userId: query.userId, permission, hubId: query.hubId }
      return { status: true as const, data: await explainPermission(sql, caller, options) }
    },
  })
}
