import { Type } from "typebox"
import { actorOf, audit } from "#core/audit.ts"
import { databaseErrorOf, inTransaction } from "#core/database/database.ts"
import { defineErrors } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import type { SignedLinks } from "#core/objects/signed-links.ts"
import { permissionCatalogue } from "#core/permissions.ts"
import { readLine } from "#core/plain-text.ts"
import { trimOf } from "#packages/text/trim-characters.ts"
import { toT2 } from "#shared/wire-time.ts"
import {
  addCustomPermission,
  removeCustomPermission,
  renameCustomPermission,
} from "../../people/roles/index.ts"
import { moduleFrameUrl } from "./frame-routes.ts"
import {
  findModule,
  insertModule,
  listModules,
  type ModuleRow,
  removeModule,
  updateModule,
} from "./queries.ts"

export const customModuleErrors = defineErrors("cmod", {
  badUrl: [400, "007", "The address must start with http:// or https://"],
  duplicate: [
    400,
    "031",
    "A custom module or built-in menu item with this name already exists. Choose another name",
  ],
  notFound: [404, "033", "This module does not exist"],
})

const ModuleSchema = Type.Object(
  {
    _id: IdSchema("custom-module"),
    name: Type.String(),
    label: Type.String(),
    type: Type.String(),
    url: Type.String(),
    frameUrl: Type.String({
      description: "For internal modules: path of the page that shows it in a frame; valid for one day",
    }),
    organizationId: IdSchema("organization"),
    isDeleted: Type.Boolean(),
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "CustomModule" },
)
const ModuleBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    label: Type.Optional(Type.String({ maxLength: 100, description: "Derived from the name by default" })),
    type: Type.Unsafe<"internal" | "external">(Type.String({ enum: ["internal", "external"] })),
    url: Type.String({ minLength: 1, maxLength: 2000 }),
  },
  { title: "CustomModuleInput" },
)
const ModuleResponse = Type.Object({ status: Type.Literal(true), data: ModuleSchema })
const Params = Type.Object({ customModuleId: IdSchema("custom-module") })
/** What the menu of the console shows anyway, and the menus that permissions belong to. */
const shownEntries =
  "today tasks tracking schedules flows data vehicles routes hubs people imports exports automations webhooks plugins integrations settings"
const menus = new Set([
  ...Object.values(permissionCatalogue).map(({ menu }) => menu.toLowerCase()),
  ...shownEntries.split(" "),
])

/** Menu entries of an organization's own: a page in a frame, or one in another tab. */
export function customModuleRoutes(app: App): void {
  const toWire = (row: ModuleRow) => toWireModule(row, app.links, app.clock.now())

  app.get("/custom-modules", {
    config: { signedIn: true, scopedToken: "accepted" },
    schema: {
      operationId: "listCustomModules",
      summary: "List the custom modules that the caller can see",
      response: { 200: Type.Object({ status: Type.Literal(true), data: Type.Array(ModuleSchema) }) },
    },
    async handler({ sql, caller }) {
      const rows = await listModules(sql, caller.organizationId)
      const shown = rows.filter(
        ({ label }) =>
          caller.permissions.has(`view/custom/${label}`) || caller.permissions.has("edit/organization"),
      )
      return { status: true as const, data: shown.map(toWire) }
    },
  })

  app.get("/custom-module/:customModuleId", {
    config: { signedIn: true, scopedToken: "accepted" },
    schema: {
      operationId: "getCustomModule",
      summary: "One module",
      params: Params,
      response: { 200: ModuleResponse },
    },
    async handler({ sql, caller, params }) {
      const row = await findModule(sql, caller.organizationId, params.customModuleId)
      const mayRead =
        row &&
        (caller.permissions.has(`view/custom/${row.label}`) || caller.permissions.has("edit/organization"))
      if (!row || !mayRead) throw customModuleErrors.notFound()
      return { status: true as const, data: toWire(row) }
    },
  })

  app.post("/custom-module", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "createCustomModule",
      summary: "Create a custom module with its menu entry and permission",
      body: ModuleBody,
      response: { 200: ModuleResponse },
    },
    async handler({ sql, caller, body, ip }) {
      const name = readLine(body.name, "cmod", "name")
      const label = slugOf(body.label ?? "") || slugOf(name)
      if (label === "" || menus.has(name.toLowerCase())) throw customModuleErrors.duplicate()
      checkUrl(body.url)
      const row = await refuseTaken(() =>
        inTransaction(sql, async (tx) => {
          const made = await insertModule(tx, caller, { name, label, type: body.type, url: body.url })
          await addCustomPermission(tx, caller.organizationId, { label, name })
          const target = { targetType: "custom-module", targetId: made?.id ?? null, targetName: name }
          await audit(tx, actorOf(caller, ip), { action: "custom-module.create", ...target })
          return made
        }),
      )
      return { status: true as const, data: toWire(row) }
    },
  })

  app.put("/custom-module/:customModuleId", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "replaceCustomModule",
      summary: "Change where a module leads and its label; its name stays",
      params: Params,
      body: ModuleBody,
      response: { 200: ModuleResponse },
    },
    async handler({ sql, caller, params, body, ip }) {
      const before = await findModule(sql, caller.organizationId, params.customModuleId)
      if (!before) throw customModuleErrors.notFound()
      checkUrl(body.url)
      const label = slugOf(body.label ?? "") || before.label
      const row = await refuseTaken(() =>
        inTransaction(sql, async (tx) => {
          const changed = await updateModule(tx, before, { label, type: body.type, url: body.url })
          if (label !== before.label)
            await renameCustomPermission(tx, caller.organizationId, { from: before.label, to: label })
          const target = { targetType: "custom-module", targetId: before.id, targetName: before.name }
          await audit(tx, actorOf(caller, ip), { action: "custom-module.update", ...target })
          return changed
        }),
      )
      return { status: true as const, data: toWire(row) }
    },
  })

  app.delete("/custom-module/:customModuleId", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "deleteCustomModule",
      summary: "Delete a custom module and its permission",
      params: Params,
      response: {
        200: Type.Object({ status: Type.Literal(true), message: Type.String(), data: ModuleSchema }),
      },
    },
    async handler({ sql, caller, params, ip }) {
      const removed = await inTransaction(sql, async (tx) => {
        const row = await removeModule(tx, caller.organizationId, params.customModuleId)
        if (!row) throw customModuleErrors.notFound()
        await removeCustomPermission(tx, caller.organizationId, row.label)
        const target = { targetType: "custom-module", targetId: row.id, targetName: row.name }
        await audit(tx, actorOf(caller, ip), { action: "custom-module.delete", ...target })
        return row
      })
      return { status: true as const, message: "Deleted", data: toWire(removed) }
    },
  })
}

async function refuseTaken(write: () => Promise<ModuleRow | undefined>): Promise<ModuleRow> {
  try {
    const row = await write()
    if (!row) throw customModuleErrors.notFound()
    return row
  } catch (error) {
    if (databaseErrorOf(error)?.constraint?.startsWith("custom_modules_"))
      throw customModuleErrors.duplicate({ cause: error, fields: { name: ["is taken"] } })
    throw error
  }
}

function checkUrl(url: string): void {
  // The parser drops control characters: what is stored is what was checked.
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol) || /[\p{Cc}\p{Z}]/u.test(url))
    throw customModuleErrors.badUrl({ fields: { url: ["must start with http:// or https://"] } })
}

/** Lower case, letters and digits, dashes between. */
function slugOf(text: string): string {
  const words = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
  return trimOf(words, "-")
}

function toWireModule(row: ModuleRow, links: SignedLinks, now: Temporal.Instant) {
  return {
    _id: row.id,
    name: row.name,
    label: row.label,
    type: row.type,
    url: row.url,
    frameUrl: moduleFrameUrl(links, { organizationId: row.organizationId, moduleId: row.id }, now),
    organizationId: row.organizationId,
    isDeleted: false,
    createdTime: toT2(row.createdTime),
    updatedTime: toT2(row.updatedTime),
  }
}
