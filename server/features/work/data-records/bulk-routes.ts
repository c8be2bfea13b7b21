import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Sql } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { entryReader } from "#core/http/validation.ts"
import { isId } from "#core/ids.ts"
import { dataErrors, refusedValues } from "./errors.ts"
import { deleteRecords } from "./remove/delete-records.ts"
import { BulkResponse, NewRecordBody } from "./schemas.ts"
import { writeOfTypes } from "./write-of-types.ts"
import type { Outcome, WriteOptions } from "./write-records.ts"

const maxWritten = 2000
const maxDeleted = 3000

const Entries = (most: number) =>
  Type.Object({
    data: Type.Array(Type.Unknown(), {
      minItems: 1,
      description: `1 to ${most}; each is processed separately; results are in the order sent`,
    }),
  })
const readEntry = entryReader(NewRecordBody, "data")

interface BulkEntry {
  status: boolean
  message: string
  _id: string | null
  event?: string
  dataId?: unknown
  failedCode?: string
  errors?: Record<string, string[]>
}

export function recordBulkRoutes(app: App): void {
  const options = (mode: WriteOptions["mode"]) => ({ mode, live: app.live, now: app.clock.now() })

  app.post("/data/bulk", {
    config: { body: "bulk", permission: "add/data" },
    schema: {
      operationId: "createRecords",
      summary: "Create many data records; invalid ones do not affect the others",
      body: Entries(maxWritten),
      response: { 201: BulkResponse },
    },
    async handler({ sql, caller, body }, reply) {
      const entries = await writeEntries(sql, caller, body.data, options("create"), () => "Success.")
      reply.code(201)
      return bulkResponse(entries.map(({ event, ...entry }) => entry))
    },
  })

  app.post("/data/bulk/upsert", {
    config: { body: "bulk", permission: "add/data" },
    schema: {
      operationId: "upsertRecords",
      summary: "Create or change many data records by their primary keys",
      description: "Also requires edit/data. Absent fields of existing records are unchanged.",
      body: Entries(maxWritten),
      response: { 200: BulkResponse },
    },
    async handler({ sql, caller, body }) {
      if (!caller.permissions.has("edit/data"))
        throw new AppError(403, "data-035", "Your role lacks the permission edit/data")
      const words = { create: "Created.", update: "Updated." }
      return bulkResponse(
        await writeEntries(sql, caller, body.data, options("upsert"), (outcome) => words[outcome.event]),
      )
    },
  })

  app.patch("/datas/bulk", {
    config: { body: "bulk", permission: "edit/data" },
    schema: {
      operationId: "changeRecords",
      summary: "Change many data records by their primary keys",
      body: Entries(maxWritten),
      response: { 200: BulkResponse },
    },
    async handler({ sql, caller, body }) {
      const entries = await writeEntries(sql, caller, body.data, options("update"), () => "Success.")
      return bulkResponse(entries.map(({ event, ...entry }) => entry))
    },
  })

  app.delete("/datas/bulk", {
    config: { body: "bulk", permission: "delete/data" },
    schema: {
      operationId: "deleteRecords",
      summary: "Delete many data records by their ids",
      body: Entries(maxDeleted),
      response: { 200: BulkResponse },
    },
    async handler({ sql, caller, body }) {
      checkSize(body.data, maxDeleted)
      const ids = body.data.map((entry) => {
        const id = (entry as { _id?: unknown } | null)?._id
        return isId(id) ? id.toLowerCase() : undefined
      })
      const known = ids.filter((id) => id !== undefined)
      const deleted = await inTransaction(sql, (tx) => deleteRecords(tx, caller, known, app.live))
      const open = new Set<string>(deleted.map((record) => record.id))
      return bulkResponse(
        ids.map((id): BulkEntry => {
          // An id that occurs twice is deleted once.
          if (id !== undefined && open.delete(id)) return { status: true, message: "Success.", _id: id }
          const { message, failedCode } = dataErrors.notFound()
          return { status: false, message, failedCode, _id: id ?? null }
        }),
      )
    },
  })
}

function checkSize(entries: readonly unknown[], most: number): void {
  if (entries.length > most)
    throw dataErrors.tooMany({
      message: `Send at most ${most} records per request; this request has ${entries.length}`,
      fields: { data: [`must have at most ${most} records`] },
    })
}

async function writeEntries(
  sql: Sql,
  caller: Caller,
  sent: readonly unknown[],
  options: WriteOptions,
  successWord: (outcome: Extract<Outcome, { id: string }>) => string,
): Promise<BulkEntry[]> {
  checkSize(sent, maxWritten)
  const entries = sent.map(attempt)
  const bodies = entries.flatMap((entry) => ("body" in entry ? [entry.body] : []))
  const outcomes = (await inTransaction(sql, (tx) => writeOfTypes(tx, caller, bodies, options))).values()
  return entries.map((entry, index): BulkEntry => {
    const dataId = (sent[index] as { dataId?: unknown } | null)?.dataId
    if ("refusal" in entry) return refused(entry.refusal, dataId)
    const outcome = outcomes.next().value
    if (!outcome || "problems" in outcome) return refused(refusedValues(outcome?.problems ?? []), dataId)
    return { status: true, message: successWord(outcome), event: outcome.event, _id: outcome.id }
  })
}

function attempt(entry: unknown): { body: NewRecordBody } | { refusal: AppError } {
  try {
    return { body: readEntry(entry) }
  } catch (error) {
    if (error instanceof AppError) return { refusal: error }
    throw error
  }
}

function refused({ message, failedCode, fields }: AppError, dataId: unknown): BulkEntry {
  const errors = fields as Record<string, string[]> | undefined
  return {
    status: false,
    message,
    failedCode,
    _id: null,
    ...(dataId === undefined ? {} : { dataId }),
    ...(errors ? { errors } : {}),
  }
}

function bulkResponse(data: BulkEntry[]) {
  const success = data.filter((entry) => entry.status).length
  return { success, failed: data.length - success, data }
}
