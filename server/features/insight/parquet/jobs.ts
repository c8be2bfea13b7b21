import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import { defineJob, type Job, type JobContext, longQueue, send } from "#core/jobs/define-job.ts"
import { discardFiles, expectFile, keepFile } from "#core/objects/loose-files.ts"
import { privateKey } from "#core/objects/objects.ts"
import { encodeParquet } from "./encode.ts"
import { type ParquetFile, replaceMonth, statesOf } from "./files.ts"
import { type ColumnType, columnsOf, monthsOf, rowsOf } from "./read-months.ts"
import { type ParquetTable, parquetTableNames } from "./tables.ts"

/** Writes the months that changed since they were written last. A second run finds them written. */
export const writeParquet = defineJob({
  name: "insight.write-parquet",
  payload: Type.Object({ organizationId: Type.String() }),
  maxAttempts: 3,
  timeoutSeconds: 3600,
  isLong: true,
  async handle(context, { organizationId }) {
    const { sql, signal } = context
    for (const table of parquetTableNames) {
      const [months, written, columns] = await Promise.all([
        monthsOf(sql, organizationId, table),
        statesOf(sql, organizationId, table),
        columnsOf(sql, table),
      ])
      for (const { month, state } of months) {
        if (signal.aborted) return
        if (written.get(month) !== state)
          await writeMonth(context, organizationId, { table, month, state, columns })
      }
      const present = new Set(months.map(({ month }) => month))
      for (const month of written.keys())
        if (!present.has(month)) await replaceFiles(context, organizationId, { table, month }, [])
    }
  },
})

/** Each night, every organization in a queue of its own. */
const queueParquet = defineJob({
  name: "insight.queue-parquet",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "41 2 * * *",
  async handle({ sql }) {
    const organizations = await sql<{ organizationId: string }[]>`
      select distinct organization_id from analyst_hubs order by 1`
    for (const { organizationId } of organizations)
      await send(sql, writeParquet, { organizationId }, queueOf(organizationId))
  },
})

export function queueOf(organizationId: string) {
  return { queue: longQueue("export", organizationId), key: `${writeParquet.name}:${organizationId}` }
}

export const parquetJobs: readonly Job[] = [writeParquet, queueParquet]

interface Month {
  table: ParquetTable
  month: string
}

async function writeMonth(
  context: JobContext,
  organizationId: string,
  { table, month, state, columns }: Month & { state: string; columns: readonly ColumnType[] },
): Promise<void> {
  const { sql, objects, clock } = context
  const writtenTime = clock.now()
  const files: ParquetFile[] = []
  for await (const rows of rowsOf(sql, organizationId, { table, month, columns })) {
    const part = files.length + 1
    const name = `${table}-${month}-${part}-${writtenTime.epochMilliseconds}.parquet`
    const key = privateKey(organizationId, name)
    await expectFile(sql, key)
    const bytes = await objects.put(key, encodeParquet(columns, rows))
    files.push({ table, month, part, key, state, rows: rows.length, bytes, writtenTime })
  }
  await replaceFiles(context, organizationId, { table, month }, files)
}

/** The list changes at once: a reader never sees half of a month. */
async function replaceFiles(
  { sql, objects }: JobContext,
  organizationId: string,
  month: Month,
  files: readonly ParquetFile[],
): Promise<void> {
  await inTransaction(sql, async (tx) => {
    const gone = await replaceMonth(tx, organizationId, month, files)
    for (const { key } of files) await keepFile(tx, key)
    await discardFiles(tx, objects, gone)
  })
}
