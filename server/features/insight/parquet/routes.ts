import { Type } from "typebox"
import type { App } from "#core/http/types.ts"
import { send } from "#core/jobs/define-job.ts"
import { ListQuery, PaginatorSchema, paginate, readPage } from "#core/paging.ts"
import { toT1 } from "#shared/wire-time.ts"
import { countParquetFiles, listParquetFiles } from "./files.ts"
import { queueOf, writeParquet } from "./jobs.ts"
import { parquetTableNames } from "./tables.ts"

const Success = { status: Type.Literal(true), message: Type.String() }
const FileSchema = Type.Object(
  {
    table: Type.String(),
    month: Type.String({ description: "In UTC, such as 2031-05" }),
    part: Type.Integer({ description: "A month has a file for each 50,000 rows" }),
    rows: Type.Integer(),
    bytes: Type.Integer(),
    writtenTime: Type.String(),
    url: Type.String({ description: "Opens the file for a day, without a token" }),
  },
  { title: "ParquetFile" },
)

/** Parquet files of an organization, with every row of it. */
export function parquetRoutes(app: App): void {
  app.get("/analytics/files", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "listParquetFiles",
      summary: "List the Parquet files of the organization",
      description:
        "Tasks, sessions, ratings, alerts and hourly counts, by month. They are written each night where something changed, and contain everything of the organization.",
      querystring: Type.Object({
        page: ListQuery.page,
        limit: ListQuery.limit,
        table: Type.Optional(Type.String({ enum: parquetTableNames })),
      }),
      response: { 200: Type.Object({ ...Success, data: PaginatorSchema(FileSchema) }) },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "anlyt")
      const { table } = query
      const files = await listParquetFiles(sql, caller.organizationId, { table, ...page })
      const count = await countParquetFiles(sql, caller.organizationId, table)
      const now = app.clock.now()
      const rows = files.map(({ key, state: _state, writtenTime, ...file }) => ({
        ...file,
        writtenTime: toT1(writtenTime),
        url: app.links.sign(key, now),
      }))
      return { status: true as const, message: "Success", data: paginate(rows, count, page, address) }
    },
  })

  app.post("/analytics/files", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "writeParquetFiles",
      summary: "Write the Parquet files now",
      description: "Instead of waiting for the night. Only months that changed are written.",
      response: { 200: Type.Object(Success) },
    },
    async handler({ sql, caller }) {
      await send(sql, writeParquet, { organizationId: caller.organizationId }, queueOf(caller.organizationId))
      return { status: true as const, message: "The files are being written" }
    },
  })
}
