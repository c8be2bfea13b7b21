import type { Caller } from "../access/caller.ts"
import type { Sql } from "../database/database.ts"

/** The object to which a kind of stored file belongs: its readers may read the file. */
export interface FileOwner {
  /** Of the key, after the organization. The first that matches decides. */
  prefix: RegExp
  /** Whether `filesAccessPermission: public` opens such files to everybody who has the address. */
  canBePublic: boolean
  mayRead(sql: Sql, caller: Caller, key: string): Promise<boolean>
}

/** Who may read a key. Undefined for a key of a kind that nobody declared, which nobody may read. */
export function ownerOf(owners: readonly FileOwner[], key: string): FileOwner | undefined {
  const path = key.slice(key.indexOf("/") + 1)
  return owners.find(({ prefix }) => prefix.test(path))
}

/** Keeps who uploaded a file, who may look at it before anything refers to it. */
export async function linkUpload(sql: Sql, caller: Caller, key: string): Promise<void> {
  await sql`
    insert into file_links (organization_id, key, owner_type, owner_id, linked_by)
    values (${caller.organizationId}, ${key}, 'user', ${caller.userId}, ${caller.email}) on conflict do nothing`
}
