import { Type } from "typebox"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction } from "#core/database/database.ts"
import { FilePart } from "#core/http/openapi/openapi.ts"
import { identityOf, readForm } from "#core/http/read-form.ts"
import type { App } from "#core/http/types.ts"
import { onceForForm } from "#core/idempotency.ts"
import { IdSchema, newId } from "#core/ids.ts"
import { discardFilesLater, keepFile } from "#core/objects/loose-files.ts"
import { ListQuery, PaginatorSchema, paginate, readDirection, readPage } from "#core/paging.ts"
import { checkProvisioning } from "./provisioning.ts"
import { provisioningRoutes } from "./provisioning-routes.ts"
import {
  findIntegration,
  type IntegrationRow,
  insertIntegration,
  listIntegrations,
  removeIntegration,
  updateIntegration,
} from "./queries.ts"
import { maxCertificateBytes, readIntegration } from "./read-integration.ts"
import { IntegrationSchema, integrationResponse, integrationTypes } from "./schemas.ts"
import { toWireIntegration } from "./wire.ts"

const Params = Type.Object({ appIntegrationId: IdSchema("app-integration") })
const IntegrationForm = Type.Object({
  integrationType: Type.Optional(Type.String({ enum: [...integrationTypes], description: "Default azure" })),
  name: Type.Optional(Type.String()),
  emailDomains: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
  azureAuthUrl: Type.Optional(Type.String({ description: "azure: required" })),
  azureCert: Type.Optional(FilePart("azure: the certificate file, required on creation")),
  issuerUrl: Type.Optional(Type.String({ description: "oidc: required" })),
  clientId: Type.Optional(Type.String({ description: "oidc: required" })),
  clientSecret: Type.Optional(Type.String()),
  trustEmail: Type.Optional(Type.Boolean()),
})

/** Connections to company directories and providers of identities, for single sign-on. */
export function appIntegrationRoutes(app: App): void {
  provisioningRoutes(app)
  const toWire = (row: IntegrationRow) => toWireIntegration(row, app.links, app.settings.publicUrl)
  const success = { status: true as const, code: 200, message: "Success." }

  app.get("/app-integrations", {
    config: { permission: "view/integration" },
    schema: {
      operationId: "listAppIntegrations",
      summary: "List identity provider connections",
      querystring: Type.Object({
        page: ListQuery.page,
        limit: ListQuery.limit,
        sortOrder: ListQuery.sortOrder,
        integrationType: Type.Optional(Type.String()),
      }),
      response: { 200: integrationResponse(PaginatorSchema(IntegrationSchema)) },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "appin")
      const filter = { ...query, direction: readDirection(query.sortOrder) }
      const { rows, total } = await listIntegrations(sql, caller, filter, page)
      return { ...success, data: paginate(rows.map(toWire), total, page, address) }
    },
  })

  app.get("/app-integration/:appIntegrationId", {
    config: { permission: "view/integration" },
    schema: {
      operationId: "getAppIntegration",
      summary: "One connection",
      params: Params,
      response: { 200: integrationResponse(IntegrationSchema) },
    },
    handler: async ({ sql, caller, params }) => ({
      ...success,
      data: toWire(await findIntegration(sql, caller, params.appIntegrationId)),
    }),
  })

  app.post("/app-integration", {
    config: { permission: "add/integration" },
    schema: {
      operationId: "createAppIntegration",
      summary: "Connect an identity provider",
      description: "As a form or as JSON.",
      consumes: ["multipart/form-data", "application/json"],
      form: IntegrationForm,
      response: { 201: integrationResponse(IntegrationSchema) },
    },
    async handler(request, reply) {
      const form = await readForm(request, maxCertificateBytes)
      return onceForForm(request, reply, identityOf(form), async () => {
        const { caller, sql, ip } = request
        const id = newId<"app-integration">()
        const write = await readIntegration(app, request, form, id)
        const row = await inTransaction(sql, async (tx) => {
          const target = { targetType: "app-integration", targetId: id, targetName: write.name ?? "" }
          await audit(tx, actorOf(caller, ip), { action: "app-integration.create", ...target })
          if (write.certificateKey) await keepFile(tx, write.certificateKey)
          return insertIntegration(tx, caller, write, id)
        })
        reply.code(201)
        return { status: true as const, code: 201, message: "Integration created", data: toWire(row) }
      })
    },
  })

  for (const [method, operationId] of [
    ["POST", "updateAppIntegration"],
    ["PUT", "replaceAppIntegration"],
  ] as const)
    app.route({
      method,
      url: "/app-integration/:appIntegrationId",
      config: { permission: "edit/integration" },
      schema: {
        operationId,
        summary: "Update a connection; without a file, the current certificate is kept",
        description: "As a form or as JSON.",
        consumes: ["multipart/form-data", "application/json"],
        form: IntegrationForm,
        params: Params,
        response: { 200: integrationResponse(IntegrationSchema) },
      },
      handler: async (request) => {
        const { caller, sql, ip, params } = request
        const before = await findIntegration(sql, caller, params.appIntegrationId)
        const form = await readForm(request, maxCertificateBytes)
        const write = await readIntegration(app, request, form, before.id, before)
        // Whom the provider vouches for gets the roles of the connection.
        if (before.provisioning) await checkProvisioning(sql, caller, before.provisioning)
        const row = await inTransaction(sql, async (tx) => {
          const target = { targetType: "app-integration", targetId: before.id, targetName: write.name ?? "" }
          await audit(tx, actorOf(caller, ip), { action: "app-integration.update", ...target })
          if (write.certificateKey && write.certificateKey !== before.certificateKey) {
            await keepFile(tx, write.certificateKey)
            await discardFilesLater(tx, [before.certificateKey])
          }
          return updateIntegration(tx, caller, before.id, write)
        })
        return { status: true as const, code: 200, message: "Integration updated", data: toWire(row) }
      },
    })

  app.delete("/app-integration/:appIntegrationId", {
    config: { permission: "delete/integration" },
    schema: {
      operationId: "deleteAppIntegration",
      summary: "Disconnect an identity provider",
      params: Params,
      response: { 200: integrationResponse(IntegrationSchema) },
    },
    async handler({ sql, caller, params, ip }) {
      const row = await findIntegration(sql, caller, params.appIntegrationId)
      await inTransaction(sql, async (tx) => {
        await removeIntegration(tx, caller, row.id)
        await discardFilesLater(tx, [row.certificateKey])
        const target = { targetType: "app-integration", targetId: row.id, targetName: row.name ?? "" }
        await audit(tx, actorOf(caller, ip), { action: "app-integration.delete", ...target })
      })
      return { status: true as const, code: 200, message: "Integration deleted", data: toWire(row) }
    },
  })
}
