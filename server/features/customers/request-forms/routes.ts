import { type Static, Type } from "typebox"
import { type Caller, hasHub } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, type Sql } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { hasAddresses } from "../../location/places/index.ts"
import { findFlow } from "../../work/flows/index.ts"
import { requestFormErrors } from "./errors.ts"
import {
  codeOfForm,
  deleteForm,
  type FormInput,
  type FormRow,
  findForm,
  insertForm,
  listForms,
  renewCode,
  updateForm,
} from "./forms.ts"
import { taskRequestRoutes } from "./request-routes.ts"
import { FormBody, FormSchema, formToWire } from "./schemas.ts"
import { checkSettings, withDefaults } from "./settings.ts"

const Params = Type.Object({ formId: IdSchema("request-form") })
const FormResponse = Type.Object({ status: Type.Literal(true), message: Type.String(), data: FormSchema })
const targetType = "request-form"

/** Request forms, and the requests that came in on them. */
export function requestFormRoutes(app: App): void {
  taskRequestRoutes(app)
  const wire = async (form: FormRow, pending = 0) => {
    const { code } = await codeOfForm(app.sql, form)
    return formToWire(form, `${app.settings.publicUrl}/r/${code}`, pending)
  }

  app.get("/request-forms", {
    config: { permission: "view/task" },
    schema: {
      operationId: "listRequestForms",
      summary: "List the request forms of the caller's hubs",
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Array(FormSchema),
        }),
      },
    },
    async handler({ sql, caller }) {
      const rows = await listForms(sql, caller)
      const data = await Promise.all(rows.map((row) => wire(row, row.pending)))
      return { status: true as const, message: "Success", data }
    },
  })

  app.post("/request-form", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "createRequestForm",
      summary: "Create a request form",
      description:
        "Customers open its address without an account and request a task of the flow in the hub. See docs/request-forms.md.",
      body: FormBody,
      response: { 201: FormResponse },
    },
    async handler({ sql, caller, body, ip }, reply) {
      const input = await readInput(sql, caller, body)
      const form = await inTransaction(sql, async (tx) => {
        const row = await insertForm(tx, app.sql, caller, input, app.clock.now())
        await audit(tx, actorOf(caller, ip), entryOf("create", row, input))
        return row
      })
      reply.code(201)
      return { status: true as const, message: "Form created", data: await wire(form) }
    },
  })

  app.put("/request-form/:formId", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "replaceRequestForm",
      summary: "Replace a request form",
      description: "Settings that are left out get their default. The address stays.",
      params: Params,
      body: FormBody,
      response: { 200: FormResponse },
    },
    async handler({ sql, caller, params, body, ip }) {
      const form = await inTransaction(sql, async (tx) => {
        const before = await findForm(tx, caller, params.formId)
        if (!before) throw requestFormErrors.notFound()
        const input = await readInput(tx, caller, body)
        const row = await updateForm(tx, caller, before.id, input, app.clock.now())
        await audit(tx, actorOf(caller, ip), { ...entryOf("update", row, input), before: before.settings })
        return row
      })
      return { status: true as const, message: "Saved", data: await wire(form) }
    },
  })

  app.post("/request-form/:formId/new-link", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "renewRequestFormLink",
      summary: "Give a request form another address",
      description: "The address before, its QR codes, and the pages of its requests stop working at once.",
      params: Params,
      response: { 200: FormResponse },
    },
    async handler({ sql, caller, params, ip }) {
      const form = await inTransaction(sql, async (tx) => {
        const before = await findForm(tx, caller, params.formId)
        if (!before) throw requestFormErrors.notFound()
        await audit(tx, actorOf(caller, ip), entryOf("renew-link", before))
        return renewCode(tx, app.sql, before, caller.email, app.clock.now())
      })
      return { status: true as const, message: "The form has a new address", data: await wire(form) }
    },
  })

  app.delete("/request-form/:formId", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "deleteRequestForm",
      summary: "Delete a request form",
      description: "Its requests stay and can still be decided.",
      params: Params,
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ sql, caller, params, ip }) {
      await inTransaction(sql, async (tx) => {
        const form = await findForm(tx, caller, params.formId)
        if (!form) throw requestFormErrors.notFound()
        await deleteForm(tx, form.organizationId, form.id)
        await audit(tx, actorOf(caller, ip), entryOf("delete", form))
      })
      return { status: true as const, message: "The form has been deleted" }
    },
  })
}

async function readInput(sql: Sql, caller: Caller, body: Static<typeof FormBody>): Promise<FormInput> {
  if (!hasHub(caller, body.hubId)) throw requestFormErrors.badHub()
  const flow = await findFlow(sql, caller, body.flowId)
  if (!flow) throw requestFormErrors.badFlow()
  const settings = withDefaults(body.settings)
  checkSettings(settings, flow.pages, { canSearch: await hasAddresses(sql) })
  return { ...body, isActive: body.isActive ?? true, settings }
}

function entryOf(action: string, { id, name }: FormRow, after?: FormInput) {
  return {
    action: `request-form.${action}`,
    targetType,
    targetId: id,
    targetName: name,
    ...(after ? { after } : {}),
  }
}
