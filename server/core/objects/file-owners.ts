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

/** Stores who uploaded a file, who may look at it before anything refers to it, and what it contained. */
export async function linkUpload(
  sql: Sql,
  caller: Caller,
  key: string,
  contentHash: Buffer | null = null,
): Promise<void> {
  await sql`
    insert into file_links (organization_id, key, owner_type, owner_id, linked_by, content_hash)
    values (${caller.organizationId}, ${key}, 'user', ${caller.userId}, ${caller.email}, ${contentHash})
    on conflict do nothing`
}

/** Those of the keys that the caller uploaded. */
export async function uploadedBy(sql: Sql, caller: Caller, keys: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ key: string }[]>`
    select key from file_links
    where organization_id = ${caller.organizationId} and key = any (${[...keys]}) and owner_type = 'user'
      and owner_id = ${caller.userId}`
  return new Set(rows.map(({ key }) => key))
}

/** The keys under which the caller has uploaded this content, oldest first. */
export async function findUploads(sql: Sql, caller: Caller, contentHash: Buffer): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    select key from file_links
    where organization_id = ${caller.organizationId} and owner_id = ${caller.userId} and content_hash = ${contentHash}
      and owner_type = 'user'
    order by linked_time, key limit 20`
  return rows.map(({ key }) => key)
}
