import { parquetWriteBuffer } from "hyparquet-writer"
import type { ColumnType } from "./read-months.ts"

type Cell = string | null
type Kind = "BOOLEAN" | "DOUBLE" | "INT64" | "JSON" | "STRING" | "TIMESTAMP"

/** Types of PostgreSQL, and how their text is read. */
const kinds: Readonly<Record<string, readonly [Kind, (text: string) => unknown]>> = {
  "timestamp with time zone": ["TIMESTAMP", (text) => new Date(Number(text))],
  boolean: ["BOOLEAN", (text) => text === "true"],
  "double precision": ["DOUBLE", Number],
  bigint: ["INT64", BigInt],
  smallint: ["INT64", BigInt],
  jsonb: ["JSON", (text) => JSON.parse(text)],
  "text[]": ["JSON", (text) => JSON.parse(text)],
}

/** Rows as a Parquet file. */
export function encodeParquet(
  columns: readonly ColumnType[],
  rows: readonly { cells: readonly Cell[] }[],
): Buffer {
  const columnData = columns.map(({ name, type }, place) => {
    const [kind, read] = kinds[type] ?? ["STRING", (text: string) => text]
    const data = rows.map(({ cells }) => {
      const cell = cells[place] ?? null
      return cell === null ? null : read(cell)
    })
    return { name, data, type: kind, nullable: true }
  })
  return Buffer.from(parquetWriteBuffer({ columnData }))
}
