import { createHash } from "node:crypto"
import { PassThrough, type Readable } from "node:stream"
import { type Caller, may } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { type FileOwner, ownerOf } from "#core/objects/file-owners.ts"
import type { Objects } from "#core/objects/objects.ts"
import type { SignedLinks } from "#core/objects/signed-links.ts"
import { type ZipWriter, zipWriter } from "#packages/spreadsheets/xlsx/zip-writer.ts"
import { toT1 } from "#shared/wire-time.ts"
import { recordedPositions } from "../../location/positions/index.ts"
import { listTaskMessages } from "../../work/messages/index.ts"
import { listHistoryPage, type TaskRow, toWireTask } from "../../work/tasks/index.ts"

export interface EvidenceContext {
  sql: Sql
  objects: Objects
  links: SignedLinks
  fileOwners: readonly FileOwner[]
  now: Temporal.Instant
}

const marginHours = 2
const longestHours = 36
const maxChanges = 10_000
const maxMessages = 5_000
const maxFiles = 300

/**
 * Everything about one task as a ZIP archive: the task, its changes, photos, messages, and positions around the work where the
 * caller may see them. `manifest.json` has the SHA-256 of each file, so that a copy can be checked.
 */
export function evidenceOf(context: EvidenceContext, caller: Caller, task: TaskRow): Readable {
  const out = new PassThrough()
  write(context, caller, task, out).then(
    () => out.end(),
    (error) => out.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  return out
}

async function write(
  { sql, objects, links, fileOwners, now }: EvidenceContext,
  caller: Caller,
  task: TaskRow,
  out: PassThrough,
): Promise<void> {
  const archive = zipWriter(out)
  const files: { path: string; bytes: number; sha256: string }[] = []
  const add = async (path: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) =>
    files.push(await addHashed(archive, path, content))
  const addJson = (path: string, value: unknown) =>
    add(path, [Buffer.from(`${JSON.stringify(value, null, 2)}\n`)])

  const { rows } = await listHistoryPage(sql, task, {
    page: 1,
    offset: 0,
    limit: maxChanges,
    direction: "asc",
  })
  const messages = await listTaskMessages(sql, caller, task.id, maxMessages)
  await addJson("task.json", toWireTask(task))
  await addJson(
    "changes.json",
    rows.map(({ createdAt, ...row }) => ({ ...row, createdTime: createdAt.toString() })),
  )
  await addJson("messages.json", messages)
  const missing: string[] = []
  for (const key of filesIn([task.values, task.attributes, messages], task.organizationId, links)) {
    // Anybody can write an address into a message or a value.
    const mayRead = (await ownerOf(fileOwners, key)?.mayRead(sql, caller, key)) ?? false
    const found = mayRead ? await objects.open(key).catch(() => undefined) : undefined
    if (found) await add(`files/${key.split("/").slice(1).join("_")}`, found.stream)
    else missing.push(key)
  }
  const span = spanOf(task, now)
  if (may(caller, "view/tracking")) {
    const positions = await recordedPositions(sql, caller, task.assignee, { ...span, now })
    for (const [email, points] of positions)
      await addJson(`positions/${email.replace(/[^\w.@+-]/g, "_")}.json`, points)
  }
  const about = { taskId: task.id, madeTime: toT1(now), madeBy: caller.email, missingFiles: missing }
  const positionsBetween = [toT1(span.from), toT1(span.to)]
  await archive.part("manifest.json", [`${JSON.stringify({ ...about, positionsBetween, files }, null, 2)}\n`])
  await archive.finish()
}

async function addHashed(
  archive: ZipWriter,
  path: string,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<{ path: string; bytes: number; sha256: string }> {
  const hash = createHash("sha256")
  let bytes = 0
  async function* hashed() {
    for await (const chunk of content) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  await archive.part(path, hashed())
  return { path, bytes, sha256: hash.digest("hex") }
}

/** From before the work to after it: the start and the end of its time window, or when it was really done. */
function spanOf({ startTime, endTime, assignedTime, doneTime }: TaskRow, now: Temporal.Instant) {
  const start =
    assignedTime && Temporal.Instant.compare(assignedTime, startTime) > 0 ? assignedTime : startTime
  const end = doneTime ?? (Temporal.Instant.compare(endTime, now) < 0 ? endTime : now)
  const to = end.add({ hours: marginHours })
  const from = start.subtract({ hours: marginHours })
  const earliest = to.subtract({ hours: longestHours })
  return { from: Temporal.Instant.compare(from, earliest) < 0 ? earliest : from, to }
}

/** Keys of the store that values name, each once; addresses of other servers are left out. */
function filesIn(values: readonly unknown[], organizationId: string, links: SignedLinks): string[] {
  const keys = new Set<string>()
  const visit = (value: unknown): void => {
    if (keys.size >= maxFiles) return
    if (typeof value === "string") {
      const key = value.startsWith(`${organizationId}/`) ? value : links.keyOf(value)
      if (key?.startsWith(`${organizationId}/`)) keys.add(key)
    } else if (typeof value === "object" && value !== null)
      for (const inner of Object.values(value)) visit(inner)
  }
  for (const value of values) visit(value)
  return [...keys]
}
