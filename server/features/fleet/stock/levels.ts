import type { RowChange } from "#core/audit-trail/audited-object.ts"
import type { Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { stockErrors } from "./errors.ts"

export interface Holder {
  kind: "vehicle" | "hub"
  id: string
  hubId: string
}

export interface NewMovement {
  kind: "receipt" | "issue" | "transfer" | "count" | "use"
  itemId: string
  quantity: number
  from: Holder | null
  to: Holder | null
  note: string | null
  by: string
  now: Temporal.Instant
}

/** Moves stock, or refuses to take more than there is. */
export async function move(
  tx: Tx,
  organizationId: string,
  movement: NewMovement,
): Promise<Id<"stock-movement">> {
  const { from, to, itemId, quantity } = movement
  const levels = await lockLevels(tx, organizationId, itemId, [from, to])
  if (movement.kind === "count" && to) {
    const difference = quantity - levels(to)
    await addTo(tx, organizationId, itemId, to, difference)
    return insertMovement(tx, organizationId, {
      ...movement,
      ...(difference < 0 ? { from: to, to: null } : {}),
      quantity: Math.abs(difference),
      counted: quantity,
    })
  }
  if (from) {
    const there = levels(from)
    if (there < quantity) throw stockErrors.tooFew({ message: `There are only ${there} in stock` })
    await addTo(tx, organizationId, itemId, from, -quantity)
  }
  if (to) await addTo(tx, organizationId, itemId, to, quantity)
  return insertMovement(tx, organizationId, movement)
}

/**
 * Books what a finished task used, once for each item: as much as there is. The work is done, so that what is missing is noted
 * and does not refuse it.
 */
export async function bookUse(
  tx: Tx,
  organizationId: string,
  taskId: string,
  movement: Omit<NewMovement, "kind" | "to" | "note">,
): Promise<void> {
  const { itemId, from, quantity } = movement
  const id = await insertMovement(tx, organizationId, {
    ...{ ...movement, kind: "use", to: null, note: null, taskId },
    ...{ quantity: 0, missing: quantity },
  })
  if (!id || !from) return
  const levels = await lockLevels(tx, organizationId, itemId, [from])
  const taken = Math.min(levels(from), quantity)
  await addTo(tx, organizationId, itemId, from, -taken)
  await tx`
    update stock_movements set quantity = ${taken}, missing = ${quantity - taken}
    where organization_id = ${organizationId} and id = ${id}`
}

/** Takes what a movement moved back to where it came from, or moves it again, as long as it is still there. */
export async function undoMovement({ tx, caller, plan, row }: RowChange): Promise<void> {
  if (row.kind === "use") throw stockErrors.isMade()
  const { organizationId } = caller
  const holderOf = (kind: unknown, id: unknown): Holder | null =>
    typeof id === "string" ? { kind: kind as Holder["kind"], id, hubId: "" } : null
  const [from, to] = [holderOf(row.from_kind, row.from_id), holderOf(row.to_kind, row.to_id)]
  const [source, target] = plan === "remove" ? [to, from] : [from, to]
  const [itemId, quantity] = [String(row.item_id), Number(row.quantity)]
  const levels = await lockLevels(tx, organizationId, itemId, [source, target])
  if (source && levels(source) < quantity)
    throw stockErrors.tooFew({ message: `There are only ${levels(source)} in stock` })
  if (source) await addTo(tx, organizationId, itemId, source, -quantity)
  if (target) await addTo(tx, organizationId, itemId, target, quantity)
}

/** Locks the levels of an item in an order that is always the same, and returns what is there. */
async function lockLevels(
  tx: Tx,
  organizationId: string,
  itemId: string,
  holders: readonly (Holder | null)[],
) {
  const known = holders
    .filter((holder) => holder !== null)
    .toSorted((a, b) => (`${a.kind}${a.id}` < `${b.kind}${b.id}` ? -1 : 1))
  const found = new Map<string, number>()
  for (const { kind, id } of known) {
    await tx`
      insert into stock_levels (organization_id, item_id, holder_kind, holder_id)
      values (${organizationId}, ${itemId}, ${kind}, ${id}) on conflict do nothing`
    const [row] = await tx<[{ quantity: number }]>`
      select quantity::float8 as quantity from stock_levels
      where organization_id = ${organizationId} and item_id = ${itemId} and holder_kind = ${kind} and holder_id = ${id}
      for update`
    found.set(`${kind} ${id}`, row.quantity)
  }
  return ({ kind, id }: Holder) => found.get(`${kind} ${id}`) ?? 0
}

async function addTo(tx: Tx, organizationId: string, itemId: string, { kind, id }: Holder, quantity: number) {
  await tx`
    update stock_levels set quantity = quantity + ${quantity}::numeric
    where organization_id = ${organizationId} and item_id = ${itemId} and holder_kind = ${kind} and holder_id = ${id}`
}

/** Of a task: undefined if the item was booked before. */
async function insertMovement(
  tx: Tx,
  organizationId: string,
  movement: NewMovement & { counted?: number; missing?: number; taskId?: string },
): Promise<Id<"stock-movement">> {
  const id = newId<"stock-movement">()
  const { from, to } = movement
  const rows = await tx`
    insert into stock_movements (organization_id, id, item_id, kind, from_kind, from_id, to_kind, to_id, quantity, missing, counted,
      task_id, audit_hub_id, note, created_by, created_time)
    values (${organizationId}, ${id}, ${movement.itemId}, ${movement.kind}, ${from?.kind ?? null}, ${from?.id ?? null},
      ${to?.kind ?? null}, ${to?.id ?? null}, ${movement.quantity}, ${movement.missing ?? 0}, ${movement.counted ?? null},
      ${movement.taskId ?? null}, ${from?.hubId ?? to?.hubId ?? null}, ${movement.note}, ${movement.by}, ${movement.now})
    on conflict (organization_id, task_id, item_id) where task_id is not null do nothing returning id`
  return rows.length > 0 ? id : ("" as typeof id)
}
