import { hasHub, may } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { FileOwner } from "#core/objects/file-owners.ts"
import { mayReadAvatar } from "../../people/users/index.ts"
import { findResultName } from "../../planning/routes/index.ts"
import { mayReadAttached } from "../../work/attached-files/index.ts"
import { mayReadMessagePhoto } from "../../work/messages/index.ts"

const isAny = async (sql: Sql, find: (sql: Sql) => Promise<readonly unknown[]>) =>
  (await find(sql)).length > 0

/**
 * Every kind of stored file by the beginning of its key, and who may read it by its address. Signed links open
 * the others: rows of an upload that wait for a worker (`imports/`) and archives (`private/`) are not listed.
 */
export const fileOwners: readonly FileOwner[] = [
  {
    prefix: /^\d{4}\/\d{2}\/\d{2}\//,
    canBePublic: true,
    mayRead: async (sql, caller, key) =>
      (await mayReadAttached(sql, caller, key)) ||
      (await mayReadMessagePhoto(sql, caller, key, findResultName)) ||
      mayReadPart(sql, caller, key),
  },
  { prefix: /^avatars\//, canBePublic: true, mayRead: mayReadAvatar },
  {
    prefix: /^exports\//,
    canBePublic: false,
    mayRead: async (sql, caller, key) =>
      (may(caller, "export/task") || may(caller, "view/data")) &&
      isAny(
        sql,
        () => sql`
          select 1 from exports
          where organization_id = ${caller.organizationId} and file_key = ${key} and user_id = ${caller.userId}`,
      ),
  },
  {
    prefix: /^templates\//,
    canBePublic: false,
    mayRead: async (_sql, caller) => may(caller, "import/data"),
  },
  {
    prefix: /^failed\//,
    canBePublic: false,
    async mayRead(sql, caller, key) {
      if (!may(caller, "import/data")) return false
      const [found] = await sql<{ hubId: string | null }[]>`
        select hub_id from imports where organization_id = ${caller.organizationId} and failed_key = ${key}`
      return found !== undefined && (found.hubId === null || hasHub(caller, found.hubId))
    },
  },
]

/** Scripts and pictures of plugins, which every member reads, and certificates of directories. */
async function mayReadPart(
  sql: Sql,
  caller: Parameters<FileOwner["mayRead"]>[1],
  key: string,
): Promise<boolean> {
  const { organizationId, tokenScopes } = caller
  const isPlugin =
    (tokenScopes === null || may(caller, "edit/organization")) &&
    (await isAny(
      sql,
      () => sql`
        select 1 from plugins where organization_id = ${organizationId} and (script_key = ${key} or icon_key = ${key})`,
    ))
  if (isPlugin) return true
  return (
    may(caller, "view/integration") &&
    isAny(
      sql,
      () =>
        sql`select 1 from app_integrations where organization_id = ${organizationId} and certificate_key = ${key}`,
    )
  )
}
