import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, type Sql, type Tx } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, paginate, pickFields, readDirection, readPage } from "#core/paging.ts"
import type { Sealing } from "#core/security/sealing.ts"
import { moveToTrash } from "#core/trash.ts"
import { openForEditing } from "./automation-secrets.ts"
import { checkAutomation, checkEvent, detailWarnings } from "./check-automation.ts"
import { automationErrors } from "./errors.ts"
import { startDelivering } from "./jobs.ts"
import {
  type AutomationRow,
  findAutomation,
  insertAutomation,
  listAutomations,
  removeAutomation,
  updateAutomation,
} from "./queries.ts"
import { AutomationBody, AutomationListResponse, AutomationPatch, AutomationResponse } from "./schemas.ts"
import { keyOf } from "./webhooks/delivery-queue.ts"
import { resumeForOwner } from "./webhooks/endpoint-state.ts"
import { toWireAutomations } from "./wire.ts"

const Params = Type.Object({ automationId: IdSchema("automation") })
const success = { status: true as const, message: "Success" }

export function singleAutomationRoutes(app: App): void {
  const sealing = (sql: Sql): Sealing => ({ sql, config: app.settings })
  const shown = async (sql: Sql, caller: Caller, row: AutomationRow, warnings: string[] = []) => {
    const [automation] = await toWireAutomations(sealing(sql), caller, [row])
    if (!automation) throw automationErrors.notFound()
    return { ...success, data: automation, ...(warnings.length > 0 ? { warnings } : {}) }
  }

  app.get("/automations", {
    config: { permission: "view/automation" },
    schema: {
      operationId: "listAutomations",
      summary: "Automations and webhooks",
      querystring: Type.Object({
        ...ListQuery,
        sortBy: Type.Optional(Type.String()),
        q: Type.Optional(Type.String({ description: "Part of the name, the type or the flow" })),
        event: Type.Optional(Type.String()),
        automationType: Type.Optional(Type.String()),
        dataType: Type.Optional(Type.String()),
        flow: Type.Optional(Type.String({ description: "Name of the rule's flow" })),
      }),
      response: { 200: AutomationListResponse },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "auto")
      const filter = { ...query, direction: readDirection(query.sortOrder) }
      const { rows, total } = await listAutomations(sql, caller, filter, page)
      const automations = await toWireAutomations(sealing(sql), caller, rows)
      const data = automations.map((automation) => pickFields(automation, query.fields))
      return { ...success, data: paginate(data, total, page, address) }
    },
  })

  app.get("/automation/:automationId", {
    config: { permission: "view/automation" },
    schema: {
      operationId: "getAutomation",
      summary: "One automation",
      params: Params,
      response: { 200: AutomationResponse },
    },
    async handler({ sql, caller, params }) {
      const row = await findAutomation(sql, caller, params.automationId)
      if (!row) throw automationErrors.notFound()
      return shown(sql, caller, row)
    },
  })

  app.post("/automation", {
    config: { permission: "add/automation" },
    schema: {
      operationId: "createAutomation",
      summary: "Create an automation or a webhook",
      body: AutomationBody,
      response: { 200: AutomationResponse },
    },
    async handler({ sql, caller, body, ip }) {
      const row = await inTransaction(sql, async (tx) => {
        const made = await insertAutomation(sealing(tx), caller, await checkAutomation(tx, caller, body))
        await audit(tx, actorOf(caller, ip), {
          action: "automation.create",
          targetType: "automation",
          targetId: made.id,
          targetName: made.name,
        })
        return made
      })
      return shown(sql, caller, row, detailWarnings(body))
    },
  })

  app.put("/automation/:automationId", {
    config: { permission: "edit/automation" },
    schema: {
      operationId: "replaceAutomation",
      summary: "Replace an automation; its type cannot be changed",
      params: Params,
      body: AutomationBody,
      response: { 200: AutomationResponse },
    },
    async handler({ sql, caller, params, body, ip }) {
      const row = await inTransaction(sql, async (tx) => {
        const found = await findAutomation(tx, caller, params.automationId)
        if (!found) throw automationErrors.notFound()
        const before = await openForEditing(sealing(tx), found)
        const write = await checkAutomation(tx, caller, body, before)
        const changed = await updateAutomation(sealing(tx), caller, before.id, write)
        await goOn(tx, before, app.clock.now())
        await audit(tx, actorOf(caller, ip), {
          action: "automation.update",
          targetType: "automation",
          targetId: changed.id,
          targetName: changed.name,
        })
        return changed
      })
      return shown(sql, caller, row, detailWarnings(body))
    },
  })

  app.patch("/automation/:automationId", {
    config: { permission: "edit/automation" },
    schema: {
      operationId: "updateAutomation",
      summary: "Rename an automation, change its event, or enable or disable it",
      params: Params,
      body: AutomationPatch,
      response: { 200: AutomationResponse },
    },
    async handler({ sql, caller, params, body, ip }) {
      const row = await inTransaction(sql, async (tx) => {
        const found = await findAutomation(tx, caller, params.automationId)
        if (!found) throw automationErrors.notFound()
        const before = await openForEditing(sealing(tx), found)
        const event = body.event ?? before.event
        // The rule and the details were checked for the kind of record that the event has.
        if (event !== before.event) {
          const full = {
            ...before,
            event,
            automationDetails: before.details,
            rules: { ...before.rules },
            dataType: before.dataType,
          }
          checkEvent(before.automationType, event)
          await checkAutomation(tx, caller, full, before)
        }
        const changed = await updateAutomation(sealing(tx), caller, before.id, {
          ...before,
          event,
          name: body.name?.trim() ?? before.name,
          isActive: body.isActive ?? before.isActive,
        })
        await goOn(tx, before, app.clock.now())
        await audit(tx, actorOf(caller, ip), {
          action: "automation.update",
          targetType: "automation",
          targetId: changed.id,
          targetName: changed.name,
        })
        return changed
      })
      return shown(sql, caller, row)
    },
  })

  app.delete("/automation/:automationId", {
    config: { permission: "delete/automation" },
    schema: {
      operationId: "deleteAutomation",
      summary: "Delete an automation and its log",
      params: Params,
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          _id: IdSchema("automation"),
        }),
      },
    },
    async handler({ sql, caller, params, ip }) {
      await inTransaction(sql, async (tx) => {
        const removed = await removeAutomation(tx, caller, params.automationId)
        if (!removed) throw automationErrors.notFound()
        const { name, content } = removed
        const sourceId = params.automationId.toLowerCase()
        await moveToTrash(tx, caller, [{ type: "Automation", name, sourceId, content }])
        await audit(tx, actorOf(caller, ip), {
          action: "automation.delete",
          targetType: "automation",
          targetId: sourceId,
          targetName: name,
        })
      })
      return { status: true as const, message: "Automation deleted", _id: params.automationId }
    },
  })
}

/** The person who saves an automation becomes its owner, which releases deliveries that waited for one. */
async function goOn(tx: Tx, before: AutomationRow, now: Temporal.Instant): Promise<void> {
  if (before.pausedTime && (await resumeForOwner(tx, keyOf(before), now)) > 0) await startDelivering(tx)
}
