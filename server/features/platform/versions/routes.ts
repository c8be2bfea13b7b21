import { type Static, Type } from "typebox"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, type Tx } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { parseDateTime, toT3 } from "#shared/wire-time.ts"
import {
  findLatest,
  insertVersion,
  isOperator,
  listLatest,
  type Platform,
  platforms,
  removeVersion,
  updateVersion,
  type VersionRow,
  type VersionWrite,
  versionErrors,
} from "./queries.ts"

const tagNames = [
  "major update",
  "minor update",
  "new feature",
  "feature improvement",
  "bug fix",
  "web",
  "api",
  "android",
  "ios",
]
const PlatformSchema = Type.Unsafe<Platform>(Type.String({ enum: [...platforms] }))
const NullableId = Type.Union([IdSchema("organization"), Type.Null()])
const AnyNull = Type.Null({ description: "Announcements by mail are not sent" })

const VersionSchema = Type.Object(
  {
    _id: IdSchema("version"),
    organizationId: Type.Union([Type.String(), Type.Null()], { description: "Null: all organizations" }),
    platform: Type.String(),
    versionNumber: Type.Integer(),
    versionName: Type.String(),
    versionData: Type.Integer(),
    releaseTime: Type.String(),
    categoryUpdate: Type.String({ description: "immediate for a forced update" }),
    docUrl: Type.String(),
    docLink: Type.String({ description: "Same as docUrl" }),
    changeLog: Type.String({ description: "Entries separated by ;" }),
    tags: Type.Array(Type.String()),
    orderIndex: Type.Integer(),
    blastMailOwners: AnyNull,
    blastMailTemplate: AnyNull,
    blastMailFilterLicense: AnyNull,
    blastMailByOrganization: AnyNull,
  },
  { title: "AppVersion" },
)
const Address = Type.String({ pattern: "^https?://", maxLength: 2000 })
const VersionBody = Type.Object(
  {
    platform: PlatformSchema,
    versionName: Type.String({ pattern: "^v\\d+\\.\\d+\\.\\d+$", description: "vMAJOR.MINOR.PATCH" }),
    versionNumber: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_000_000 })),
    versionData: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
    releaseTime: Type.String({ format: "wire-date-time" }),
    categoryUpdate: Type.Optional(
      Type.Unsafe<"flexible" | "immediate">(Type.String({ enum: ["flexible", "immediate"] })),
    ),
    docUrl: Type.Optional(Address),
    docLink: Type.Optional(Address),
    changeLog: Type.String({ minLength: 1, maxLength: 20_000 }),
    tags: Type.Array(Type.String({ enum: tagNames })),
    organizationId: Type.Optional(NullableId),
  },
  { title: "AppVersionInput" },
)
const Written = Type.Object({ status: Type.Literal(true), message: Type.String(), data: VersionSchema })
const ForWhom = Type.Object({
  organizationId: Type.Optional(Type.String({ description: "Also versions of this organization" })),
})

/** Versions of the applications that are published to devices. Read without a token, when an app starts. */
export function versionRoutes(app: App): void {
  app.get("/version/app", {
    config: { public: true },
    schema: {
      operationId: "listLatestVersions",
      summary: "List the latest version of each platform",
      querystring: ForWhom,
      response: { 200: Type.Object({ status: Type.Literal(true), data: Type.Array(VersionSchema) }) },
    },
    handler: async ({ sql, query }) => ({
      status: true as const,
      data: (await listLatest(sql, query.organizationId)).map(toWire),
    }),
  })

  app.get("/version/:platform/last", {
    config: { public: true },
    schema: {
      operationId: "getLatestVersion",
      summary: "Get the latest version and the latest required version of a platform",
      params: Type.Object({ platform: PlatformSchema }),
      querystring: ForWhom,
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          data: VersionSchema,
          last_required: Type.Union([VersionSchema, Type.Null()]),
        }),
      },
    },
    async handler({ sql, params, query }) {
      const { latest, lastRequired } = await findLatest(sql, params.platform, query.organizationId)
      const last_required = lastRequired ? toWire(lastRequired) : null
      return { status: true as const, data: toWire(latest), last_required }
    },
  })

  app.post("/version", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "createVersion",
      summary: "Publish a version",
      description: "Only the first organization, which runs this installation, can publish versions.",
      body: VersionBody,
      response: { 200: Written },
    },
    async handler({ sql, caller, body, ip }) {
      if (!(await isOperator(sql, caller))) throw versionErrors.notOperator()
      const data = await inTransaction(sql, async (tx) => {
        const row = await insertVersion(tx, readBody(body))
        await note(tx, actorOf(caller, ip), "version.create", row)
        return row
      })
      return { status: true as const, message: "Version created", data: toWire(data) }
    },
  })

  app.put("/version/:versionId", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "replaceVersion",
      summary: "Change a published version",
      params: Type.Object({ versionId: IdSchema("version") }),
      body: VersionBody,
      response: { 200: Written },
    },
    async handler({ sql, caller, params, body, ip }) {
      if (!(await isOperator(sql, caller))) throw versionErrors.notFound()
      const data = await inTransaction(sql, async (tx) => {
        const row = await updateVersion(tx, params.versionId, readBody(body))
        await note(tx, actorOf(caller, ip), "version.update", row)
        return row
      })
      return { status: true as const, message: "Version updated", data: toWire(data) }
    },
  })

  app.delete("/version/:versionId", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "deleteVersion",
      summary: "Withdraw a version",
      params: Type.Object({ versionId: IdSchema("version") }),
      response: { 200: Written },
    },
    async handler({ sql, caller, params, ip }) {
      if (!(await isOperator(sql, caller))) throw versionErrors.notFound()
      const data = await inTransaction(sql, async (tx) => {
        const row = await removeVersion(tx, params.versionId)
        await note(tx, actorOf(caller, ip), "version.delete", row)
        return row
      })
      return { status: true as const, message: "Version deleted", data: toWire(data) }
    },
  })
}

function note(tx: Tx, actor: ReturnType<typeof actorOf>, action: string, row: VersionRow): Promise<void> {
  const targetName = `${row.platform} ${row.versionName}`
  return audit(tx, actor, { action, targetType: "version", targetId: row.id, targetName })
}

function readBody(body: Static<typeof VersionBody>): VersionWrite {
  const docUrl = body.docUrl ?? body.docLink
  if (docUrl === undefined) throw versionErrors.docRequired({ fields: { docUrl: ["is required"] } })
  return {
    forOrganizationId: body.organizationId ?? null,
    platform: body.platform,
    versionNumber: body.versionNumber,
    versionName: body.versionName,
    versionData: body.versionData,
    releaseTime: Temporal.Instant.fromEpochMilliseconds(Math.floor(parseDateTime(body.releaseTime) ?? 0)),
    categoryUpdate: body.categoryUpdate ?? "flexible",
    docUrl,
    changeLog: body.changeLog,
    tags: body.tags,
  }
}

function toWire(row: VersionRow) {
  return {
    _id: row.id,
    organizationId: row.forOrganizationId,
    platform: row.platform,
    versionNumber: row.versionNumber,
    versionName: row.versionName,
    versionData: row.versionData,
    releaseTime: toT3(row.releaseTime),
    categoryUpdate: row.categoryUpdate,
    docUrl: row.docUrl,
    docLink: row.docUrl,
    changeLog: row.changeLog,
    tags: row.tags,
    orderIndex: row.versionNumber,
    blastMailOwners: null,
    blastMailTemplate: null,
    blastMailFilterLicense: null,
    blastMailByOrganization: null,
  }
}
