import { join } from "node:path"
import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { inTransaction } from "#core/database/database.ts"
import { FilePart } from "#core/http/openapi/openapi.ts"
import type { App } from "#core/http/types.ts"
import { onceForForm } from "#core/idempotency.ts"
import { dumpCollections } from "#shared/other-systems.ts"
import { copyRows, ReadingResponse, startDump, storeDump } from "../other-systems/index.ts"
import { type AcceptContext, acceptImport } from "./accept-import.ts"
import { importErrors } from "./errors.ts"
import { previewImport } from "./preview.ts"
import { ColumnSource, ImportResponse, OneOf, PreviewResponse } from "./schemas.ts"
import { importModes, importTypes } from "./settings.ts"
import { openTarget } from "./targets/open-target.ts"
import { identityOf, receiveUpload, type Upload } from "./upload/receive-upload.ts"
import { storeTemplate } from "./upload/template.ts"

const Text = (description: string) => Type.Optional(Type.String({ description }))
const Switch = (description: string) => Type.Optional(Type.Boolean({ description }))
const ImportForm = Type.Object(
  {
    type: OneOf(importTypes),
    dataTypeId: Text("Of type datasource"),
    flowId: Text("Of type task"),
    visitTypeId: Text("Of type visit"),
    routeConfigId: Text("Of type route"),
    hubId: Text("Hub of rows that have no hub"),
    mode: Type.Optional(OneOf(importModes)),
    columns: Type.Optional(
      Type.Record(Type.String(), ColumnSource, {
        description:
          'JSON: field to header, to two headers that form a coordinate, or to {"value":"…"}, one value for all rows',
      }),
    ),
    name: Text("Shown in the list of imports"),
    continues: Text("Id of the import that this import continues"),
    dryRun: Switch("Validate everything and report, without writing"),
    force: Switch("Import even if the same file was imported within the last hour"),
    readingId: Text("Instead of a file: a list that was read from another system"),
    file: FilePart("The spreadsheet, or a GPX, KML, KMZ or GeoJSON file"),
  },
  { title: "ImportForm" },
)

/** A list that was read from another system is imported like a file. */
async function withReading(app: App, caller: Caller, upload: Upload): Promise<Upload> {
  const { readingId } = upload.fields
  if (upload.file || readingId === undefined) return upload
  return { ...upload, file: await copyRows(app, caller, readingId, join(upload.folder, "upload")) }
}

export function uploadRoutes(app: App): void {
  const sign = (key: string) => app.links.sign(key, app.clock.now())

  app.post("/data/import", {
    config: { body: "upload", permission: "import/data", idempotent: true },
    schema: {
      operationId: "importData",
      summary: "Import a spreadsheet or a file of places; rows are read in the background",
      consumes: ["multipart/form-data"],
      form: ImportForm,
      querystring: Type.Object({
        force: Type.Optional(
          Type.Boolean({ description: "Import even if the same file was imported within the last hour" }),
        ),
        dryRun: Type.Optional(
          Type.Boolean({ description: "Validate everything and report, without writing" }),
        ),
      }),
      response: { 200: ImportResponse },
    },
    async handler(request, reply) {
      const received = await receiveUpload(request)
      try {
        const upload = await withReading(app, request.caller, received)
        const context: AcceptContext = {
          sql: app.sql,
          objects: app.objects,
          now: app.clock.now(),
          maxBytes: app.settings.importMaxBytes,
          sign,
          once: (work) =>
            onceForForm(request, reply, identityOf(received), () => inTransaction(request.sql, work)),
        }
        return await acceptImport(context, request.caller, upload, request.query)
      } finally {
        await received.discard()
      }
    },
  })

  app.post("/data/import/preview", {
    config: { body: "upload", permission: "import/data", idempotent: false },
    schema: {
      operationId: "previewImport",
      summary: "Preview a spreadsheet or a file of places and get a suggested column mapping",
      consumes: ["multipart/form-data"],
      form: ImportForm,
      response: { 200: PreviewResponse },
    },
    async handler(request) {
      const received = await receiveUpload(request)
      try {
        const upload = await withReading(app, request.caller, received)
        const data = await previewImport(app.sql, request.caller, upload, app.settings.importMaxBytes)
        return { status: true as const, message: "Success", data }
      } finally {
        await received.discard()
      }
    },
  })

  app.post("/data/import/readings/dump", {
    config: { body: "upload", permission: "import/data", idempotent: true },
    schema: {
      operationId: "readDump",
      summary: "Start reading a list of Traccar out of an SQL dump of its database",
      description:
        "A dump of MySQL, MariaDB, PostgreSQL or H2 as text, plain or compressed with gzip. It is read in the background and then deleted; continue as with `POST /data/import/readings`.",
      consumes: ["multipart/form-data"],
      form: Type.Object(
        { collection: OneOf(dumpCollections), file: FilePart("The dump: .sql or .sql.gz") },
        { title: "DumpForm" },
      ),
      response: { 200: ReadingResponse },
    },
    async handler(request, reply) {
      const upload = await receiveUpload(request)
      try {
        if (!upload.file)
          throw importErrors.partMissing({
            message: "The part file is missing",
            fields: { file: ["is required"] },
          })
        const { collection = "" } = upload.fields
        const dump = await storeDump(app, request.caller, upload.file, collection)
        return await onceForForm(request, reply, identityOf(upload), async () => {
          const data = await startDump(app, request.sql, request.caller, dump)
          return { status: true as const, message: "The dump is being read", data }
        })
      } finally {
        await upload.discard()
      }
    },
  })

  app.get("/import-template", {
    config: { permission: "import/data" },
    schema: {
      operationId: "getImportTemplate",
      summary: "Get a template spreadsheet for a flow or a data type",
      querystring: Type.Object({
        type: OneOf(importTypes),
        dataTypeId: Type.Optional(Type.String()),
        flowId: Type.Optional(Type.String()),
        visitTypeId: Type.Optional(Type.String()),
        routeConfigId: Type.Optional(Type.String()),
        hubId: Type.Optional(Type.String()),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Object({ url: Type.String({ description: "A signed link, valid for one day" }) }),
        }),
      },
    },
    async handler({ sql, caller, query }) {
      const { type, hubId = null } = query
      const targetId = query.dataTypeId ?? query.flowId ?? query.visitTypeId ?? query.routeConfigId ?? null
      const options = { type, mode: "create" as const, hubId, targetId: targetId?.toLowerCase() ?? null }
      const target = await openTarget(sql, caller, options)
      if (!target) throw importErrors.badTarget()
      const named = { ...options, organizationId: caller.organizationId, targetName: target.name }
      const key = await storeTemplate(app.objects, named, target)
      return { status: true as const, message: "Success", data: { url: sign(key) } }
    },
  })
}
