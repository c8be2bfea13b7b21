import { useMemo } from "react"
import type { ListWindow } from "./list-window.ts"
import type { Column } from "./VirtualGrid.tsx"

const stays = () => undefined

/** A list that the browser has whole, such as that of people: sorted here by any column. */
export function useLocalList<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { by, order }: { by: string; order: "asc" | "desc" },
): ListWindow<Row> & { rows: readonly Row[] } {
  return useMemo(() => {
    const column = columns.find(({ sort }) => sort === by)
    const orderOf = column?.orderOf ?? column?.groupOf
    const sorted = orderOf
      ? rows.toSorted((one, other) => compare(orderOf(one), orderOf(other)) * (order === "asc" ? 1 : -1))
      : rows
    return {
      rows: sorted,
      total: sorted.length,
      rowAt: (index) => sorted[index],
      setRange: stays,
      isLoading: false,
      error: null,
    }
  }, [rows, columns, by, order])
}

/** In the order in which people count: "Van 2" before "Van 10". */
function compare(one: string | number, other: string | number): number {
  if (typeof one === "number" && typeof other === "number") return one - other
  return String(one).localeCompare(String(other), undefined, { numeric: true })
}
