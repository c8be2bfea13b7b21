import { Type } from "typebox"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { paginate, readDirection, readPage } from "#core/paging.ts"
import { exportConfigErrors } from "./errors.ts"
import {
  findExportConfig,
  insertExportConfig,
  listExportConfigs,
  removeExportConfig,
  toWireConfig,
  updateExportConfig,
} from "./queries.ts"
import { readConfig } from "./read-config.ts"
import { ConfigBody, ConfigListResponse, ConfigResponse } from "./schemas.ts"

const Params = Type.Object({ exportConfigId: IdSchema("exportConfig") })
const success = { status: true as const, message: "Success." }

export function exportConfigRoutes(app: App): void {
  app.get("/export-configs", {
    config: { permission: "view/exportConfig" },
    schema: {
      operationId: "listExportConfigs",
      summary: "Saved export configurations",
      querystring: Type.Object({
        page: Type.Optional(Type.Integer()),
        limit: Type.Optional(Type.Integer()),
        sortBy: Type.Optional(Type.String()),
        sortOrder: Type.Optional(Type.String({ pattern: "^([aA][sS][cC]|[dD][eE][sS][cC])$" })),
        collection: Type.Optional(Type.String()),
        name: Type.Optional(Type.String({ description: "Part of the name" })),
      }),
      response: { 200: ConfigListResponse },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "excfg")
      const { collection, name, sortBy } = query
      const filter = { collection, name, sortBy, direction: readDirection(query.sortOrder) }
      const { rows, total } = await listExportConfigs(sql, caller, filter, page)
      return { ...success, code: 200, data: paginate(rows.map(toWireConfig), total, page, address) }
    },
  })

  app.get("/export-config/:exportConfigId", {
    config: { permission: "view/exportConfig" },
    schema: {
      operationId: "getExportConfig",
      summary: "One export configuration",
      params: Params,
      response: { 200: ConfigResponse },
    },
    async handler({ sql, caller, params }) {
      const row = await findExportConfig(sql, caller, params.exportConfigId)
      if (!row) throw exportConfigErrors.notFound()
      return { ...success, code: 200, data: toWireConfig(row) }
    },
  })

  app.post("/export-config", {
    config: { permission: "add/exportConfig" },
    schema: {
      operationId: "createExportConfig",
      summary: "Create an export configuration, optionally with a schedule",
      body: ConfigBody,
      response: { 201: ConfigResponse },
    },
    async handler({ sql, caller, body }, reply) {
      const config = await readConfig(sql, caller, body, app.clock.now())
      const row = await insertExportConfig(sql, caller, config)
      if (!row) throw exportConfigErrors.nameTaken()
      reply.code(201)
      return { ...success, code: 201, data: toWireConfig(row) }
    },
  })

  app.put("/export-config/:exportConfigId", {
    config: { permission: "edit/exportConfig" },
    schema: {
      operationId: "replaceExportConfig",
      summary: "Replace an export configuration",
      params: Params,
      body: ConfigBody,
      response: { 200: ConfigResponse },
    },
    async handler({ sql, caller, params, body }) {
      const before = await findExportConfig(sql, caller, params.exportConfigId)
      if (!before) throw exportConfigErrors.notFound()
      const config = await readConfig(sql, caller, body, app.clock.now())
      const row = await updateExportConfig(sql, caller, before.id, config)
      if (!row) throw exportConfigErrors.nameTaken()
      return { ...success, code: 200, data: toWireConfig(row) }
    },
  })

  app.delete("/export-config/:exportConfigId", {
    config: { permission: "delete/exportConfig" },
    schema: {
      operationId: "deleteExportConfig",
      summary: "Delete an export configuration",
      params: Params,
      response: { 200: ConfigResponse },
    },
    async handler({ sql, caller, params }) {
      const row = await findExportConfig(sql, caller, params.exportConfigId)
      if (!row) throw exportConfigErrors.notFound()
      await removeExportConfig(sql, caller, row.id)
      return { ...success, code: 200, data: toWireConfig(row) }
    },
  })
}
