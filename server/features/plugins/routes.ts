import type { FastifyRequest } from "fastify"
import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { databaseErrorOf, type Fragment, inTransaction, type Sql } from "#core/database.ts"
import { readForm } from "#core/http/read-form.ts"
import type { App } from "#core/http/types.ts"
import { type Id, IdSchema, isId, newId } from "#core/ids.ts"
import { safeName } from "#core/objects/objects.ts"
import { ListQuery, PaginatorSchema, paginate, readDirection, readPage } from "#core/paging.ts"
import { toT2 } from "#shared/wire-time.ts"
import { checkScript, checkTypes, maxScriptBytes } from "./check-files.ts"
import { answerPluginError, pluginErrors } from "./errors.ts"

type Status = "active" | "inactive" | "draft"

interface PluginRow {
  id: Id<"plugin">
  organizationId: Id<"organization">
  organizationName: string
  scope: "organization" | "system"
  name: string
  description: string
  resourceFile: string
  scriptKey: string
  iconKey: string | null
  isUsed: boolean
  customModuleId: string | null
  status: Status
  createdBy: string
  updatedBy: string | null
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

const NullableText = Type.Union([Type.String(), Type.Null()])
const PluginSchema = Type.Object({
  id: IdSchema("plugin"),
  name: Type.String(),
  description: Type.String(),
  resourceFile: Type.String(),
  resourceUrl: Type.String({ description: "Signed, good for a day" }),
  icon: NullableText,
  organizationId: Type.String({ description: "`system` for global plugins" }),
  organizationName: Type.String(),
  isUsed: Type.Boolean(),
  customModuleId: NullableText,
  createdBy: Type.String(),
  updatedBy: NullableText,
  createdTime: Type.String(),
  updatedTime: Type.String(),
  status: Type.String(),
})
const Answer = Type.Object({ status: Type.Literal(true), message: Type.String(), data: PluginSchema })
const Params = Type.Object({ pluginId: IdSchema("plugin") })
const tags = ["Plugins"]
const sortColumns = {
  name: "name",
  createdTime: "created_time",
  updatedTime: "updated_time",
  // Uses are not counted: those in use come first.
  usageCount: "is_used",
} as const

/** Plugins, under their two names on the wire. */
export function pluginRoutes(app: App): void {
  app.setErrorHandler(answerPluginError)
  pathsOf(app, "plugin", "Plugin")
  pathsOf(app, "addon", "Addon")
}

function pathsOf(app: App, path: "plugin" | "addon", noun: "Plugin" | "Addon"): void {
  const toWire = (row: PluginRow) => {
    const isGlobal = row.scope === "system"
    const link = (key: string) => app.links.sign(key, app.clock.now())
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      resourceFile: row.resourceFile,
      resourceUrl: link(row.scriptKey),
      icon: row.iconKey && link(row.iconKey),
      organizationId: isGlobal ? "system" : row.organizationId,
      organizationName: isGlobal ? "Global" : row.organizationName,
      isUsed: row.isUsed,
      customModuleId: row.customModuleId,
      createdBy: row.createdBy,
      updatedBy: row.updatedBy,
      createdTime: toT2(row.createdTime),
      updatedTime: toT2(row.updatedTime),
      status: row.status,
    }
  }

  app.get(
    `/${path}s`,
    {
      config: { signedIn: true },
      schema: {
        tags,
        operationId: `list${noun}s`,
        summary: "The organization's plugins and the global ones",
        querystring: Type.Object({
          q: Type.Optional(Type.String({ maxLength: 255 })),
          sortBy: Type.Optional(
            Type.Unsafe<keyof typeof sortColumns>(Type.String({ enum: Object.keys(sortColumns) })),
          ),
          sortOrder: ListQuery.sortOrder,
          page: Type.Optional(Type.Integer({ maximum: 1000 })),
          limit: ListQuery.limit,
          status: Type.Optional(Type.Unsafe<Status>(Type.String({ enum: ["active", "inactive", "draft"] }))),
        }),
        response: {
          200: Type.Object({
            status: Type.Literal(true),
            message: Type.String(),
            data: PaginatorSchema(PluginSchema),
          }),
        },
      },
    },
    async ({ sql, caller, query, address }) => {
      const page = readPage(query, "plugn", { default: 10, max: 100 })
      const part = query.q === undefined ? undefined : `%${query.q.replace(/[\\%_]/g, "\\$&")}%`
      const where = sql`(plugins.organization_id = ${caller.organizationId} or plugins.scope = 'system')
        ${part === undefined ? sql`` : sql`and (plugins.name ilike ${part} or plugins.description ilike ${part})`}
        ${query.status === undefined ? sql`` : sql`and plugins.status = ${query.status}`}`
      const column = sql(`plugins.${sortColumns[query.sortBy ?? "createdTime"]}`)
      const direction = readDirection(query.sortOrder) === "asc" ? sql`asc` : sql`desc`
      const rows = await sql<PluginRow[]>`
        select ${columns(sql)} where ${where}
        order by ${column} ${direction}, plugins.id ${direction} limit ${page.limit} offset ${page.offset}`
      const [counted] = await sql<{ total: number }[]>`select count(*) as total from plugins where ${where}`
      const data = paginate(rows.map(toWire), counted?.total ?? 0, page, address)
      return { status: true as const, message: "Success.", data }
    },
  )

  app.get(
    `/${path}/:pluginId`,
    {
      config: { signedIn: true },
      schema: {
        tags,
        operationId: `get${noun}`,
        summary: "One plugin",
        params: Params,
        response: { 200: Answer },
      },
    },
    async ({ sql, caller, params }) => {
      const row = await find(sql, caller, params.pluginId, "read")
      return { status: true as const, message: "Success.", data: toWire(row) }
    },
  )

  app.post(
    `/${path}`,
    {
      config: { permission: "edit/organization" },
      schema: {
        tags,
        operationId: `create${noun}`,
        summary: "Upload a plugin",
        description: "Form parts: name, description, resourceFile (.js), and if you like icon (.svg).",
        consumes: ["multipart/form-data"],
        response: { 201: Answer },
      },
    },
    async (request, reply) => {
      const { sql, caller, ip } = request
      const { fields, files } = await readForm(request, maxScriptBytes)
      const script = files.resourceFile
      if (!script) throw pluginErrors.required({ fields: { resourceFile: ["is required"] } })
      const wish = readWish(fields)
      checkTypes(script, files.icon)
      const taken = await sql`
        select 1 from plugins where organization_id = ${caller.organizationId} and lower(name) = lower(${wish.name})`
      if (taken.length > 0) throw pluginErrors.nameTaken({ fields: { name: ["is taken"] } })
      checkScript(script.content)
      await checkModule(sql, caller, wish.customModuleId)
      const id = newId<"plugin">()
      const now = app.clock.now()
      const seconds = Math.floor(now.epochMilliseconds / 1000)
      const day = now.toString().slice(0, 10).replaceAll("-", "/")
      const resourceFile = `${seconds}_${safeName(wish.name.trim().replace(/\s+/g, "-"))}.js`
      const scriptKey = `${caller.organizationId}/plugins/${day}/${resourceFile}`
      const iconKey = files.icon
        ? `${caller.organizationId}/icons/${day}/${seconds}_${safeName(files.icon.filename)}`
        : null
      await app.objects.put(scriptKey, script.content)
      if (files.icon && iconKey) await app.objects.put(iconKey, files.icon.content)
      await refuseTaken(() =>
        inTransaction(sql, async (tx) => {
          await tx`
            insert into plugins (organization_id, id, name, description, resource_file, script_key, icon_key,
              custom_module_id, status, created_by, created_time, updated_time)
            values (${caller.organizationId}, ${id}, ${wish.name}, ${wish.description}, ${resourceFile}, ${scriptKey}, ${iconKey},
              ${wish.customModuleId ?? null}, ${wish.status ?? "active"}, ${caller.email}, ${now}, ${now})`
          const target = { targetType: "plugin", targetId: id, targetName: wish.name }
          await audit(tx, actorOf(caller, ip), { action: "plugin.create", ...target })
        }),
      )
      reply.code(201)
      const row = await find(sql, caller, id, "read")
      return { status: true as const, message: "Plugin created", data: toWire(row) }
    },
  )

  for (const [method, operationId] of [
    ["PUT", `update${noun}`],
    ["POST", `update${noun}ByForm`],
  ] as const)
    app.route({
      method,
      url: `/${path}/:pluginId`,
      config: { permission: "edit/organization" },
      schema: {
        tags,
        operationId,
        summary: "Change a plugin's name, description, module or status; its files stay",
        consumes: ["multipart/form-data", "application/json"],
        params: Params,
        response: { 200: Answer },
      },
      handler: async (request) => {
        const { sql, caller, params, ip } = request
        const before = await find(sql, caller, params.pluginId, "write")
        const wish = await readChange(request)
        await checkModule(sql, caller, wish.customModuleId)
        const moduleId = wish.customModuleId === undefined ? before.customModuleId : wish.customModuleId
        await refuseTaken(() =>
          inTransaction(sql, async (tx) => {
            await tx`
              update plugins set name = ${wish.name}, description = ${wish.description}, custom_module_id = ${moduleId},
                status = ${wish.status ?? before.status}, is_used = ${wish.isUsed ?? before.isUsed},
                updated_by = ${caller.email}, updated_time = ${app.clock.now()}
              where organization_id = ${caller.organizationId} and id = ${before.id}`
            const target = { targetType: "plugin", targetId: before.id, targetName: wish.name }
            await audit(tx, actorOf(caller, ip), { action: "plugin.update", ...target })
          }),
        )
        const row = await find(sql, caller, before.id, "read")
        return { status: true as const, message: "Plugin updated", data: toWire(row) }
      },
    })

  app.delete(
    `/${path}/:pluginId`,
    {
      config: { permission: "edit/organization" },
      schema: {
        tags,
        operationId: `delete${noun}`,
        summary: "Delete a plugin and its files",
        params: Params,
        response: {
          200: Type.Object({
            status: Type.Literal(true),
            message: Type.String(),
            data: Type.Object({ deletedPluginId: IdSchema("plugin"), deletedAt: Type.String() }),
          }),
        },
      },
    },
    async ({ sql, caller, params, ip }) => {
      const row = await find(sql, caller, params.pluginId, "write")
      await inTransaction(sql, async (tx) => {
        await tx`delete from plugins where organization_id = ${caller.organizationId} and id = ${row.id}`
        const target = { targetType: "plugin", targetId: row.id, targetName: row.name }
        await audit(tx, actorOf(caller, ip), { action: "plugin.delete", ...target })
      })
      for (const key of [row.scriptKey, row.iconKey]) if (key) await app.objects.remove(key)
      const data = { deletedPluginId: row.id, deletedAt: toT2(app.clock.now()) }
      return { status: true as const, message: "Plugin deleted", data }
    },
  )
}

function columns(sql: Sql): Fragment {
  return sql`plugins.id, plugins.organization_id, organizations.name as organization_name, plugins.scope, plugins.name,
    plugins.description, plugins.resource_file, plugins.script_key, plugins.icon_key, plugins.is_used,
    plugins.custom_module_id, plugins.status, plugins.created_by, plugins.updated_by, plugins.created_time, plugins.updated_time
    from plugins join organizations on organizations.id = plugins.organization_id`
}

/** A foreign plugin is 403 here, not 404: the wire says so. Global ones are read by all and changed by nobody. */
async function find(sql: Sql, caller: Caller, pluginId: string, wish: "read" | "write"): Promise<PluginRow> {
  const [row] = await sql<PluginRow[]>`select ${columns(sql)} where plugins.id = ${pluginId.toLowerCase()}`
  if (!row) throw pluginErrors.notFound()
  if (row.scope === "system" && wish === "read") return row
  if (row.organizationId !== caller.organizationId || row.scope === "system") throw pluginErrors.forbidden()
  return row
}

interface Wish {
  name: string
  description: string
  customModuleId: string | null | undefined
  status: Status | undefined
  isUsed: boolean | undefined
}

function readWish(fields: Readonly<Record<string, unknown>>): Wish {
  const { name, description, status, customModuleId, isUsed } = fields
  for (const [field, value] of Object.entries({ name, description }))
    if (typeof value !== "string" || value.trim() === "")
      throw pluginErrors.required({ message: `${field} is required`, fields: { [field]: ["is required"] } })
  const [title, text] = [String(name).trim(), String(description).trim()]
  if (title.length < 3 || title.length > 100) throw pluginErrors.badLength({ fields: { name: ["3 to 100"] } })
  if (text.length < 10 || text.length > 500)
    throw pluginErrors.badLength({ fields: { description: ["10 to 500"] } })
  if (status !== undefined && status !== "active" && status !== "inactive" && status !== "draft")
    throw pluginErrors.badStatus({ fields: { status: ["active, inactive or draft"] } })
  const moduleId = customModuleId === "" ? null : customModuleId
  if (moduleId !== undefined && moduleId !== null && !isId(moduleId)) throw pluginErrors.badModule()
  const used = isUsed === undefined ? undefined : isUsed === true || isUsed === "true" || isUsed === "1"
  return { name: title, description: text, customModuleId: moduleId, status, isUsed: used }
}

async function readChange(request: FastifyRequest): Promise<Wish> {
  const { fields } = await readForm(request, maxScriptBytes)
  return readWish(fields)
}

async function checkModule(sql: Sql, caller: Caller, moduleId: string | null | undefined): Promise<void> {
  if (!moduleId) return
  const rows = await sql`
    select 1 from custom_modules where organization_id = ${caller.organizationId} and id = ${moduleId.toLowerCase()}`
  if (rows.length === 0) throw pluginErrors.badModule({ fields: { customModuleId: ["does not exist"] } })
}

async function refuseTaken(write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (databaseErrorOf(error)?.constraint === "plugins_name")
      throw pluginErrors.nameTaken({ cause: error, fields: { name: ["is taken"] } })
    throw error
  }
}
