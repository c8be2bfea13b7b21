import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, type Tx } from "#core/database/database.ts"
import { publish } from "#core/events/publish.ts"
import { FilePart } from "#core/http/openapi/openapi.ts"
import { identityOf, readForm } from "#core/http/read-form.ts"
import type { App } from "#core/http/types.ts"
import { onceForForm } from "#core/idempotency.ts"
import { IdSchema } from "#core/ids.ts"
import { discardFilesLater } from "#core/objects/loose-files.ts"
import { ListQuery, paginate, readDirection, readPage } from "#core/paging.ts"
import { toT2 } from "#shared/wire-time.ts"
import { maxScriptBytes } from "./check-files.ts"
import { createPlugin } from "./create-plugin.ts"
import { sendPluginError } from "./errors.ts"
import { installationRoutes } from "./installation-routes.ts"
import { install, uninstall } from "./installations.ts"
import {
  checkModule,
  findPlugin,
  listPlugins,
  type PluginRow,
  refuseTaken,
  removePlugin,
  sortColumns,
  updatePlugin,
} from "./queries.ts"
import { readOptions } from "./read-options.ts"
import {
  DeletedPluginResponse,
  PluginListResponse,
  PluginResponse,
  type PluginStatus,
  pluginStatuses,
} from "./schemas.ts"
import { toWirePlugin } from "./wire.ts"

const PluginForm = Type.Object(
  {
    name: Type.String({ minLength: 3, maxLength: 100 }),
    description: Type.String({ minLength: 10, maxLength: 500 }),
    customModuleId: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    status: Type.Optional(Type.String({ enum: ["active", "inactive", "draft"] })),
    isUsed: Type.Optional(Type.Boolean({ description: "Installed in the organization" })),
  },
  { title: "PluginForm" },
)
const NewPluginForm = Type.Object({
  ...PluginForm.properties,
  resourceFile: FilePart("The script, .js, at most 5 MB"),
  icon: Type.Optional(FilePart(".svg, at most 500 KB")),
})

const Params = Type.Object({ pluginId: IdSchema("plugin") })

/** Plugins, under their two names on the wire. */
export function pluginRoutes(app: App): void {
  app.setErrorHandler(sendPluginError)
  installationRoutes(app)
  pathsOf(app, "plugin", "Plugin")
  pathsOf(app, "addon", "Addon")
}

function pathsOf(app: App, path: "plugin" | "addon", noun: "Plugin" | "Addon"): void {
  const announce = (tx: Tx, { organizationId }: Caller, pluginId: string) =>
    publish(tx, app.live, "plugin.changed", { organizationId, content: { pluginId } })
  const toWire = (row: PluginRow) => toWirePlugin(row, app.links, app.clock.now())

  app.get(`/${path}s`, {
    config: { signedIn: true, scopedToken: ["edit/organization"] },
    schema: {
      operationId: `list${noun}s`,
      summary: "List the organization's plugins and the global ones",
      querystring: Type.Object({
        q: Type.Optional(Type.String({ maxLength: 255 })),
        sortBy: Type.Optional(
          Type.Unsafe<keyof typeof sortColumns>(Type.String({ enum: Object.keys(sortColumns) })),
        ),
        sortOrder: ListQuery.sortOrder,
        page: Type.Optional(Type.Integer({ maximum: 1000 })),
        limit: ListQuery.limit,
        status: Type.Optional(Type.Unsafe<PluginStatus>(Type.String({ enum: [...pluginStatuses] }))),
      }),
      response: { 200: PluginListResponse },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "plugn", { default: 10, max: 100 })
      const filter = { ...query, direction: readDirection(query.sortOrder) }
      const { rows, total } = await listPlugins(sql, caller, filter, page)
      const data = paginate(rows.map(toWire), total, page, address)
      return { status: true as const, message: "Success.", data }
    },
  })

  app.get(`/${path}/:pluginId`, {
    config: { signedIn: true, scopedToken: ["edit/organization"] },
    schema: {
      operationId: `get${noun}`,
      summary: "One plugin",
      params: Params,
      response: { 200: PluginResponse },
    },
    async handler({ sql, caller, params }) {
      const row = await findPlugin(sql, caller, params.pluginId, "read")
      return { status: true as const, message: "Success.", data: toWire(row) }
    },
  })

  app.post(`/${path}`, {
    config: { permission: "edit/organization", idempotent: true },
    schema: {
      operationId: `create${noun}`,
      summary: "Upload a plugin",
      consumes: ["multipart/form-data"],
      form: NewPluginForm,
      response: { 201: PluginResponse },
    },
    async handler(request, reply) {
      const form = await readForm(request, maxScriptBytes)
      return onceForForm(request, reply, identityOf(form), async () => {
        const { sql, caller, ip } = request
        const outside = { pool: app.sql, objects: app.objects, now: app.clock.now(), ip }
        const id = await createPlugin(sql, caller, form, outside)
        reply.code(201)
        const row = await findPlugin(sql, caller, id, "read")
        return { status: true as const, message: "Plugin created", data: toWire(row) }
      })
    },
  })

  for (const [method, operationId] of [
    ["PUT", `update${noun}`],
    ["POST", `update${noun}ByForm`],
  ] as const)
    app.route({
      method,
      url: `/${path}/:pluginId`,
      config: { permission: "edit/organization" },
      schema: {
        operationId,
        summary: "Update a plugin's name, description, module or status; its files cannot be changed",
        consumes: ["multipart/form-data", "application/json"],
        form: PluginForm,
        params: Params,
        response: { 200: PluginResponse },
      },
      handler: async (request) => {
        const { sql, caller, params, ip } = request
        const before = await findPlugin(sql, caller, params.pluginId, "write")
        const options = readOptions((await readForm(request, maxScriptBytes)).fields)
        await checkModule(sql, caller, options.customModuleId)
        const change = {
          name: options.name,
          description: options.description,
          customModuleId:
            options.customModuleId === undefined ? before.customModuleId : options.customModuleId,
          status: options.status ?? before.status,
        }
        await refuseTaken(() =>
          inTransaction(sql, async (tx) => {
            const now = app.clock.now()
            await updatePlugin(tx, caller, before.id, change, now)
            if (options.isUsed) await install(tx, caller, before, { granted: before.grantedPermissions, now })
            if (options.isUsed === false) await uninstall(tx, caller, before.id)
            await announce(tx, caller, before.id)
            const target = { targetType: "plugin", targetId: before.id, targetName: options.name }
            await audit(tx, actorOf(caller, ip), { action: "plugin.update", ...target })
          }),
        )
        const row = await findPlugin(sql, caller, before.id, "read")
        return { status: true as const, message: "Plugin updated", data: toWire(row) }
      },
    })

  app.delete(`/${path}/:pluginId`, {
    config: { permission: "edit/organization" },
    schema: {
      operationId: `delete${noun}`,
      summary: "Delete a plugin and its files",
      params: Params,
      response: { 200: DeletedPluginResponse },
    },
    async handler({ sql, caller, params, ip }) {
      const row = await findPlugin(sql, caller, params.pluginId, "write")
      await inTransaction(sql, async (tx) => {
        await removePlugin(tx, caller, row.id)
        await discardFilesLater(tx, [row.scriptKey, row.iconKey])
        await announce(tx, caller, row.id)
        const target = { targetType: "plugin", targetId: row.id, targetName: row.name }
        await audit(tx, actorOf(caller, ip), { action: "plugin.delete", ...target })
      })
      const data = { deletedPluginId: row.id, deletedAt: toT2(app.clock.now()) }
      return { status: true as const, message: "Plugin deleted", data }
    },
  })
}
