import type { Tx } from "#core/database/database.ts"
import type { DomainEvent, StoredEventName } from "#core/domain-events.ts"
import type { Id } from "#core/ids.ts"
import { findFlow } from "../../work/flows/index.ts"
import { vehicleOf } from "../../work/vehicles/index.ts"
import { bookUse } from "./levels.ts"
import { maxQuantity } from "./schemas.ts"

interface Line {
  /** Code or name of the item. */
  words: string[]
  quantity: number
}

/**
 * Listener of domain events: books the parts of finished tasks from the van of the person who did them. Parts are the lines of item
 * lists that the flow marks with `stock`.
 */
export async function bookParts(
  tx: Tx,
  organizationId: string,
  event: StoredEventName,
  events: readonly DomainEvent[],
): Promise<void> {
  if (event !== "onTaskFinished") return
  const tasks = events.map((one) => ({
    taskId: one.referenceId,
    record: ("record" in one ? one.record : JSON.parse(one.recordJson)) as Record<string, unknown>,
  }))
  for (const { taskId, record } of tasks) {
    const lists = Object.entries(record).filter(([, value]) => isItemList(value))
    if (lists.length > 0) await bookTask(tx, organizationId, { taskId, record, lists })
  }
}

function isItemList(value: unknown): boolean {
  return (
    Array.isArray(value) && value.some((line) => typeof line === "object" && line !== null && "qty" in line)
  )
}

async function bookTask(
  tx: Tx,
  organizationId: string,
  { taskId, record, lists }: { taskId: string; record: Record<string, unknown>; lists: [string, unknown][] },
): Promise<void> {
  const flow = await findFlow(
    tx,
    { organizationId: organizationId as Id<"organization"> },
    String(record.flowId),
  )
  const marked = new Set(
    (flow?.pages ?? []).flatMap((page) =>
      page.components
        .filter(({ component, stock }) => component === "list" && stock === true)
        .map(({ id }) => id),
    ),
  )
  const lines = lists.filter(([id]) => marked.has(id)).flatMap(([, value]) => linesOf(value))
  if (lines.length === 0) return
  const used = await usedItems(tx, organizationId, lines)
  const by = typeof record.doneBy === "string" ? record.doneBy : "System"
  const vehicle = used.size > 0 ? await vehicleOf(tx, organizationId, by) : undefined
  const from = vehicle ? { kind: "vehicle" as const, ...vehicle } : null
  // In one order, so that two tasks never wait for each other.
  for (const [itemId, quantity] of [...used].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    await bookUse(tx, organizationId, taskId, { itemId, quantity, from, by, now: Temporal.Now.instant() })
}

function linesOf(value: unknown): Line[] {
  return (value as Record<string, unknown>[]).flatMap((line) => {
    const data =
      typeof line.data === "object" && line.data !== null ? (line.data as Record<string, unknown>) : {}
    const words = [line.code, data.code, data.dataId, line.title]
      .filter((word): word is string => typeof word === "string" && word.trim() !== "")
      .map((word) => word.trim().toLowerCase())
    const quantity = Math.round(Number(line.qtyProcessed ?? line.qty) * 1000) / 1000
    return words.length > 0 && quantity > 0 ? [{ words, quantity }] : []
  })
}

/** The quantity of each item; lines that name no item are not stock. */
async function usedItems(tx: Tx, organizationId: string, lines: readonly Line[]) {
  const words = [...new Set(lines.flatMap((line) => line.words))]
  const items = await tx<{ id: string; code: string; name: string }[]>`
    select id, lower(code) as code, lower(name) as name from stock_items
    where organization_id = ${organizationId} and (lower(code) = any (${words}) or lower(name) = any (${words}))
    order by id`
  const used = new Map<string, number>()
  for (const line of lines) {
    const item =
      items.find(({ code }) => line.words.includes(code)) ??
      items.find(({ name }) => line.words.includes(name))
    if (item) used.set(item.id, Math.min(maxQuantity, (used.get(item.id) ?? 0) + line.quantity))
  }
  return used
}
