import { X509Certificate } from "node:crypto"
import type { FastifyRequest } from "fastify"
import { type TSchema, Type } from "typebox"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, type Sql } from "#core/database.ts"
import { defineErrors } from "#core/errors.ts"
import { type FormFile, readForm } from "#core/http/read-form.ts"
import type { App } from "#core/http/types.ts"
import { type Id, IdSchema, newId } from "#core/ids.ts"
import { datedKey } from "#core/objects/objects.ts"
import { ListQuery, PaginatorSchema, paginate, readDirection, readPage } from "#core/paging.ts"
import { toT2 } from "#shared/wire-time.ts"

export const integrationErrors = defineErrors("appin", {
  required: { http: 400, code: "001", message: "azureAuthUrl and azureCert are required" },
  badUrl: { http: 400, code: "007", message: "azureAuthUrl must start with https://" },
  badCertificate: {
    http: 400,
    code: "015",
    message: "azureCert must be the certificate of the directory, in Base64 form, up to 100 KB",
  },
  badType: { http: 400, code: "017", message: "integrationType must be azure" },
  notFound: { http: 404, code: "033", message: "This integration does not exist" },
})

interface IntegrationRow {
  id: Id<"app-integration">
  organizationId: Id<"organization">
  integrationType: string
  authUrl: string
  certificateKey: string
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

const maxCertificateBytes = 100 * 1024
const tags = ["App integrations"]
const Params = Type.Object({ appIntegrationId: IdSchema("app-integration") })
const IntegrationSchema = Type.Object({
  _id: IdSchema("app-integration"),
  integrationType: Type.String(),
  azureAuthUrl: Type.String(),
  azureCert: Type.String({ description: "Address of the stored certificate" }),
  organizationId: IdSchema("organization"),
  createdTime: Type.String(),
  updatedTime: Type.String(),
})
const answer = <Data extends TSchema>(data: Data) =>
  Type.Object({ status: Type.Literal(true), code: Type.Integer(), message: Type.String(), data })

/** Connections to a company directory for single sign-on. */
export function appIntegrationRoutes(app: App): void {
  const toWire = (row: IntegrationRow) => ({
    _id: row.id,
    integrationType: row.integrationType,
    azureAuthUrl: row.authUrl,
    azureCert: app.links.plain(row.certificateKey),
    organizationId: row.organizationId,
    createdTime: toT2(row.createdTime),
    updatedTime: toT2(row.updatedTime),
  })

  app.get(
    "/app-integrations",
    {
      config: { permission: "view/integration" },
      schema: {
        tags,
        operationId: "listAppIntegrations",
        summary: "Connections to directories",
        querystring: Type.Object({
          page: ListQuery.page,
          limit: ListQuery.limit,
          sortOrder: ListQuery.sortOrder,
          integrationType: Type.Optional(Type.String()),
        }),
        response: { 200: answer(PaginatorSchema(IntegrationSchema)) },
      },
    },
    async ({ sql, caller, query, address }) => {
      const page = readPage(query, "appin")
      const where = sql`organization_id = ${caller.organizationId}
        ${query.integrationType === undefined ? sql`` : sql`and integration_type = ${query.integrationType}`}`
      const direction = readDirection(query.sortOrder) === "asc" ? sql`asc` : sql`desc`
      const rows = await sql<IntegrationRow[]>`
        select ${columns(sql)} from app_integrations where ${where}
        order by created_time ${direction}, id ${direction} limit ${page.limit} offset ${page.offset}`
      const [counted] = await sql<
        { total: number }[]
      >`select count(*) as total from app_integrations where ${where}`
      const data = paginate(rows.map(toWire), counted?.total ?? 0, page, address)
      return { status: true as const, code: 200, message: "Success.", data }
    },
  )

  app.get(
    "/app-integration/:appIntegrationId",
    {
      config: { permission: "view/integration" },
      schema: {
        tags,
        operationId: "getAppIntegration",
        summary: "One connection",
        params: Params,
        response: { 200: answer(IntegrationSchema) },
      },
    },
    async ({ sql, caller, params }) => {
      const row = await find(sql, caller.organizationId, params.appIntegrationId)
      return { status: true as const, code: 200, message: "Success.", data: toWire(row) }
    },
  )

  app.post(
    "/app-integration",
    {
      config: { permission: "add/integration" },
      schema: {
        tags,
        operationId: "createAppIntegration",
        summary: "Connect a directory",
        description: "Form parts: integrationType (azure), azureAuthUrl, azureCert (the certificate's file).",
        consumes: ["multipart/form-data"],
        response: { 201: answer(IntegrationSchema) },
      },
    },
    async (request, reply) => {
      const { caller, sql, ip } = request
      const { authUrl, certificate } = await readIntegration(request)
      if (!authUrl || !certificate) throw integrationErrors.required()
      const key = datedKey(caller.organizationId, app.clock.now(), certificate.filename)
      await app.objects.put(key, certificate.content)
      const row = await inTransaction(sql, async (tx) => {
        const [made] = await tx<IntegrationRow[]>`
          insert into app_integrations (organization_id, id, auth_url, certificate_key)
          values (${caller.organizationId}, ${newId()}, ${authUrl}, ${key}) returning ${columns(tx)}`
        if (!made) throw integrationErrors.notFound()
        const target = { targetType: "app-integration", targetId: made.id }
        await audit(tx, actorOf(caller, ip), { action: "app-integration.create", ...target })
        return made
      })
      reply.code(201)
      return { status: true as const, code: 201, message: "Integration created", data: toWire(row) }
    },
  )

  for (const [method, operationId] of [
    ["POST", "updateAppIntegration"],
    ["PUT", "replaceAppIntegration"],
  ] as const)
    app.route({
      method,
      url: "/app-integration/:appIntegrationId",
      config: { permission: "edit/integration" },
      schema: {
        tags,
        operationId,
        summary: "Change a connection; without a file the present certificate stays",
        consumes: ["multipart/form-data", "application/json"],
        params: Params,
        response: { 200: answer(IntegrationSchema) },
      },
      handler: async (request) => {
        const { caller, sql, ip, params } = request
        const before = await find(sql, caller.organizationId, params.appIntegrationId)
        const { authUrl, certificate, fields } = await readIntegration(request)
        if (!authUrl) throw integrationErrors.required()
        const sent = fields.azureCert
        if (
          !certificate &&
          sent !== undefined &&
          sent !== "" &&
          sent !== app.links.plain(before.certificateKey)
        )
          throw integrationErrors.badCertificate()
        const key = certificate
          ? datedKey(caller.organizationId, app.clock.now(), certificate.filename)
          : before.certificateKey
        if (certificate) await app.objects.put(key, certificate.content)
        const row = await inTransaction(sql, async (tx) => {
          const [changed] = await tx<IntegrationRow[]>`
            update app_integrations set auth_url = ${authUrl}, certificate_key = ${key}, updated_time = now()
            where organization_id = ${caller.organizationId} and id = ${before.id} returning ${columns(tx)}`
          if (!changed) throw integrationErrors.notFound()
          const target = { targetType: "app-integration", targetId: changed.id }
          await audit(tx, actorOf(caller, ip), { action: "app-integration.update", ...target })
          return changed
        })
        return { status: true as const, code: 200, message: "Integration updated", data: toWire(row) }
      },
    })

  app.delete(
    "/app-integration/:appIntegrationId",
    {
      config: { permission: "delete/integration" },
      schema: {
        tags,
        operationId: "deleteAppIntegration",
        summary: "Disconnect a directory",
        params: Params,
        response: { 200: answer(IntegrationSchema) },
      },
    },
    async ({ sql, caller, params, ip }) => {
      const row = await find(sql, caller.organizationId, params.appIntegrationId)
      await inTransaction(sql, async (tx) => {
        await tx`delete from app_integrations where organization_id = ${caller.organizationId} and id = ${row.id}`
        const target = { targetType: "app-integration", targetId: row.id }
        await audit(tx, actorOf(caller, ip), { action: "app-integration.delete", ...target })
      })
      return { status: true as const, code: 200, message: "Integration deleted", data: toWire(row) }
    },
  )
}

async function readIntegration(request: FastifyRequest) {
  const { fields, files } = await readForm(request, maxCertificateBytes)
  const authUrl = fields.azureAuthUrl
  if (!["azure", undefined, ""].includes(fields.integrationType as string | undefined))
    throw integrationErrors.badType()
  if (authUrl !== undefined && !isGoodUrl(authUrl)) throw integrationErrors.badUrl()
  const certificate = files.azureCert
  if (certificate) checkCertificate(certificate)
  return { authUrl: authUrl as string | undefined, certificate, fields }
}

function isGoodUrl(url: unknown): boolean {
  return typeof url === "string" && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}

function checkCertificate({ content, isTruncated }: FormFile): void {
  try {
    if (isTruncated) throw new Error("longer than a certificate")
    new X509Certificate(content)
  } catch (cause) {
    throw integrationErrors.badCertificate({ cause })
  }
}

function columns(sql: Sql) {
  return sql`id, organization_id, integration_type, auth_url, certificate_key, created_time, updated_time`
}

async function find(sql: Sql, organizationId: string, id: string): Promise<IntegrationRow> {
  const [row] = await sql<IntegrationRow[]>`
    select ${columns(sql)} from app_integrations where organization_id = ${organizationId} and id = ${id.toLowerCase()}`
  if (!row) throw integrationErrors.notFound()
  return row
}
