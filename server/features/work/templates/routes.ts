import { type Static, Type } from "typebox"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, paginate, pickFields, readPage, SparseSchema } from "#core/paging.ts"
import { toT2 } from "#shared/wire-time.ts"
import {
  findTemplate,
  insertTemplate,
  listTemplates,
  removeTemplate,
  type TemplateRow,
  templateErrors,
  updateTemplate,
} from "./queries.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])
const TemplateSchema = Type.Object(
  {
    _id: IdSchema("template"),
    name: Type.String(),
    category: Type.String({ description: "Industry" }),
    configuration: Type.String({ description: "JSON as text: name and pages of a flow" }),
    description: NullableText,
    createdBy: Type.String(),
    updatedBy: NullableText,
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "Template" },
)
const TemplateBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  category: Type.String({ minLength: 1, maxLength: 200 }),
  configuration: Type.String({ minLength: 2, maxLength: 1_000_000 }),
  description: Type.Optional(Type.Union([Type.String({ maxLength: 5000 }), Type.Null()])),
})
const TemplatePatch = Type.Partial(TemplateBody)
const TemplateResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  template: TemplateSchema,
})
const Params = Type.Object({ templateId: IdSchema("template") })
const success = { status: true as const, message: "Success" }

/** Flows to start from, kept by an organization for itself. Members read, administrators write. */
export function templateRoutes(app: App): void {
  app.get("/templates", {
    config: { signedIn: true, scopedToken: ["view/flow"] },
    schema: {
      operationId: "listTemplates",
      summary: "List flow templates",
      querystring: Type.Object({
        page: ListQuery.page,
        limit: ListQuery.limit,
        fields: ListQuery.fields,
        category: Type.Optional(Type.String({ description: "Exact category" })),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          templates: PaginatorSchema(SparseSchema(TemplateSchema)),
        }),
      },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "templ")
      const { rows, total } = await listTemplates(sql, caller, query.category, page)
      const data = rows.map((row) => pickFields(toWire(row), query.fields))
      const templates = paginate(data, total, page, address)
      // `limit=-1` returns everything as one page.
      return { ...success, templates: query.limit === -1 ? { ...templates, per_page: -1 } : templates }
    },
  })

  app.get("/template/:templateId", {
    config: { signedIn: true, scopedToken: ["view/flow"] },
    schema: {
      operationId: "getTemplate",
      summary: "Get a template",
      params: Params,
      response: { 200: TemplateResponse },
    },
    handler: async ({ sql, caller, params }) => ({
      ...success,
      template: toWire(await findTemplate(sql, caller, params.templateId)),
    }),
  })

  app.post("/template", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "createTemplate",
      summary: "Create a template",
      body: TemplateBody,
      response: { 201: TemplateResponse },
    },
    async handler({ sql, caller, body }, reply) {
      const row = await insertTemplate(sql, caller, {
        ...checked(body),
        description: body.description ?? null,
      })
      reply.code(201)
      return { status: true as const, message: "Template created", template: toWire(row) }
    },
  })

  app.put("/template/:templateId", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "replaceTemplate",
      summary: "Replace a template",
      params: Params,
      body: TemplateBody,
      response: { 200: TemplateResponse },
    },
    async handler({ sql, caller, params, body }) {
      const before = await findTemplate(sql, caller, params.templateId)
      const write = { ...checked(body), description: body.description ?? null }
      return { ...success, template: toWire(await updateTemplate(sql, caller, before.id, write)) }
    },
  })

  app.patch("/template/:templateId", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "updateTemplate",
      summary: "Change some keys of a template",
      params: Params,
      body: TemplatePatch,
      response: { 200: TemplateResponse },
    },
    async handler({ sql, caller, params, body }) {
      const before = await findTemplate(sql, caller, params.templateId)
      const write = checked({ ...before, ...body })
      const description = body.description === undefined ? before.description : body.description
      const row = await updateTemplate(sql, caller, before.id, { ...write, description })
      return { ...success, template: toWire(row) }
    },
  })

  app.delete("/template/:templateId", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "deleteTemplate",
      summary: "Delete a template",
      params: Params,
      response: {
        200: Type.Object({ status: Type.Literal(true), message: Type.String(), data: TemplateSchema }),
      },
    },
    handler: async ({ sql, caller, params }) => ({
      ...success,
      data: toWire(await removeTemplate(sql, caller, params.templateId)),
    }),
  })
}

function checked<Body extends Pick<Static<typeof TemplateBody>, "configuration">>(body: Body): Body {
  try {
    const configuration: unknown = JSON.parse(body.configuration)
    if (typeof configuration !== "object" || configuration === null || Array.isArray(configuration))
      throw new TypeError("no object")
    return body
  } catch (cause) {
    throw templateErrors.badJson({ cause, fields: { configuration: ["must be a JSON object as text"] } })
  }
}

function toWire(row: TemplateRow) {
  const { id, createdTime, updatedTime, ...rest } = row
  return { _id: id, ...rest, createdTime: toT2(createdTime), updatedTime: toT2(updatedTime) }
}
