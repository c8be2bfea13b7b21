import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, type Pool, type Sql } from "#core/database/database.ts"
import type { Form } from "#core/http/read-form.ts"
import { type Id, newId } from "#core/ids.ts"
import { expectFile, keepFile } from "#core/objects/loose-files.ts"
import { type Objects, safeName } from "#core/objects/objects.ts"
import { checkTypes } from "./check-files.ts"
import { declaredPermissions } from "./declared-permissions.ts"
import { pluginErrors } from "./errors.ts"
import { inspectFiles } from "./inspect-files.ts"
import { checkModule, insertPlugin, isNameTaken, refuseTaken } from "./queries.ts"
import { readOptions } from "./read-options.ts"

interface Outside {
  pool: Pool
  objects: Objects
  now: Temporal.Instant
  /** Address of the caller, for the audit. */
  ip: string
}

/**
 * Checks an upload in the wire's order (fields, types and sizes, name, syntax), stores its files and then its
 * row.
 */
export async function createPlugin(
  sql: Sql,
  caller: Caller,
  { fields, files }: Form,
  { pool, objects, now, ip }: Outside,
): Promise<Id<"plugin">> {
  const script = files.resourceFile
  if (!script) throw pluginErrors.required({ fields: { resourceFile: ["is required"] } })
  const options = readOptions(fields)
  checkTypes(script, files.icon)
  const { organizationId } = caller
  const found = await inspectFiles(
    organizationId,
    script.content.toString("utf8"),
    files.icon?.content.toString("utf8"),
  )
  if (!found.isIconHarmless)
    throw pluginErrors.badType({ fields: { icon: ["must be an SVG without scripts or foreign content"] } })
  if (await isNameTaken(sql, caller, options.name))
    throw pluginErrors.nameTaken({ fields: { name: ["is taken"] } })
  if (found.script === "none")
    throw pluginErrors.badScript({ fields: { resourceFile: ["is not valid JavaScript"] } })
  const permissions = declaredPermissions(script.content)
  await checkModule(sql, caller, options.customModuleId)
  const id = newId<"plugin">()
  const names = fileNames(caller, options.name, files.icon?.filename, now)
  for (const key of [names.scriptKey, names.iconKey]) if (key) await expectFile(pool, key)
  await objects.put(names.scriptKey, script.content)
  if (files.icon && names.iconKey) await objects.put(names.iconKey, files.icon.content)
  await refuseTaken(() =>
    inTransaction(sql, async (tx) => {
      await insertPlugin(tx, {
        ...names,
        id,
        organizationId,
        name: options.name,
        description: options.description,
        permissions,
        customModuleId: options.customModuleId ?? null,
        status: options.status ?? "active",
        createdBy: caller.email,
        createdTime: now,
      })
      for (const key of [names.scriptKey, names.iconKey]) if (key) await keepFile(tx, key)
      const target = { targetType: "plugin", targetId: id, targetName: options.name }
      await audit(tx, actorOf(caller, ip), { action: "plugin.create", ...target })
    }),
  )
  return id
}

/** `1790001122_Stock-Counter.js` in a folder of the day; the name stays when the plugin is renamed. */
function fileNames(caller: Caller, name: string, iconName: string | undefined, now: Temporal.Instant) {
  const seconds = Math.floor(now.epochMilliseconds / 1000)
  const day = now.toString().slice(0, 10).replaceAll("-", "/")
  const resourceFile = `${seconds}_${safeName(name.replace(/\s+/g, "-"))}.js`
  return {
    resourceFile,
    scriptKey: `${caller.organizationId}/plugins/${day}/${resourceFile}`,
    iconKey: iconName ? `${caller.organizationId}/icons/${day}/${seconds}_${safeName(iconName)}` : null,
  }
}
