import { type Caller, findCallerByEmail, may } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { findRecords } from "../data-records/index.ts"
import { findTasks, type TaskRow } from "../tasks/index.ts"

interface Link {
  ownerType: "user" | "task" | "record"
  ownerId: string
  /** Null: from before links were kept. */
  linkedBy: string | null
}

/** A file that more than this refer to is decided by the oldest of them. */
const maxLinks = 50
const maxLinkers = 5
/** Photos of customers' requests, which no member uploaded. Their names are random, so nobody can guess one. */
const isOfRequest = /\/\d+_request_[0-9a-f]{18}_[^/]*$/
const taskUploads = ["add/task", "edit/task", "do/task"] as const

/**
 * Photos, recordings and signatures belong to the task that their name begins with, to the person who uploaded them, and to
 * the tasks and records that refer to them. A reference counts when the person who wrote it may read the file by
 * themselves: otherwise writing a guessed address into a task of one's own would open it.
 */
export async function mayReadAttached(sql: Sql, caller: Caller, key: string): Promise<boolean> {
  const links = await readLinks(sql, caller, key)
  if (await mayReadDirectly(sql, caller, key, links)) return true
  const references = await visibleLinks(sql, caller, links)
  return doReferencesCount(sql, caller, key, { links, references })
}

/** Which of the files that a task refers to are shown to people without an account. */
export async function filesOfTask(
  sql: Sql,
  task: Pick<TaskRow, "organizationId" | "id">,
  keys: readonly string[],
): Promise<Set<string>> {
  const isOfTask = async (key: string) => {
    if (taskInName(key) === task.id) return true
    const links = await readLinks(sql, task, key)
    const references = links.filter(({ ownerType, ownerId }) => ownerType === "task" && ownerId === task.id)
    return doReferencesCount(sql, task, key, { links, references })
  }
  const shown = await Promise.all(keys.map(async (key) => ((await isOfTask(key)) ? [key] : [])))
  return new Set(shown.flat())
}

/** Whether somebody who may read the file wrote one of the references to it. */
async function doReferencesCount(
  sql: Sql,
  { organizationId }: Pick<Caller, "organizationId">,
  key: string,
  { links, references }: { links: readonly Link[]; references: readonly Link[] },
): Promise<boolean> {
  const uploaders = new Set(
    links.filter(({ ownerType }) => ownerType === "user").map((link) => link.linkedBy),
  )
  const trusted = ({ linkedBy }: Link) =>
    linkedBy === null || linkedBy === "System" || uploaders.has(linkedBy) || isOfRequest.test(key)
  if (references.some(trusted)) return true
  const linkers = [...new Set(references.map(({ linkedBy }) => linkedBy ?? ""))].slice(0, maxLinkers)
  for (const email of linkers) {
    const linker = await findCallerByEmail(sql, organizationId, email)
    if (linker && (await mayReadDirectly(sql, linker, key, links))) return true
  }
  return false
}

/** The task that a name begins with, after the time. */
function taskInName(key: string): string | undefined {
  return /\/\d+_([0-9a-f]{24})_[^/]*$/i.exec(key)?.[1]?.toLowerCase()
}

/** By the task that the name begins with, as uploader, or by a reference that is from before links were kept. */
async function mayReadDirectly(
  sql: Sql,
  caller: Caller,
  key: string,
  links: readonly Link[],
): Promise<boolean> {
  const named = taskInName(key)
  if (named && (await seesTask(sql, caller, [named]))) return true
  const isUploader = links.some(({ ownerType, ownerId }) => ownerType === "user" && ownerId === caller.userId)
  if (isUploader && (caller.tokenScopes === null || taskUploads.some((name) => may(caller, name))))
    return true
  return (await visibleLinks(sql, caller, links)).some(({ linkedBy }) => linkedBy === null)
}

function readLinks(
  sql: Sql,
  { organizationId }: Pick<Caller, "organizationId">,
  key: string,
): Promise<Link[]> {
  return sql<Link[]>`
    select owner_type, owner_id, linked_by from file_links
    where organization_id = ${organizationId} and key = ${key}
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
