import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import { commaList } from "#core/http/tolerance.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, paginate, pickFields, readPage, SparseSchema } from "#core/paging.ts"
import { dataTypeErrors } from "./errors.ts"
import { findDataType, listDataTypes, toWireDataType } from "./queries.ts"
import type { TypeUses } from "./records-of-type.ts"
import {
  ChangedDataTypeResponse,
  DataTypeBody,
  DataTypePatch,
  DataTypeResponse,
  DataTypeSchema,
  NewDataTypeBody,
} from "./schemas.ts"
import { changeDataType, createDataType, deleteDataType } from "./write-type.ts"

/** People who work on tasks read types and records too: flows fill in their components from them. */
const readers = ["view/dataType", "add/task", "do/task"] as const
const Params = Type.Object({ dataTypeId: IdSchema("data-type") })
const ChangeQuery = Type.Object({
  dryRun: Type.Optional(
    Type.Boolean({ description: "Only return how many records the change would break; writes nothing" }),
  ),
})
const providers = ["internal", "external-api"]

export function dataTypeRoutes(app: App, uses: TypeUses): void {
  const changeOf = (address: string) => ({ live: app.live, config: app.settings, address, ...uses })

  app.get("/data-types", {
    config: { anyOf: readers, valueCode: "dtype-003" },
    schema: {
      operationId: "listDataTypes",
      summary: "List the organization's data types, newest first",
      querystring: Type.Object({
        page: ListQuery.page,
        limit: ListQuery.limit,
        fields: ListQuery.fields,
        provider: Type.Optional(
          Type.String({ description: "Comma-separated list of internal (default) and external-api" }),
        ),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data_types: PaginatorSchema(SparseSchema(DataTypeSchema)),
        }),
      },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "dtype")
      const wanted = commaList(query.provider ?? "internal")
      if (!wanted.every((word) => providers.includes(word)))
        throw new AppError(400, "dtype-017", "provider must be internal or external-api, or both", {
          fields: { provider: ["must be internal or external-api"] },
        })
      const { rows, total } = await listDataTypes(sql, caller, wanted, page)
      const types = rows.map((row) => pickFields(toWireDataType(row), query.fields))
      return { status: true as const, message: "Success", data_types: paginate(types, total, page, address) }
    },
  })

  app.get("/data-type/:dataTypeId", {
    config: { anyOf: readers, quick: true },
    schema: {
      operationId: "getDataType",
      summary: "Get a data type",
      params: Params,
      response: { 200: DataTypeResponse },
    },
    async handler({ sql, caller, params }) {
      const type = await findDataType(sql, caller, params.dataTypeId)
      if (!type) throw dataTypeErrors.notFound()
      return { status: true as const, message: "Success", data_type: toWireDataType(type) }
    },
  })

  app.post("/data-type", {
    config: { permission: "add/dataType" },
    schema: {
      operationId: "createDataType",
      summary: "Create a data type",
      body: NewDataTypeBody,
      response: { 201: DataTypeResponse },
    },
    async handler({ sql, caller, body, ip }, reply) {
      const change = changeOf(ip)
      const type = await inTransaction(sql, (tx) => createDataType(tx, caller, body, change))
      reply.code(201)
      return { status: true as const, message: "Success", data_type: toWireDataType(type) }
    },
  })

  for (const method of ["put", "patch"] as const) {
    app[method]("/data-type/:dataTypeId", {
      config: { permission: "edit/dataType" },
      schema: {
        operationId: method === "put" ? "replaceDataType" : "changeDataType",
        summary:
          method === "put" ? "Replace a data type's name and fields" : "Change some keys of a data type",
        description:
          "impact counts the records with values that do not fit the changed fields. These values are unchanged unless repairs specifies otherwise; deleteFields deletes values. The change is applied completely or not at all.",
        params: Params,
        querystring: ChangeQuery,
        body: method === "put" ? DataTypeBody : DataTypePatch,
        response: { 200: ChangedDataTypeResponse },
      },
      async handler({ sql, caller, params, query, body, ip }) {
        const dryRun = query.dryRun ?? false
        const change = { ...changeOf(ip), dryRun }
        const { type, impact } = await inTransaction(sql, (tx) =>
          changeDataType(tx, caller, params.dataTypeId, body, change),
        )
        const message = dryRun ? "Nothing has been changed" : "Success"
        return { status: true as const, message, data_type: toWireDataType(type), dryRun, impact }
      },
    })
  }

  app.delete("/data-type/:dataTypeId", {
    config: { permission: "delete/dataType" },
    schema: {
      operationId: "deleteDataType",
      summary: "Delete a data type without records that no flow uses",
      params: Params,
      response: { 200: DataTypeResponse },
    },
    async handler({ sql, caller, params, ip }) {
      const change = changeOf(ip)
      const type = await inTransaction(sql, (tx) => deleteDataType(tx, caller, params.dataTypeId, change))
      return { status: true as const, message: "Data type has been deleted", data_type: toWireDataType(type) }
    },
  })
}
