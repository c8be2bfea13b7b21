import { skipToken, useQuery } from "@tanstack/react-query"
import { type ReactNode, useMemo, useState } from "react"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { defineMessages } from "../../i18n/messages.ts"
import type { GridGroup } from "./GridLines.tsx"
import { type ListWindow, type PageQuery, windowRows } from "./list-window.ts"
import type { Column } from "./VirtualGrid.tsx"

const messages = defineMessages("console.localGroups", {
  noValue: "No value",
  tooMany: "Lists of more than {most} rows are not grouped. Narrow this one with a filter.",
})

/** The longest list that is read whole, to be grouped and added up here. */
const maxRows = 2_000

interface LocalGroupsOptions<Row> {
  list: ListWindow<Row>
  /** All rows, or how as many of them are read. */
  whole: readonly Row[] | ((limit: number) => PageQuery<Row>)
  columns: readonly Column<Row>[]
  /** The column whose values make groups. */
  group: string | undefined
}

interface LocalGroups<Row> {
  list: ListWindow<Row>
  groupAt?: (index: number) => GridGroup | undefined
  totalOf?: (column: string) => ReactNode
  notice?: string
}

type Line<Row> = { group: number } | { row: Row }

/** Groups and totals of a list that the server does not sum up: of a short one, or one that somebody groups. */
export function useLocalGroups<Row>({
  list,
  whole,
  columns,
  group,
}: LocalGroupsOptions<Row>): LocalGroups<Row> {
  const t = useMessages(messages)
  const formats = useFormats()
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const by = columns.find(({ id, groupOf }) => id === group && groupOf)?.groupOf
  const isGrouped = by !== undefined && list.total > 0 && list.total <= maxRows
  // A short list is read whole with its first page.
  const loaded = typeof whole === "function" ? loadedRows(list) : whole
  const isComplete = loaded.length === list.total
  const { data: read } = useQuery({
    ...(typeof whole === "function" ? whole(maxRows) : { queryKey: ["rows-here"], queryFn: skipToken }),
    enabled: isGrouped && !isComplete,
  })
  const data = isComplete ? { rows: loaded } : read
  const lines = useMemo((): { names: string[]; counts: string[]; lines: Line<Row>[] } | undefined => {
    if (!isGrouped || !by || !data) return undefined
    const sorted = groupRows(data.rows, by)
    return {
      names: sorted.map(([name]) => name),
      counts: sorted.map(([, rows]) =>
        [formats.number(rows.length), ...sumsOf(columns, rows, formats.number)].join(" · "),
      ),
      lines: sorted.flatMap(([name, rows], at): Line<Row>[] => [
        { group: at },
        ...(toggled.has(name) ? [] : rows.map((row) => ({ row }))),
      ]),
    }
  }, [isGrouped, by, data, toggled, columns, formats])
  const totalOf = (rows: readonly Row[]) => (column: string) => {
    const numberOf = columns.find(({ id }) => id === column)?.numberOf
    return numberOf ? formats.number(sum(rows, numberOf)) : null
  }
  const hasNumbers = columns.some(({ numberOf }) => numberOf)
  if (!lines || !data) {
    return {
      list,
      ...(hasNumbers && loaded.length > 0 && isComplete ? { totalOf: totalOf(loaded) } : {}),
      ...(by && list.total > maxRows ? { notice: t("tooMany", { most: formats.number(maxRows) }) } : {}),
    }
  }
  const toggle = (name: string) => {
    const next = new Set(toggled)
    if (!next.delete(name)) next.add(name)
    setToggled(next)
  }
  return {
    list: {
      ...list,
      total: lines.lines.length,
      rowAt: (index) => {
        const line = lines.lines[index]
        return line && "row" in line ? line.row : undefined
      },
      setRange: () => undefined,
    },
    groupAt(index) {
      const line = lines.lines[index]
      if (!line || !("group" in line)) return undefined
      const name = lines.names[line.group] ?? ""
      return {
        isOpen: !toggled.has(name),
        onToggle: () => toggle(name),
        content: (
          <>
            <strong>{name || t("noValue")}</strong>
            <span className="quiet">{lines.counts[line.group]}</span>
          </>
        ),
      }
    },
    ...(hasNumbers ? { totalOf: totalOf(data.rows) } : {}),
  }
}

/** The rows of the first page, as far as they are read. */
function loadedRows<Row>(list: ListWindow<Row>): Row[] {
  const length = Math.min(list.total, windowRows)
  return Array.from({ length }, (_, at) => list.rowAt(at)).filter((row) => row !== undefined)
}

/** Rows by what they have in common, in the order in which people count; those without a value last. */
export function groupRows<Row>(rows: readonly Row[], by: (row: Row) => string): [string, Row[]][] {
  return [...Map.groupBy(rows, by)].toSorted(([one], [other]) => {
    if (one === "" || other === "") return one === "" ? 1 : -1
    return one.localeCompare(other, undefined, { numeric: true })
  })
}

export function sum<Row>(rows: readonly Row[], numberOf: (row: Row) => number | undefined): number {
  // Without the last binary digits, in which sums of decimals differ.
  return Number(rows.reduce((total, row) => total + (numberOf(row) ?? 0), 0).toPrecision(14))
}

function sumsOf<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  write: (sum: number) => string,
): string[] {
  return columns.flatMap(({ title, numberOf }) =>
    numberOf ? [`${title} ${write(sum(rows, numberOf))}`] : [],
  )
}
