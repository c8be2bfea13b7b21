import { systemCaller } from "#core/access/system-caller.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { publish } from "#core/events/publish.ts"
import { newId } from "#core/ids.ts"
import { valueText } from "#shared/values.ts"
import { sendFromOutside } from "../../work/messages/index.ts"
import { findWritten, type TaskRow } from "../../work/tasks/index.ts"

interface SaveContext {
  live: LiveEvents
  now: Temporal.Instant
}

export interface Rating {
  organizationId: string
  taskId: string
  stars: number
  comment: string | null
}

export interface Reply {
  organizationId: string
  taskId: string
  /** The customer's address on the channel. */
  sender: string
  comment: string
}

/** Stores the one rating of a task; a second one is ignored. A poor one is a comment on the task too. */
export function saveRating(tx: Tx, context: SaveContext, rating: Rating): Promise<boolean> {
  return insert(tx, context, { ...rating, kind: "rating", sender: null })
}

/** Stores what a customer wrote back, as a comment on the task too, and notifies the people of the task. */
export function saveReply(tx: Tx, context: SaveContext, reply: Reply): Promise<boolean> {
  return insert(tx, context, { ...reply, kind: "reply", stars: null })
}

interface NewFeedback {
  organizationId: string
  taskId: string
  kind: "rating" | "reply"
  stars: number | null
  comment: string | null
  sender: string | null
}

async function insert(tx: Tx, { live, now }: SaveContext, entry: NewFeedback): Promise<boolean> {
  const organizationId = entry.organizationId as TaskRow["organizationId"]
  const caller = systemCaller(organizationId, { email: "Customer", name: "Customer" })
  const [task] = await findWritten(tx, caller, [entry.taskId])
  if (!task) return false
  const id = newId<"feedback">()
  const rows = await tx`
    insert into customer_feedback (organization_id, id, task_id, hub_id, flow_id, task_title, driver, kind, stars,
      comment, sender, created_time)
    values (${organizationId}, ${id}, ${task.id}, ${task.hubId}, ${task.flowId},
      ${valueText(task.attributes.title ?? task.title)}, ${task.doneBy ?? task.assignee[0] ?? null}, ${entry.kind},
      ${entry.stars}, ${entry.comment}, ${entry.sender}, ${now})
    on conflict (organization_id, task_id) where kind = 'rating' do nothing
    returning 1`
  if (rows.length === 0) return false
  const content = { feedbackId: id, taskId: task.id, kind: entry.kind, stars: entry.stars }
  const { hubId, assignee } = task
  await publish(tx, live, "customer.feedback", { organizationId, hubId, emails: assignee, content })
  const text = commentOf(entry)
  const emails = [task.assignedBy, task.createdBy]
  await sendFromOutside(tx, caller, { taskId: task.id, text, emails }, { live, now })
  return true
}

const poorStars = 2

/** What the people of the task should answer; empty for ratings that are good enough. */
function commentOf({ kind, stars, comment }: NewFeedback): string {
  if (kind === "reply") return comment ?? ""
  if (stars === null || stars > poorStars) return ""
  return `${"★".repeat(stars)}${"☆".repeat(5 - stars)} ${comment ?? ""}`.trim()
}

export async function findRating(
  sql: Sql,
  organizationId: string,
  taskId: string,
): Promise<{ stars: number; comment: string | null } | undefined> {
  const rows = await sql<{ stars: number; comment: string | null }[]>`
    select stars, comment from customer_feedback
    where organization_id = ${organizationId} and task_id = ${taskId} and kind = 'rating'`.reusePlan()
  return rows[0]
}
