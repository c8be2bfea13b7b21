import { Type } from "typebox"
import { may } from "#core/access/caller.ts"
import { inTransaction } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, pickFields, readDirection, readPage, SparseSchema } from "#core/paging.ts"
import { hubErrors } from "./errors.ts"
import { findHub, listHubs, toWireHub } from "./queries.ts"
import { HubBody, HubSchema } from "./schemas.ts"
import { createHub, deleteHub, type HubHooks, updateHub } from "./write-hub.ts"

const HubParams = Type.Object({ hubId: IdSchema("hub") })
const HubResponse = Type.Object({ status: Type.Literal(true), data: HubSchema })

export function hubRoutes(app: App, hooks: HubHooks): void {
  app.get("/hubs", {
    config: { signedIn: true, scopedToken: ["view/hub"] },
    schema: {
      operationId: "listHubs",
      summary: "List the hubs that the caller can access; not paged unless page or limit is given",
      description: "Requires view/hub, except with byUser=true.",
      querystring: Type.Object({
        ...ListQuery,
        sortBy: Type.Optional(
          Type.String({ description: "name (default), address, createdTime, updatedTime" }),
        ),
        name: Type.Optional(Type.String({ description: "Exact name" })),
        q: Type.Optional(Type.String({ description: "Part of a name" })),
        byUser: Type.Optional(Type.Boolean({ description: "Only the caller's own hubs" })),
      }),
      response: {
        200: Type.Object({ status: Type.Literal(true), data: Type.Array(SparseSchema(HubSchema)) }),
      },
    },
    async handler({ sql, caller, query }) {
      if (!query.byUser && !may(caller, "view/hub"))
        throw new AppError(
          403,
          "hub-035",
          "Your role lacks the permission view/hub; byUser=true lists your own hubs",
        )
      const isPaged = query.page !== undefined || query.limit !== undefined
      const page = isPaged ? readPage(query, "hub") : undefined
      const hubs = await listHubs(
        sql,
        caller,
        { ...query, direction: readDirection(query.sortOrder, "asc") },
        page,
      )
      return {
        status: true as const,
        data: hubs.map((hub) => pickFields(toWireHub(hub, caller), query.fields)),
      }
    },
  })

  app.get("/hub/:hubId", {
    config: { permission: "view/hub", quick: true },
    schema: {
      operationId: "getHub",
      summary: "Get a hub",
      params: HubParams,
      response: { 200: HubResponse },
    },
    async handler({ sql, caller, params }) {
      const hub = await findHub(sql, caller, params.hubId)
      if (!hub) throw hubErrors.notFound()
      return { status: true as const, data: toWireHub(hub, caller) }
    },
  })

  app.post("/hub", {
    config: { permission: "add/hub" },
    schema: {
      operationId: "createHub",
      summary: "Create a hub",
      body: HubBody,
      response: { 200: HubResponse },
    },
    async handler({ sql, caller, body, ip }) {
      const hub = await inTransaction(sql, (tx) =>
        createHub(tx, caller, body, { live: app.live, address: ip, ...hooks }),
      )
      return { status: true as const, data: toWireHub(hub, caller) }
    },
  })

  app.put("/hub/:hubId", {
    config: { permission: "edit/hub" },
    schema: {
      operationId: "updateHub",
      summary: "Replace a hub's name, address and coordinates",
      params: HubParams,
      body: HubBody,
      response: {
        200: Type.Object({ status: Type.Literal(true), property: HubSchema, message: Type.String() }),
      },
    },
    async handler({ sql, caller, params, body, ip }) {
      const change = { live: app.live, address: ip }
      const hub = await inTransaction(sql, (tx) => updateHub(tx, caller, params.hubId, body, change))
      return { status: true as const, property: toWireHub(hub, caller), message: "Hub has been updated" }
    },
  })

  app.delete("/hub/:hubId", {
    config: { permission: "delete/hub" },
    schema: {
      operationId: "deleteHub",
      summary: "Delete a hub without users",
      params: HubParams,
      response: { 200: Type.Object({ status: Type.Literal(true) }) },
    },
    async handler({ sql, caller, params, ip }) {
      await inTransaction(sql, (tx) =>
        deleteHub(tx, caller, params.hubId, { live: app.live, address: ip, ...hooks }),
      )
      return { status: true as const }
    },
  })
}
