import { Type } from "typebox"
import { AppError } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, paginate, readPage } from "#core/paging.ts"
import { orNull, parseTimeBound, toT1 } from "#shared/wire-time.ts"
import { feedbackErrors } from "./errors.ts"
import { type FeedbackFilter, type FeedbackRow, listFeedback, markRead, summarizeRatings } from "./queries.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])

const FeedbackSchema = Type.Object(
  {
    _id: IdSchema("feedback"),
    taskId: Type.String(),
    taskTitle: NullableText,
    hubId: Type.String(),
    flowId: Type.String(),
    driver: Type.Union([Type.String(), Type.Null()], { description: "E-mail of who did the task" }),
    kind: Type.String({ description: "rating, or reply to a message" }),
    stars: Type.Union([Type.Integer(), Type.Null()], { description: "1 to 5; null for replies" }),
    comment: NullableText,
    sender: Type.Union([Type.String(), Type.Null()], { description: "Where a reply came from" }),
    createdTime: Type.String(),
    readTime: NullableText,
    readBy: NullableText,
  },
  { title: "CustomerFeedback" },
)

const Filter = {
  hubId: Type.Optional(IdSchema("hub")),
  flowId: Type.Optional(IdSchema("flow")),
  driver: Type.Optional(Type.String({ description: "E-mail" })),
  timeFrom: Type.Optional(Type.String({ format: "wire-time-bound" })),
  timeTo: Type.Optional(Type.String({ format: "wire-time-bound" })),
}

/** What customers said: ratings from tracking pages and replies to messages. */
export function feedbackRoutes(app: App): void {
  app.get("/customer-feedback", {
    config: { permission: "view/task" },
    schema: {
      operationId: "listCustomerFeedback",
      summary: "List ratings and replies of customers, newest first",
      description:
        "Feedback on tasks of the caller's hubs; with view/task/only-me, on the caller's own work.",
      querystring: Type.Object({
        page: ListQuery.page,
        limit: ListQuery.limit,
        ...Filter,
        taskId: Type.Optional(IdSchema("task")),
        kind: Type.Optional(Type.String({ enum: ["rating", "reply"] })),
        unread: Type.Optional(Type.Boolean({ description: "true: only what nobody has marked as read" })),
        maxStars: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: PaginatorSchema(FeedbackSchema),
        }),
      },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "fdbck")
      const { rows, total } = await listFeedback(sql, caller, filterOf(query), page)
      const data = paginate(rows.map(toWire), total, page, address)
      return { status: true as const, message: "Success", data }
    },
  })

  app.get("/customer-feedback/summary", {
    config: { permission: "view/task" },
    schema: {
      operationId: "summarizeCustomerRatings",
      summary: "Ratings per driver, hub or flow",
      querystring: Type.Object({
        by: Type.Unsafe<"driver" | "hub" | "flow">(Type.String({ enum: ["driver", "hub", "flow"] })),
        ...Filter,
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Array(
            Type.Object({
              key: Type.Union([Type.String(), Type.Null()], {
                description: "E-mail of the driver, or id of the hub or flow",
              }),
              count: Type.Integer(),
              average: Type.Number(),
              poor: Type.Integer({ description: "Ratings with one or two stars" }),
            }),
          ),
        }),
      },
    },
    async handler({ sql, caller, query }) {
      const data = await summarizeRatings(sql, caller, query.by, filterOf(query))
      return { status: true as const, message: "Success", data }
    },
  })

  app.put("/customer-feedback/:feedbackId/read", {
    config: { permission: "view/task" },
    schema: {
      operationId: "readCustomerFeedback",
      summary: "Mark feedback as read",
      params: Type.Object({ feedbackId: IdSchema("feedback") }),
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ sql, caller, params }) {
      if (!(await markRead(sql, caller, params.feedbackId, app.clock.now()))) throw feedbackErrors.notFound()
      return { status: true as const, message: "Success" }
    },
  })
}

function filterOf(query: Omit<FeedbackFilter, "from" | "to"> & { timeFrom?: string; timeTo?: string }) {
  return { ...query, from: boundOf(query.timeFrom, "from"), to: boundOf(query.timeTo, "to") }
}

function boundOf(text: string | undefined, end: "from" | "to"): Temporal.Instant | undefined {
  if (text === undefined) return undefined
  const at = parseTimeBound(text, end)
  if (at === undefined) throw new AppError(400, "fdbck-016", "timeFrom and timeTo must be dates and times")
  return Temporal.Instant.fromEpochMilliseconds(at)
}

function toWire(row: FeedbackRow) {
  return {
    _id: row.id,
    taskId: row.taskId,
    taskTitle: row.taskTitle,
    hubId: row.hubId,
    flowId: row.flowId,
    driver: row.driver,
    kind: row.kind,
    stars: row.stars,
    comment: row.comment,
    sender: row.sender,
    createdTime: toT1(row.createdTime),
    readTime: orNull(row.readTime, toT1),
    readBy: row.readBy,
  }
}
