import { Type } from "typebox"
import { type Caller, may } from "#core/access/caller.ts"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { toT1 } from "#shared/wire-time.ts"
import { deleteView, findView, insertView, listViews, type SavedViewRow, updateView } from "./queries.ts"
import { SavedView, ViewInput } from "./schemas.ts"

const Params = Type.Object({ viewId: IdSchema("saved-view") })
const ViewResponse = Type.Object({ status: Type.Literal(true), data: SavedView })

/** Saved filters, columns and orders of lists. What a view shows is decided by the list that it opens. */
export function savedViewRoutes(app: App): void {
  app.get("/views", {
    config: { signedIn: true, scopedToken: "refused" },
    schema: {
      operationId: "listSavedViews",
      summary: "List the views that the caller saved or that are shared with them",
      querystring: Type.Object({ list: Type.Optional(Type.String()) }),
      response: { 200: Type.Object({ status: Type.Literal(true), data: Type.Array(SavedView) }) },
    },
    async handler({ sql, caller, query }) {
      const views = await listViews(sql, caller, query.list)
      return { status: true as const, data: views.map((view) => toWire(view, caller)) }
    },
  })

  app.get("/view/:viewId", {
    config: { signedIn: true, scopedToken: "refused" },
    schema: {
      operationId: "getSavedView",
      summary: "Get a saved view",
      params: Params,
      response: { 200: ViewResponse },
    },
    async handler({ sql, caller, params }) {
      return { status: true as const, data: toWire(await findView(sql, caller, params.viewId), caller) }
    },
  })

  app.post("/view", {
    config: { signedIn: true, scopedToken: "refused" },
    schema: {
      operationId: "createSavedView",
      summary: "Save a view of a list",
      body: ViewInput,
      response: { 201: ViewResponse },
    },
    async handler({ sql, caller, body }, reply) {
      const view = await inTransaction(sql, (tx) => insertView(tx, caller, body))
      reply.code(201)
      return { status: true as const, data: toWire(view, caller) }
    },
  })

  app.put("/view/:viewId", {
    config: { signedIn: true, scopedToken: "refused" },
    schema: {
      operationId: "updateSavedView",
      summary: "Replace a saved view",
      params: Params,
      body: ViewInput,
      response: { 200: ViewResponse },
    },
    async handler({ sql, caller, params, body }) {
      const view = await inTransaction(sql, (tx) => updateView(tx, caller, params.viewId, body))
      return { status: true as const, data: toWire(view, caller) }
    },
  })

  app.delete("/view/:viewId", {
    config: { signedIn: true, scopedToken: "refused" },
    schema: {
      operationId: "deleteSavedView",
      summary: "Delete a saved view",
      params: Params,
      response: { 200: ViewResponse },
    },
    async handler({ sql, caller, params }) {
      const view = await inTransaction(sql, (tx) => deleteView(tx, caller, params.viewId))
      return { status: true as const, data: toWire(view, caller) }
    },
  })
}

function toWire({ id, ownerId, createdTime, updatedTime, ...view }: SavedViewRow, caller: Caller) {
  const isOwn = ownerId === caller.userId
  return {
    ...view,
    _id: id,
    isOwn,
    canChange: isOwn || may(caller, "edit/organization"),
    createdTime: toT1(createdTime),
    updatedTime: toT1(updatedTime),
  }
}
