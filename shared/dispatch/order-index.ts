/**
 * The order indexes that put the stop at `place` of a list between its neighbours: its own alone where there is room, else
 * those of the whole list.
 */
export function orderIndexesAt(
  order: readonly { id: string; orderIndex: number }[],
  place: number,
): Map<string, number> {
  const stop = order[place]
  if (!stop) return new Map()
  const [before, after] = [order[place - 1]?.orderIndex, order[place + 1]?.orderIndex]
  const own =
    before === undefined ? (after ?? 0) - 1 : after === undefined ? before + 1 : (before + after) / 2
  const hasRoom = (before === undefined || own > before) && (after === undefined || own < after)
  if (hasRoom) return new Map([[stop.id, own]])
  const first = Math.min(...order.map(({ orderIndex }) => orderIndex))
  return new Map(order.map(({ id }, index) => [id, first + index]))
}
