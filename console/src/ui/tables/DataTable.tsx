import type { ReactNode } from "react"

interface TableColumn<Row> {
  /** Of a column of buttons only screen readers read it. */
  title: string
  /** The narrowest screen that shows the column. */
  from?: "sm" | "md"
  kind?: "name" | "quiet" | "number" | "actions"
  className?: string
  cell(row: Row, index: number): ReactNode
}

interface DataTableProps<Row> {
  rows: readonly Row[]
  keyOf(row: Row): string | number
  /** In their order; a column that does not apply is `false`. */
  columns: readonly (TableColumn<Row> | false)[]
}

/** A table of a few hundred rows at most; longer lists are a VirtualGrid. */
export function DataTable<Row>({ rows, keyOf, columns }: DataTableProps<Row>) {
  const shown = columns.filter((column) => column !== false)
  return (
    <table className="plain-table">
      <thead>
        <tr>
          {shown.map(({ title, from, kind }) => (
            <th
              key={title}
              className={from && `from-${from}`}
              data-kind={kind}
              aria-label={kind === "actions" ? title : undefined}
            >
              {kind === "actions" ? null : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={keyOf(row)}>
            {shown.map(({ title, from, kind, className, cell }) => (
              <td
                key={title}
                className={[from && `from-${from}`, kind === "quiet" && "quiet", className]
                  .filter(Boolean)
                  .join(" ")}
                data-kind={kind}
              >
                {cell(row, index)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
