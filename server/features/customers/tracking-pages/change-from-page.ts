import { inTransaction, type Pool } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { cleanText } from "#core/plain-text.ts"
import { changeTask } from "../../work/tasks/index.ts"
import { saveRating } from "../feedback/index.ts"
import { customerCaller, type Sender } from "./sender.ts"
import { type CustomerRequests, findTaskOf, type TrackingView } from "./view.ts"

export interface PageChange {
  action: "details" | "cancellation" | "rating"
  fields: Readonly<Record<string, string>>
}

interface ChangeContext {
  sql: Pool
  live: LiveEvents
  now: Temporal.Instant
}

/** Writes what a customer sent from a page; what the settings do not allow is ignored. */
export async function changeFromPage(
  context: ChangeContext,
  { view, sender }: { view: TrackingView; sender: Sender },
  { action, fields }: PageChange,
): Promise<void> {
  const isOver = view.state === "done" || view.state === "failed"
  if (action === "rating") {
    const stars = Number(fields.stars)
    const isStars = Number.isInteger(stars) && stars >= 1 && stars <= 5
    if (isOver && isStars && sender.settings.askRating && !view.rating)
      await inTransaction(context.sql, (tx) =>
        saveRating(tx, context, {
          organizationId: sender.organizationId,
          taskId: view.taskId,
          stars,
          comment: read(fields.comment, 2000),
        }),
      )
    return
  }
  if (isOver) return
  const attributes = action === "details" ? detailsOf(sender, fields) : cancellationOf(view, sender, fields)
  if (Object.keys(attributes).length === 0) return
  await inTransaction(context.sql, async (tx) => {
    const task = await findTaskOf(tx, sender.organizationId, view.taskId)
    if (!task || task.status === "DONE") return
    const { routingResultId } = task
    const change = {
      taskId: task.id,
      kind: "patch" as const,
      patch: {},
      planned: { routingResultId, attributes },
    }
    await changeTask(tx, customerCaller(sender.organizationId), change, context)
  })
}

function detailsOf({ settings }: Sender, fields: PageChange["fields"]): Partial<CustomerRequests> {
  const sent = (name: string) => Object.hasOwn(fields, name)
  return {
    ...(settings.allowInstructions && sent("instructions")
      ? { customerInstructions: read(fields.instructions, 500) }
      : {}),
    ...(settings.allowSafePlace && sent("safePlace")
      ? { customerSafePlace: read(fields.safePlace, 200) }
      : {}),
    ...(settings.allowContact && sent("contact") ? { customerContact: read(fields.contact, 200) } : {}),
  }
}

function cancellationOf(
  { state, requests }: TrackingView,
  { settings }: Sender,
  fields: PageChange["fields"],
): Partial<CustomerRequests> {
  if (!settings.allowCancellation || state === "arrived" || requests.customerCancellation) return {}
  return { customerCancellation: read(fields.reason, 200) ?? "-" }
}

/** Text of a stranger: without control characters, of limited length; null where nothing is left. */
function read(text: string | undefined, maxLength: number): string | null {
  const cleaned = cleanText(text ?? "")
  return cleaned === "" ? null : cleaned.slice(0, maxLength)
}
