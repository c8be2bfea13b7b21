import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, paginate, pickFields, readDirection, readPage } from "#core/paging.ts"
import { toT2 } from "#shared/wire-time.ts"
import { createEntry, deleteEntry, type EntryRow, findEntry, listEntries, updateEntry } from "./entries.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])
const Name = Type.String({ pattern: "^[a-zA-Z0-9_]+$", minLength: 1, maxLength: 255 })
const Params = Type.Object({ identifier: Type.String({ minLength: 1, maxLength: 255 }) })

const Entry = Type.Object(
  {
    _id: IdSchema("organization data"),
    name: Type.String(),
    data: Type.Unknown(),
    organizationId: IdSchema("organization"),
    createdBy: NullableText,
    updatedBy: NullableText,
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "OrganizationData" },
)
const envelope = <Code extends 200 | 201>(code: Code) =>
  Type.Object({ status: Type.Literal(true), data: Entry, code: Type.Literal(code), message: Type.String() })

/** Named JSON values of an organization: settings of add-ons, flags. Members read, administrators write. */
export function organizationDataRoutes(app: App): void {
  app.get("/org-data", {
    config: { signedIn: true, scopedToken: ["view/organization", "edit/organization"] },
    schema: {
      operationId: "listOrganizationData",
      summary: "List the named data of the organization",
      querystring: Type.Object({
        ...ListQuery,
        name: Type.Optional(Type.String({ description: "Exact name" })),
        q: Type.Optional(Type.String({ description: "Part of a name" })),
        sortBy: Type.Optional(Type.String({ description: "name (default), createdTime, updatedTime" })),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          code: Type.Literal(200),
          data: PaginatorSchema(Type.Partial(Entry)),
        }),
      },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "orgdt")
      const filter = { ...query, direction: readDirection(query.sortOrder, "asc") }
      const { rows, total } = await listEntries(sql, caller, filter, page)
      const data = rows.map((row) => pickFields(toWire(row), query.fields))
      return { status: true as const, code: 200 as const, data: paginate(data, total, page, address) }
    },
  })

  app.get("/org-data/:identifier", {
    config: { signedIn: true, scopedToken: ["view/organization", "edit/organization"] },
    schema: {
      operationId: "getOrganizationData",
      summary: "Get data of the organization by id or name",
      params: Params,
      response: { 200: envelope(200) },
    },
    handler: async ({ sql, caller, params }) => ({
      status: true as const,
      data: toWire(await findEntry(sql, caller, params.identifier)),
      code: 200 as const,
      message: "Success.",
    }),
  })

  app.post("/org-data", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "createOrganizationData",
      summary: "Store data under a new name",
      body: Type.Object({ name: Name, data: Type.Unknown() }),
      response: { 201: envelope(201) },
    },
    async handler({ sql, caller, body, ip }, reply) {
      const row = await inTransaction(sql, (tx) => createEntry(tx, caller, body, ip))
      reply.code(201)
      return { status: true as const, data: toWire(row), code: 201 as const, message: "Data created" }
    },
  })

  app.put("/org-data/:identifier", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "updateOrganizationData",
      summary: "Replace or rename data",
      params: Params,
      body: Type.Object({ name: Type.Optional(Name), data: Type.Unknown() }),
      response: { 200: envelope(200) },
    },
    async handler({ sql, caller, params, body, ip }) {
      const row = await inTransaction(sql, (tx) => updateEntry(tx, caller, params.identifier, body, ip))
      return { status: true as const, data: toWire(row), code: 200 as const, message: "Data updated" }
    },
  })

  app.delete("/org-data/:identifier", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "deleteOrganizationData",
      summary: "Delete data",
      params: Params,
      response: { 200: envelope(200) },
    },
    async handler({ sql, caller, params, ip }) {
      const row = await inTransaction(sql, (tx) => deleteEntry(tx, caller, params.identifier, ip))
      return { status: true as const, data: toWire(row), code: 200 as const, message: "Data deleted" }
    },
  })
}

function toWire(row: EntryRow) {
  return {
    _id: row.id,
    name: row.name,
    data: row.data,
    organizationId: row.organizationId,
    createdBy: row.createdBy,
    updatedBy: row.updatedBy,
    createdTime: toT2(row.createdTime),
    updatedTime: toT2(row.updatedTime),
  }
}
