import { type Static, type TSchema, Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { hasAccessToHub } from "../../organization/hubs/index.ts"
import { dashboardErrors, spanOf, today } from "./days.ts"
import { countByDay, countByPerson, countByStatus, countCurrent, countPeople } from "./queries.ts"

const filter = {
  hubId: IdSchema("hub"),
  flows: Type.Optional(Type.Array(Type.String(), { description: "Names of flows" })),
  flowIds: Type.Optional(Type.Array(Type.String())),
  assignee: Type.Optional(Type.String({ description: "E-mail: only this person's work" })),
}
const CurrentBody = Type.Object({
  ...filter,
  startDate: Type.Optional(Type.String()),
  endDate: Type.Optional(Type.String()),
})
const RangeBody = Type.Object({
  ...filter,
  startDate: Type.String({ format: "wire-date", description: "Y-m-d, in the organization's time zone" }),
  endDate: Type.String({ format: "wire-date", description: "Y-m-d; the range is at most 30 days" }),
})
type Range = Static<typeof RangeBody>

/** Counts of the dashboard. They are asked for with POST because their filters are lists; nothing changes. */
export function dashboardRoutes(app: App): void {
  const schema = <Data extends TSchema>(operationId: string, summary: string, data: Data) => ({
    operationId,
    summary,
    response: { 200: Type.Object({ status: Type.Literal(true), data }) },
  })
  const config = { permission: "view/dashboard", idempotent: false } as const
  const Count = Type.Integer()

  app.post("/current-activities", {
    config,
    schema: {
      ...schema(
        "countCurrentActivities",
        "Count open tasks, and tasks created and finished today",
        Type.Object({
          created: Count,
          unassign: Count,
          ongoing: Count,
          done: Count,
          expiredSoon: Count,
          dateFilter: Type.String(),
        }),
      ),
      body: CurrentBody,
    },
    async handler({ sql, caller, body }) {
      await checkHub(sql, caller, body.hubId)
      const now = app.clock.now()
      const { text, ...day } = today(now, caller.timeZone)
      const counts = await countCurrent(sql, caller, body, day, now)
      return { status: true as const, data: { ...counts, dateFilter: text } }
    },
  })

  app.post("/task-activities", {
    config,
    schema: {
      ...schema(
        "countTaskActivities",
        "Count tasks by start day and flow",
        Type.Record(Type.String(), Type.Array(Type.Object({ flow: Type.String(), total: Count }))),
      ),
      body: RangeBody,
    },
    async handler({ sql, caller, body }) {
      const rows = await countByDay(sql, caller, body, await readSpan(sql, caller, body), caller.timeZone)
      const days = Map.groupBy(rows, (row) => row.day)
      const data = Object.fromEntries(
        [...days].map(([day, group]) => [day, group.map(({ flow, total }) => ({ flow, total }))]),
      )
      return { status: true as const, data }
    },
  })

  app.post("/user-activities", {
    config,
    schema: {
      ...schema(
        "countUserActivities",
        "Work by person",
        Type.Array(
          Type.Object({
            assignee: Type.String(),
            assigned: Count,
            ongoing: Count,
            done: Count,
            percentage: Type.String({
              description: "Share of assigned tasks that are done, for example 75%",
            }),
          }),
        ),
      ),
      body: RangeBody,
    },
    async handler({ sql, caller, body }) {
      const rows = await countByPerson(sql, caller, body, await readSpan(sql, caller, body))
      const data = rows.map((row) => ({
        ...row,
        percentage: `${Math.round((row.done / row.assigned) * 100)}%`,
      }))
      return { status: true as const, data }
    },
  })

  app.post("/task-status", {
    config,
    schema: {
      ...schema(
        "countTaskStatus",
        "Tasks by status",
        Type.Array(Type.Object({ status: Type.String(), total: Count })),
      ),
      body: RangeBody,
    },
    async handler({ sql, caller, body }) {
      const data = await countByStatus(sql, caller, body, await readSpan(sql, caller, body))
      return { status: true as const, data: [...data] }
    },
  })

  app.post("/user-status", {
    config,
    schema: {
      ...schema(
        "countUserStatus",
        "Members of the hub with and without work",
        Type.Object({ allUser: Count, activeUser: Count, inactiveUser: Count }),
      ),
      body: RangeBody,
    },
    async handler({ sql, caller, body }) {
      const { allUser, activeUser } = await countPeople(sql, caller, body, await readSpan(sql, caller, body))
      return { status: true as const, data: { allUser, activeUser, inactiveUser: allUser - activeUser } }
    },
  })
}

async function readSpan(sql: Sql, caller: Caller, body: Range) {
  await checkHub(sql, caller, body.hubId)
  return spanOf(body.startDate, body.endDate, caller.timeZone)
}

async function checkHub(sql: Sql, caller: Caller, hubId: string): Promise<void> {
  if (!(await hasAccessToHub(sql, caller, hubId))) throw dashboardErrors.badHub()
}
