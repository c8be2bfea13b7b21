import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { locationErrors } from "../errors.ts"
import { LocationBody, LocationPatchBody, LocationResponse } from "../schemas.ts"
import { tenantOf } from "../store/people.ts"
import {
  changeRecord,
  changeRetention,
  findByTime,
  findChangeable,
  readPatch,
  readReplacement,
  removeRecord,
} from "./change-record.ts"
import { toWireLocation } from "./record-rows.ts"

const readByHand = { validatorCompiler: () => (value: unknown) => ({ value }) }
const RecordParams = Type.Object({ locationHistoryId: Type.String() })
const changed = "Data has been updated successfully."

export function changeRoutes(app: App): void {
  app.put("/location-history", {
    ...readByHand,
    config: { signedIn: true, scopedToken: ["edit/member"] },
    schema: {
      operationId: "replaceLocationByTime",
      summary: "Replace the record with this e-mail and createdTime",
      body: LocationBody,
      response: { 200: LocationResponse },
    },
    async handler({ sql, caller, body, ip }) {
      const now = app.clock.now()
      const change = readReplacement(body, changeRetention(now))
      if (change.recordedAt === undefined)
        throw locationErrors.required({ message: "createdTime is required" })
      const { email = "", recordedAt } = change
      const row = await inTransaction(sql, async (tx) => {
        const found = await findByTime(tx, caller, email, recordedAt)
        if (!found) throw locationErrors.notFound()
        const current = await findChangeable(tx, caller, found.id, now)
        const kept = { ...change, recordedAt: current.recordedAt.epochMilliseconds }
        return changeRecord(tx, caller, found.id, current, kept, { now, address: ip })
      })
      return {
        status: true as const,
        message: "Success",
        location_history: toWireLocation(row, tenantOf(caller)),
      }
    },
  })

  app.put("/location-history/:locationHistoryId", {
    ...readByHand,
    config: { signedIn: true, scopedToken: ["edit/member"] },
    schema: {
      operationId: "replaceLocation",
      summary: "Replace a record; its id and time of receipt are kept",
      params: RecordParams,
      body: LocationBody,
      response: { 200: LocationResponse },
    },
    async handler({ sql, caller, params, body, ip }) {
      const now = app.clock.now()
      const id = params.locationHistoryId
      const row = await inTransaction(sql, async (tx) => {
        const current = await findChangeable(tx, caller, id, now)
        const change = readReplacement(body, changeRetention(now))
        return changeRecord(tx, caller, id, current, change, { now, address: ip })
      })
      return {
        status: true as const,
        message: changed,
        location_history: toWireLocation(row, tenantOf(caller)),
      }
    },
  })

  app.patch("/location-history/:locationHistoryId", {
    ...readByHand,
    config: { signedIn: true, scopedToken: ["edit/member"] },
    schema: {
      operationId: "updateLocation",
      summary: "Update some fields of a record",
      params: RecordParams,
      body: LocationPatchBody,
      response: { 200: LocationResponse },
    },
    async handler({ sql, caller, params, body, ip }) {
      const now = app.clock.now()
      const id = params.locationHistoryId
      const row = await inTransaction(sql, async (tx) => {
        const current = await findChangeable(tx, caller, id, now)
        const change = readPatch(body, current, changeRetention(now))
        return changeRecord(tx, caller, id, current, change, { now, address: ip })
      })
      return {
        status: true as const,
        message: changed,
        location_history: toWireLocation(row, tenantOf(caller)),
      }
    },
  })

  app.delete("/location-history/:locationHistoryId", {
    config: { signedIn: true, scopedToken: ["edit/member"] },
    schema: {
      operationId: "deleteLocation",
      summary: "Permanently delete a record",
      params: RecordParams,
      response: { 200: LocationResponse },
    },
    async handler({ sql, caller, params, ip }) {
      const now = app.clock.now()
      const id = params.locationHistoryId
      const row = await inTransaction(sql, async (tx) => {
        const current = await findChangeable(tx, caller, id, now)
        await removeRecord(tx, caller, id, current, { now, address: ip })
        return { ...current, isLatest: false }
      })
      return {
        status: true as const,
        message: changed,
        location_history: toWireLocation(row, tenantOf(caller)),
      }
    },
  })
}
