import { Type } from "typebox"
import { systemCaller } from "#core/access/system-caller.ts"
import { inTransaction, type Pool, type Tx, unlessAway } from "#core/database/database.ts"
import { deleteExpired } from "#core/database/delete-expired.ts"
import { emit } from "#core/domain-events.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { publish } from "#core/events/publish.ts"
import type { Id } from "#core/ids.ts"
import { defineJob, type Job, type JobContext, send } from "#core/jobs/define-job.ts"
import { endOfQuiet } from "../../customers/messages/index.ts"
import { dayIn, listDuePlans, listOpenDefects } from "../../fleet/upkeep/index.ts"
import { listSilent, recentGeofenceVisits } from "../../location/geofences/index.ts"
import { listPositions, recentAlarms } from "../../location/positions/index.ts"
import { listHubs } from "../../organization/hubs/index.ts"
import { findOrganization } from "../../organization/organizations/index.ts"
import { lateEstimates } from "../../planning/eta/index.ts"
import { listOverdueTasks } from "../../work/tasks/index.ts"
import { findDrivenVehicles } from "../../work/vehicles/index.ts"
import { type AlertRow, endAlerts, insertAlerts, openAlerts, takeDue, toWireAlert } from "./alerts.ts"
import { type Cause, causesOf, type DuePlan, isBefore, type LateTask, type Situation } from "./causes.ts"
import { notifyRecipients } from "./notify.ts"
import { activeRules, organizationsWithRules, type RuleRow } from "./rules.ts"
import type { AlertKind } from "./schemas.ts"

const organizationsAtOnce = 50
const hoursOfVisits = 48
/** An alarm lasts until nothing repeats it. */
const alarmMinutes = 5
/** Further back, an entry or exit that becomes known late is history, and raises no alert. */
const furthestHours = 24
/** What a device kept for longer before it sent it is history. */
const hoursOfAlarms = 24

/**
 * Compares what the rules of each organization find with the alerts that are open: begins new ones and ends those whose
 * cause is gone. A second run finds the same, so that it changes nothing.
 */
export const watchAlerts = defineJob({
  name: "alerts.watch",
  payload: Type.Object({}),
  maxAttempts: 1,
  timeoutSeconds: 300,
  cron: "* * * * *",
  async handle(context) {
    const { sql, signal, log } = context
    for (let last = ""; !signal.aborted; ) {
      const ids = await organizationsWithRules(sql, last, organizationsAtOnce)
      for (const organizationId of ids) {
        if (signal.aborted) return
        // One organization whose alerts fail must not stop the others.
        await watchOrganization(context, organizationId).catch(
          unlessAway((error) =>
            log.error({ organizationId, reason: String(error) }, "alerts could not be computed"),
          ),
        )
      }
      last = ids.at(-1) ?? ""
      if (ids.length < organizationsAtOnce) return
    }
  },
})

/** Alerts are kept for a year. */
const removeOldAlerts = defineJob({
  name: "alerts.remove-old",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "47 3 * * *",
  async handle({ sql, signal }) {
    await deleteExpired(sql, signal, { table: "alerts", column: "ended_at", age: "365 days" })
  },
})

/** Alarms of devices, as soon as they arrive. */
const watchAlarms = defineJob({
  name: "alerts.watch-alarms",
  payload: Type.Object({ organizationId: Type.String() }),
  maxAttempts: 3,
  timeoutSeconds: 60,
  handle: (context, { organizationId }) => watchOrganization(context, organizationId, "device"),
})

/** Without it, `watchAlerts` finds them within a minute. */
export function watchAlarmsSoon(pool: Pool, organizationId: string): void {
  send(pool, watchAlarms, { organizationId }, { key: `${watchAlarms.name}:${organizationId}` }).catch(
    () => undefined,
  )
}

export const alertJobs: readonly Job[] = [watchAlerts, watchAlarms, removeOldAlerts]

async function watchOrganization(
  context: JobContext,
  organizationId: string,
  kind?: AlertKind,
): Promise<void> {
  const { sql, live, clock } = context
  const now = clock.now()
  const active = await activeRules(sql, organizationId)
  const rules = kind ? active.filter((rule) => rule.kind === kind) : active
  if (rules.length === 0) return
  const situation = await readSituation(context, organizationId, rules, now)
  for (const rule of rules) {
    const causes = causesOf(rule, situation)
    await inTransaction(sql, async (tx) => {
      const open = await openAlerts(tx, organizationId, rule.id)
      const known = new Set(open.map(({ cause }) => cause))
      const oldest = now.subtract({ hours: furthestHours })
      const fresh = causes
        .filter(
          ({ key, geofenceId, startedAt }) => !known.has(key) && !(geofenceId && isBefore(startedAt, oldest)),
        )
        .map((cause) => withNotice(rule, cause, situation))
      const begun = await insertAlerts(tx, organizationId, rule, fresh, now)
      const ended = await endAlerts(tx, organizationId, gone(open, causes, now))
      await publishAlerts(tx, live, organizationId, [...begun, ...ended])
    })
  }
  await inTransaction(sql, async (tx) => {
    const due = await takeDue(tx, organizationId, now)
    if (due.length > 0) await notifyRecipients(tx, context, organizationId, due, active)
  })
}

/** When recipients are notified: at once, or when the quiet hours of the rule end. What is over needs no notice but exits. */
function withNotice(rule: RuleRow, cause: Cause, { now, timeZoneOf }: Situation) {
  const { recipients = [], quietFrom, quietTo } = rule.settings
  const isOver = cause.endedAt !== undefined && cause.endedAt !== null && rule.kind !== "exit"
  if (recipients.length === 0 || isOver) return { ...cause, notifyAt: null }
  const quietUntil =
    quietFrom !== undefined && quietTo !== undefined
      ? endOfQuiet({ quietFrom, quietTo }, timeZoneOf(rule.hubId ?? cause.hubIds[0]), now)
      : undefined
  return { ...cause, notifyAt: quietUntil ?? now }
}

function gone(open: readonly AlertRow[], causes: readonly Cause[], now: Temporal.Instant) {
  const byKey = new Map(causes.map((cause) => [cause.key, cause]))
  return open.flatMap(({ id, cause }) => {
    const found = byKey.get(cause)
    if (!found) return [{ id, at: now }]
    return found.endedAt ? [{ id, at: found.endedAt }] : []
  })
}

async function publishAlerts(
  tx: Tx,
  live: LiveEvents,
  organizationId: string,
  alerts: readonly AlertRow[],
): Promise<void> {
  for (const alert of alerts) {
    await publish(tx, live, "alert.changed", {
      organizationId,
      hubId: alert.hubIds.length === 1 ? (alert.hubIds[0] ?? null) : null,
      content: { alertId: alert.id },
    })
    const event = {
      referenceId: alert.id,
      hubId: alert.hubIds.length === 1 ? (alert.hubIds[0] ?? null) : null,
    }
    await emit(tx, live, organizationId, "onAlert", [{ ...event, record: toWireAlert(alert) }])
  }
}

/** Reads what the kinds of these rules need, and nothing else. */
async function readSituation(
  { sql }: JobContext,
  organizationId: string,
  rules: readonly RuleRow[],
  now: Temporal.Instant,
): Promise<Situation> {
  const organization = await findOrganization(sql, organizationId)
  const system = systemCaller(organizationId as Id<"organization">, { email: "System", name: "System" })
  const caller = { ...system, organizationNumber: organization.number }
  const has = (...kinds: string[]) => rules.some(({ kind }) => kinds.includes(kind))
  const isNarrowed = rules.some(({ settings }) => (settings.vehicleIds ?? []).length > 0)
  const [positions, alarms, visits, silent, overdue, expected, vehicles, plans, defects, hubs] =
    await Promise.all([
      listPositions(sql, caller, {}, now),
      has("device")
        ? recentAlarms(sql, organizationId, {
            receivedSince: now.subtract({ minutes: alarmMinutes }),
            recordedSince: now.subtract({ hours: hoursOfAlarms }),
          })
        : [],
      has("enter", "exit", "dwell")
        ? recentGeofenceVisits(sql, organizationId, now.subtract({ hours: hoursOfVisits }))
        : [],
      has("silent") ? listSilent(sql, now, [organizationId]) : [],
      has("late") ? listOverdueTasks(sql, organizationId, now) : [],
      has("eta") ? lateEstimates(sql, organizationId) : [],
      isNarrowed ? findDrivenVehicles(sql, caller, undefined) : [],
      has("maintenance") ? duePlansOf(sql, organizationId, now) : [],
      has("inspection") ? listOpenDefects(sql, organizationId) : [],
      listHubs(sql, caller, { direction: "asc" }),
    ])
  const zones = new Map(hubs.map(({ id, timeZone }) => [id as string, timeZone]))
  return {
    now,
    people: positions,
    alarms,
    visits,
    silent: silent.map(({ userId, lastTime }) => ({ userId, since: lastTime })),
    tasks: [
      ...overdue.map((task): LateTask => ({ ...task, kind: "late", reached: now })),
      ...expected.map((task): LateTask => ({ ...task, kind: "eta" })),
    ],
    plans,
    defects: defects.map(({ vehicle, name, value, ...defect }) => ({
      ...defect,
      text: `${vehicle}: ${name} – ${value}`,
    })),
    drivers: new Map(vehicles.map(({ id, assignee }) => [id as string, assignee ?? ""])),
    timeZoneOf: (hubId) => zones.get(hubId ?? "") ?? organization.timeZone,
  }
}

async function duePlansOf(sql: Pool, organizationId: string, now: Temporal.Instant): Promise<DuePlan[]> {
  const plans = await listDuePlans(sql, organizationId, await dayIn(sql, organizationId, now))
  return plans.flatMap(({ id, state, vehicleId, hubId, driver, subject, name }) =>
    state === "ok" ? [] : [{ id, state, vehicleId, hubId, driver, text: `${subject}: ${name}` }],
  )
}
