import { Type } from "typebox"
import { commaList } from "#core/http/tolerance.ts"
import type { App } from "#core/http/types.ts"
import { taskErrors } from "../errors.ts"
import { TaskFilterQuery } from "./list-query.ts"
import { summarizeTasks } from "./summarize-tasks.ts"

const maxSums = 20
const fieldPattern = "^[\\w.-]{1,100}$"

const SummaryQuery = Type.Object({
  ...TaskFilterQuery,
  groupBy: Type.Optional(
    Type.String({
      pattern: fieldPattern,
      description:
        "A field of tasks (status, flow, hubId, assignee, outcome, priority, tags, …) or the id of a component. Times make a group for each day in the organization's time zone",
    }),
  ),
  sums: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: "Comma-separated list of at most 20 ids of components whose numbers are added up",
    }),
  ),
})

const Sums = Type.Record(Type.String(), Type.Union([Type.Number(), Type.Null()]), {
  description: "By the ids in the parameter sums; null where no task has a number",
  examples: [{ weight: 812.5 }],
})

const SummaryResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Object(
    {
      total: Type.Integer({ description: "How many tasks match" }),
      sums: Sums,
      groups: Type.Array(
        Type.Object({
          value: Type.Union([Type.String(), Type.Null()], {
            description: "The value as text; null for tasks without one",
            examples: ["ONGOING"],
          }),
          count: Type.Integer(),
          sums: Sums,
          filter: Type.Object(
            {},
            {
              additionalProperties: true,
              description: "Add it to the parameter filter: GET /tasks then lists exactly these tasks",
              examples: [{ field: "status.group", operator: "equals", value: "ONGOING" }],
            },
          ),
        }),
        { description: "At most 500, by value; empty without groupBy" },
      ),
      moreGroups: Type.Integer({ description: "How many groups are left out" }),
    },
    { title: "TaskSummary" },
  ),
})

export function taskSummaryRoutes(app: App): void {
  app.get("/tasks-summary", {
    config: { permission: "view/task", reads: "replica" },
    schema: {
      tags: ["Tasks"],
      operationId: "summarizeTasks",
      summary: "Group tasks by a field and add up their numbers",
      description:
        "Takes the filters of GET /tasks and considers at most 100,000 tasks; more are refused with 400.",
      querystring: SummaryQuery,
      response: { 200: SummaryResponse },
    },
    async handler({ sql, caller, query: { groupBy, sums, ...filter } }) {
      const wanted = [...new Set(commaList(sums ?? ""))]
      if (wanted.length > maxSums || wanted.some((name) => !/^[\w.-]{1,100}$/.test(name))) {
        const message = `sums must be a comma-separated list of at most ${maxSums} ids of components`
        throw taskErrors.invalid({ message, fields: { sums: [message] } })
      }
      const data = await summarizeTasks(sql, caller, filter, {
        groupBy,
        sums: wanted,
        now: app.clock.now(),
      })
      return { status: true as const, message: "Success.", data }
    },
  })
}
