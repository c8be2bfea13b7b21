import { Type } from "typebox"
import { type Caller, hasHub } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, type Sql } from "#core/database/database.ts"
import { publish } from "#core/events/publish.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, paginate, readPage } from "#core/paging.ts"
import { readLine } from "#core/plain-text.ts"
import { parseTimeBound, toT2 } from "#shared/wire-time.ts"
import { findHub } from "../../organization/hubs/index.ts"
import { findContacts } from "../../people/users/index.ts"
import {
  type AlertFilter,
  acknowledge,
  countOpen,
  isVisibleAlert,
  listAlerts,
  toWireAlert,
} from "./alerts.ts"
import { alertErrors } from "./errors.ts"
import {
  deleteRule,
  findRule,
  insertRule,
  listRules,
  type RuleRow,
  type RuleValues,
  updateRule,
} from "./rules.ts"
import { AlertSchema, RuleBody, type RuleInput, RuleSchema } from "./schemas.ts"

const RuleParams = Type.Object({ alertRuleId: IdSchema("alert-rule") })
const Success = { status: Type.Literal(true), message: Type.String() }
const OneRule = Type.Object({ ...Success, data: RuleSchema })
const AlertsQuery = Type.Object({
  page: ListQuery.page,
  limit: ListQuery.limit,
  state: Type.Optional(
    Type.Unsafe<"open" | "unacknowledged" | "ended">(
      Type.String({ enum: ["open", "unacknowledged", "ended"], description: "open: still so" }),
    ),
  ),
  kind: Type.Optional(Type.String()),
  ruleId: Type.Optional(IdSchema("alert-rule")),
  userId: Type.Optional(IdSchema("user")),
  taskId: Type.Optional(IdSchema("task")),
  hubId: Type.Optional(IdSchema("hub")),
  timeFrom: Type.Optional(Type.String({ format: "wire-time-bound" })),
  timeTo: Type.Optional(Type.String({ format: "wire-time-bound" })),
})

/** Alerts, and the rules that raise them. */
export function alertRoutes(app: App): void {
  ruleRoutes(app)

  app.get("/alerts", {
    config: { permission: "view/tracking" },
    schema: {
      operationId: "listAlerts",
      summary: "List alerts about people and tasks of the caller's hubs, newest first",
      querystring: AlertsQuery,
      response: {
        200: Type.Object({
          ...Success,
          data: PaginatorSchema(AlertSchema),
          open: Type.Integer({ description: "Open alerts that nobody has acknowledged, up to 1,000" }),
        }),
      },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "alert")
      const filter: AlertFilter = {
        ...query,
        from: boundOf(query.timeFrom, "from"),
        to: boundOf(query.timeTo, "to"),
      }
      const [{ rows, total }, open] = await Promise.all([
        listAlerts(sql, caller, filter, page),
        countOpen(sql, caller),
      ])
      const data = paginate(rows.map(toWireAlert), total, page, address)
      return { status: true as const, message: "Success", data, open }
    },
  })

  app.post("/alerts/acknowledge", {
    config: { permission: "view/tracking" },
    schema: {
      operationId: "acknowledgeAlerts",
      summary: "Acknowledge alerts",
      description: "Who acknowledges first is recorded. Alerts that the caller does not see are left out.",
      body: Type.Object(
        { alertIds: Type.Array(IdSchema("alert"), { minItems: 1, maxItems: 500 }) },
        { title: "AcknowledgeAlerts" },
      ),
      response: { 200: Type.Object({ ...Success, data: Type.Object({ acknowledged: Type.Integer() }) }) },
    },
    async handler({ sql, caller, body, ip }) {
      const done = await inTransaction(sql, async (tx) => {
        const [only] = body.alertIds
        if (body.alertIds.length === 1 && only && !(await isVisibleAlert(tx, caller, only)))
          throw alertErrors.notFound()
        const rows = await acknowledge(tx, caller, body.alertIds, app.clock.now())
        const { organizationId } = caller
        if (rows.length > 0) {
          await publish(tx, app.live, "alert.changed", { organizationId, content: {} })
          const after = { alertIds: rows.map(({ id }) => id) }
          await audit(tx, actorOf(caller, ip), { action: "alert.acknowledge", targetType: "alert", after })
        }
        return rows.length
      })
      return { status: true as const, message: "Acknowledged", data: { acknowledged: done } }
    },
  })
}

function ruleRoutes(app: App): void {
  app.get("/alert-rules", {
    config: { permission: "view/automation" },
    schema: {
      operationId: "listAlertRules",
      summary: "List alert rules",
      description: "At most 500, which is how many an organization can have.",
      response: { 200: Type.Object({ ...Success, data: Type.Array(RuleSchema) }) },
    },
    async handler({ sql, caller }) {
      const data = (await listRules(sql, caller)).map(toWireRule)
      return { status: true as const, message: "Success", data }
    },
  })

  app.post("/alert-rule", {
    config: { permission: "add/automation" },
    schema: {
      operationId: "createAlertRule",
      summary: "Create an alert rule",
      description: "Alerts begin within a minute of their cause, and end with it. See docs/alerts.md.",
      body: RuleBody,
      response: { 201: OneRule },
    },
    async handler({ sql, caller, body, ip }, reply) {
      const row = await inTransaction(sql, async (tx) => {
        const made = await insertRule(tx, caller, await readRule(tx, caller, body), app.clock.now())
        await audit(tx, actorOf(caller, ip), entryOf("create", made, body))
        return made
      })
      reply.code(201)
      return { status: true as const, message: "Rule created", data: toWireRule(row) }
    },
  })

  app.put("/alert-rule/:alertRuleId", {
    config: { permission: "edit/automation" },
    schema: {
      operationId: "updateAlertRule",
      summary: "Replace an alert rule",
      description: "Switching it off, or changing its kind, ends its open alerts.",
      params: RuleParams,
      body: RuleBody,
      response: { 200: OneRule },
    },
    async handler({ sql, caller, params, body, ip }) {
      const row = await inTransaction(sql, async (tx) => {
        const before = await findRule(tx, caller, params.alertRuleId)
        const after = await updateRule(
          tx,
          caller,
          before.id,
          await readRule(tx, caller, body),
          app.clock.now(),
        )
        await audit(tx, actorOf(caller, ip), { ...entryOf("update", after, body), before: before.settings })
        const { organizationId } = caller
        await publish(tx, app.live, "alert.changed", { organizationId, content: {} })
        return after
      })
      return { status: true as const, message: "Saved", data: toWireRule(row) }
    },
  })

  app.delete("/alert-rule/:alertRuleId", {
    config: { permission: "delete/automation" },
    schema: {
      operationId: "deleteAlertRule",
      summary: "Delete an alert rule with its alerts",
      params: RuleParams,
      response: { 200: Type.Object(Success) },
    },
    async handler({ sql, caller, params, ip }) {
      await inTransaction(sql, async (tx) => {
        const rule = await findRule(tx, caller, params.alertRuleId)
        await deleteRule(tx, rule.organizationId, rule.id)
        await audit(tx, actorOf(caller, ip), entryOf("delete", rule))
        const { organizationId } = caller
        await publish(tx, app.live, "alert.changed", { organizationId, content: {} })
      })
      return { status: true as const, message: "The rule has been deleted" }
    },
  })
}

async function readRule(sql: Sql, caller: Caller, body: RuleInput): Promise<RuleValues> {
  const hubId = body.hubId?.toLowerCase() ?? null
  if (hubId !== null && (!hasHub(caller, hubId) || !(await findHub(sql, caller, hubId))))
    throw alertErrors.badHub()
  const recipients = [...new Set((body.settings.recipients ?? []).map((id) => id.toLowerCase()))]
  const known = recipients.length > 0 ? await findContacts(sql, caller.organizationId, recipients) : []
  if (known.length < recipients.length) throw alertErrors.badRecipient()
  const settings = { ...body.settings, recipients: known.map(({ userId }) => userId) }
  return {
    hubId,
    name: readLine(body.name, "alert", "name"),
    kind: body.kind,
    settings: settings as RuleValues["settings"],
    isActive: body.isActive ?? true,
  }
}

function entryOf(action: string, { id, name }: RuleRow, after?: RuleInput) {
  const rest = after ? { after } : {}
  return { action: `alert-rule.${action}`, targetType: "alert-rule", targetId: id, targetName: name, ...rest }
}

function toWireRule({
  id,
  createdTime,
  updatedTime,
  organizationId: _organizationId,
  hubId,
  ...row
}: RuleRow) {
  return {
    _id: id,
    ...row,
    hubId: hubId as RuleInput["hubId"] & (string | null),
    createdTime: toT2(createdTime),
    updatedTime: toT2(updatedTime),
  }
}

function boundOf(text: string | undefined, end: "from" | "to"): Temporal.Instant | undefined {
  const at = text === undefined ? undefined : parseTimeBound(text, end)
  if (text !== undefined && at === undefined)
    throw alertErrors.invalid({ message: `${text} is no date and time` })
  return at === undefined ? undefined : Temporal.Instant.fromEpochMilliseconds(at)
}
