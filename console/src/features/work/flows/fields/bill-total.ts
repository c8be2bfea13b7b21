/** A line of a list or a bill, as a task holds it. */
export interface Line {
  title: string
  qty: number | null
  content?: string | null
  unitPrice?: number | null
  qtyProcessed?: number | null
  [key: string]: unknown
}

export interface BillCost {
  name: string
  type: "discount" | "cost"
  amount: number
}

export function linesOf(value: unknown): Line[] {
  return (Array.isArray(value) ? value : [])
    .filter((entry) => typeof entry === "object" && entry !== null)
    .map((entry) => ({ ...entry, title: String(entry.title ?? "") }))
}

/** What a bill comes to: quantities that were handled, else the planned ones, with costs and less discounts. */
export function billTotal(lines: readonly Line[], costs: readonly BillCost[]): number {
  const items = lines.reduce(
    (sum, line) => sum + (line.qtyProcessed ?? line.qty ?? 0) * (line.unitPrice ?? 0),
    0,
  )
  return costs.reduce(
    (sum, { type, amount }) => sum + (type === "discount" ? -1 : 1) * (Number(amount) || 0),
    items,
  )
}
