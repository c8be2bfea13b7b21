/** A query of the driver that has not been sent yet. */
interface ManyRows<Row> extends PromiseLike<readonly Row[]> {
  cursor(rows: number): AsyncIterable<readonly Row[]>
}

const rowsPerSlice = 250

/**
 * The rows of a query. Of a long list the driver would take megabytes apart without a pause, so these come in portions,
 * between which others are answered.
 */
export async function readInSlices<Row>(query: ManyRows<Row>, expectedRows: number): Promise<Row[]> {
  if (expectedRows <= rowsPerSlice) return [...(await query)]
  const rows: Row[] = []
  for await (const slice of query.cursor(rowsPerSlice)) rows.push(...slice)
  return rows
}
