import { Type } from "typebox"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction } from "#core/database/database.ts"
import { commaList } from "#core/http/tolerance.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { paginate, readDirection, readPage } from "#core/paging.ts"
import { importErrors } from "./errors.ts"
import { sendImport, sendUndo } from "./jobs.ts"
import { cancelImport, findImport, type ImportRow, listImports, listWritten, lockImport } from "./queries.ts"
import { DoubtfulPlacesResponse, FailedRowsResponse, ImportListResponse, ImportResponse } from "./schemas.ts"
import { importStatuses, importTypes } from "./settings.ts"
import { isLocating, listDoubtfulPlaces } from "./targets/doubtful-places.ts"
import { checkUndoable, undoImport } from "./undo-import.ts"
import { errorText, headerTexts, listFailures } from "./upload/failed-rows.ts"
import { toWireImport } from "./wire.ts"

const Params = Type.Object({ importId: IdSchema("import") })
const config = { permission: "import/data" as const, notFoundCode: "import-004" }
const listConfig = { ...config, rateBucket: "none" as const, valueCode: "import-003" }
/** How long an undo runs before it responds and continues in the background. */
const undoMilliseconds = 2_000

export function monitoringRoutes(app: App): void {
  const toWire = (row: ImportRow) =>
    toWireImport(row, (key) => app.links.sign(key, app.clock.now()), app.clock.now())

  app.get("/import-monitoring", {
    config: listConfig,
    schema: {
      operationId: "listImports",
      summary: "List imports of the last 30 days",
      querystring: Type.Object({
        page: Type.Optional(Type.Integer()),
        limit: Type.Optional(Type.Integer({ description: "1 to 100, default 20" })),
        type: Type.Optional(Type.String({ description: `Comma list of ${importTypes.join(", ")}` })),
        status: Type.Optional(Type.String({ description: `Comma list of ${importStatuses.join(", ")}` })),
        dataTypeId: Type.Optional(Type.String()),
        hubId: Type.Optional(Type.String()),
        flowId: Type.Optional(Type.String()),
        filename: Type.Optional(Type.String({ description: "Part of the file's name" })),
        createdBy: Type.Optional(Type.String({ description: "E-mail" })),
        sortBy: Type.Optional(Type.String({ description: "createdTime (default), updatedTime, status, …" })),
        sortOrder: Type.Optional(Type.String({ pattern: "^([aA][sS][cC]|[dD][eE][sS][cC])$" })),
      }),
      response: { 200: ImportListResponse },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "import", { max: 100 })
      const { dataTypeId, hubId, flowId, filename, createdBy, sortBy } = query
      const filter = {
        ...{ dataTypeId, hubId, flowId, filename, createdBy, sortBy },
        types: readWords(query.type, importTypes, "type"),
        statuses: readWords(query.status, importStatuses, "status"),
        direction: readDirection(query.sortOrder),
      }
      const { rows, total } = await listImports(sql, caller, filter, page)
      const data = paginate(rows.map(toWire), total, page, address)
      return { status: true as const, message: "Success", data }
    },
  })

  app.get("/import-monitoring/:importId", {
    config: { ...config, rateBucket: "none" },
    schema: {
      operationId: "getImport",
      summary: "Get an import and its progress",
      params: Params,
      response: { 200: ImportResponse },
    },
    async handler({ sql, caller, params }) {
      const record = await findImport(sql, caller, params.importId)
      if (!record) throw importErrors.notFound()
      return { status: true as const, message: "Success", data: toWire(record) }
    },
  })

  app.get("/import-monitoring/:importId/failed-rows", {
    config: { ...config, valueCode: "import-003" },
    schema: {
      operationId: "listFailedRows",
      summary: "List the rejected rows of an import, with the reasons",
      params: Params,
      querystring: Type.Object({
        page: Type.Optional(Type.Integer()),
        limit: Type.Optional(Type.Integer()),
      }),
      response: { 200: FailedRowsResponse },
    },
    async handler({ sql, caller, params, query, address }) {
      const record = await findImport(sql, caller, params.importId)
      if (!record) throw importErrors.notFound()
      const page = readPage(query, "import", { max: 1_000 })
      const headers = await headerTexts(app.objects, record.rowsKey)
      const failures = await listFailures(sql, record, page)
      const rows = failures.map(({ rowNumber, cells, problems, resolvedBy }) => ({
        row: rowNumber,
        values: cells.slice(0, headers.length || undefined),
        errors: problems,
        message: errorText(problems),
        ...(resolvedBy === null ? {} : { resolvedBy }),
      }))
      const data = paginate(rows, record.totalInvalid, page, address)
      return { status: true as const, message: "Success", headers, data }
    },
  })

  app.get("/import-monitoring/:importId/written", {
    config,
    schema: {
      operationId: "listWrittenRecords",
      summary: "List the ids of the objects that an import created or changed",
      params: Params,
      response: {
        200: Type.Object({ status: Type.Literal(true), data: Type.Array(Type.String()) }),
      },
    },
    async handler({ sql, caller, params }) {
      const record = await findImport(sql, caller, params.importId)
      if (!record) throw importErrors.notFound()
      return { status: true as const, data: await listWritten(sql, record) }
    },
  })

  app.get("/import-monitoring/:importId/doubtful-places", {
    config,
    schema: {
      operationId: "listDoubtfulPlaces",
      summary: "List the coordinates that an import looked up from addresses and that should be checked",
      params: Params,
      response: { 200: DoubtfulPlacesResponse },
    },
    async handler({ sql, caller, params }) {
      const record = await findImport(sql, caller, params.importId)
      if (!record) throw importErrors.notFound()
      const isLookingUp = await isLocating(sql, record)
      return {
        status: true as const,
        data: await listDoubtfulPlaces(sql, caller, record),
        isLocating: isLookingUp,
      }
    },
  })

  app.post("/import-monitoring/:importId/cancel", {
    config,
    schema: {
      operationId: "cancelImport",
      summary: "Cancel an import; rows that are already imported are kept",
      params: Params,
      response: { 200: ImportResponse },
    },
    async handler({ sql, caller, params }) {
      const visible = await findImport(sql, caller, params.importId)
      if (!visible) throw importErrors.notFound()
      const record = await inTransaction(sql, async (tx) => {
        const locked = await lockImport(tx, caller.organizationId, visible.id)
        if (locked?.status !== "onprocess") throw importErrors.notRunning()
        const now = app.clock.now()
        const row = await cancelImport(tx, caller, visible.id, now)
        await sendImport(tx, caller.organizationId, visible.id)
        return row ?? locked
      })
      return { status: true as const, message: "The import is being cancelled", data: toWire(record) }
    },
  })

  app.post("/import-monitoring/:importId/undo", {
    config: { ...config, idempotent: false },
    schema: {
      operationId: "undoImport",
      summary:
        "Undo an import: delete what it created and restore what it changed, except for objects that were modified since",
      params: Params,
      response: { 200: ImportResponse },
    },
    async handler({ caller, params, ip }) {
      const record = await findImport(app.sql, caller, params.importId)
      if (!record) throw importErrors.notFound()
      checkUndoable(record)
      const until = Date.now() + undoMilliseconds
      const context = { now: app.clock.now(), live: app.live, publicUrl: app.settings.publicUrl }
      const result = await undoImport(app.sql, caller, record, context, () => Date.now() > until)
      await inTransaction(app.sql, async (tx) => {
        if (!result.isComplete) await sendUndo(tx, caller, record.id)
        const target = { targetType: "import", targetId: record.id, targetName: record.filename }
        await audit(tx, actorOf(caller, ip), { action: "import.undo", ...target, after: result })
      })
      const after = await findImport(app.sql, caller, params.importId)
      const message = result.isComplete ? "The import was undone" : "The import is being undone"
      return { status: true as const, message, data: toWire(after ?? record) }
    },
  })
}

function readWords(text: string | undefined, known: readonly string[], name: string): string[] | undefined {
  if (text === undefined) return undefined
  const words = commaList(text.toLowerCase())
  if (words.length > 0 && words.every((word) => known.includes(word))) return words
  const reason = `must be one of ${known.join(", ")}, or a comma-separated list of them`
  throw importErrors.badFilter({ message: `${name} ${reason}`, fields: { [name]: [reason] } })
}
