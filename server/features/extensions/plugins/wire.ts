import type { SignedLinks } from "#core/objects/signed-links.ts"
import { toT2 } from "#shared/wire-time.ts"
import type { PluginRow } from "./queries.ts"

/** The addresses of the files are signed: a script tag carries no token. */
export function toWirePlugin(row: PluginRow, links: SignedLinks, now: Temporal.Instant) {
  const isGlobal = row.scope === "system"
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    resourceFile: row.resourceFile,
    resourceUrl: links.sign(row.scriptKey, now),
    icon: row.iconKey && links.sign(row.iconKey, now),
    organizationId: isGlobal ? "system" : row.organizationId,
    organizationName: isGlobal ? "Global" : row.organizationName,
    isUsed: row.isUsed,
    permissions: row.permissions,
    grantedPermissions: row.grantedPermissions,
    customModuleId: row.customModuleId,
    createdBy: row.createdBy,
    updatedBy: row.updatedBy,
    createdTime: toT2(row.createdTime),
    updatedTime: toT2(row.updatedTime),
    status: row.status,
  }
}
