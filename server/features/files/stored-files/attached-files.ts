import { type Caller, findCallerByEmail, may } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { findRecords } from "../../work/data-records/index.ts"
import { findTasks } from "../../work/tasks/index.ts"

interface Link {
  ownerType: "user" | "task" | "record"
  ownerId: string
  /** Null: from before links were kept. */
  linkedBy: string | null
}

/** A file that more than this refer to is decided by the oldest of them. */
const maxLinks = 50
const maxLinkers = 5
const taskUploads = ["add/task", "edit/task", "do/task"] as const

/**
 * Photos, recordings and signatures belong to the task that their name begins with, to the person who uploaded them, and to
 * the tasks and records that refer to them. A reference counts when the person who wrote it may read the file by
 * themselves: otherwise writing a guessed address into a task of one's own would open it.
 */
export async function mayReadAttached(sql: Sql, caller: Caller, key: string): Promise<boolean> {
  const links = await readLinks(sql, caller, key)
  if (await mayReadDirectly(sql, caller, key, links)) return true
  const visible = await visibleLinks(sql, caller, links)
  const uploaders = new Set(
    links.filter(({ ownerType }) => ownerType === "user").map((link) => link.linkedBy),
  )
  const trusted = ({ linkedBy }: Link) =>
    linkedBy === null || linkedBy === "System" || uploaders.has(linkedBy)
  if (visible.some(trusted)) return true
  const linkers = [...new Set(visible.map(({ linkedBy }) => linkedBy ?? ""))].slice(0, maxLinkers)
  for (const email of linkers) {
    const linker = await findCallerByEmail(sql, caller.organizationId, email)
    if (linker && (await mayReadDirectly(sql, linker, key, links))) return true
  }
  return false
}

/** By the task that the name begins with, as uploader, or by a reference that is from before links were kept. */
async function mayReadDirectly(
  sql: Sql,
  caller: Caller,
  key: string,
  links: readonly Link[],
): Promise<boolean> {
  const named = /\/\d+_([0-9a-f]{24})_[^/]*$/i.exec(key)?.[1]
  if (named && (await seesTask(sql, caller, [named]))) return true
  const isUploader = links.some(({ ownerType, ownerId }) => ownerType === "user" && ownerId === caller.userId)
  if (isUploader && (caller.tokenScopes === null || taskUploads.some((name) => may(caller, name))))
    return true
  return (await visibleLinks(sql, caller, links)).some(({ linkedBy }) => linkedBy === null)
}

function readLinks(sql: Sql, caller: Caller, key: string): Promise<Link[]> {
  return sql<Link[]>`
    select owner_type, owner_id, linked_by from file_links
    where organization_id = ${caller.organizationId} and key = ${key}
    order by owner_type = 'user' desc, linked_time, owner_id limit ${maxLinks}`
}

async function seesTask(sql: Sql, caller: Caller, ids: readonly string[]): Promise<boolean> {
  return may(caller, "view/task") && (await findTasks(sql, caller, ids)).length > 0
}

async function visibleLinks(sql: Sql, caller: Caller, links: readonly Link[]): Promise<Link[]> {
  const idsOf = (type: Link["ownerType"]) =>
    links.filter(({ ownerType }) => ownerType === type).map(({ ownerId }) => ownerId)
  const [taskIds, recordIds] = [idsOf("task"), idsOf("record")]
  const [tasks, records] = await Promise.all([
    taskIds.length > 0 && may(caller, "view/task") ? findTasks(sql, caller, taskIds) : [],
    recordIds.length > 0 && may(caller, "view/data") ? findRecords(sql, caller, recordIds) : [],
  ])
  const visible = new Set<string>([...tasks, ...records].map(({ id }) => id))
  return links.filter(({ ownerType, ownerId }) => ownerType !== "user" && visible.has(ownerId))
}
