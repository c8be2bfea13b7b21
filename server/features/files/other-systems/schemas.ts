import { Type } from "typebox"
import { type OtherSystem, otherSystemIds } from "#shared/other-systems.ts"
import { problemCodes } from "./problem.ts"
import { type ReadingRow, readingStatuses } from "./queries.ts"

const Day = (description: string) =>
  Type.Optional(Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\d$", description, examples: ["2031-05-04"] }))

export const OtherSystemBody = Type.Object(
  {
    system: Type.Unsafe<OtherSystem>(Type.String({ enum: otherSystemIds })),
    collection: Type.String({ maxLength: 40, description: "What to read, such as `tasks` or `places`" }),
    address: Type.Optional(
      Type.String({ maxLength: 500, description: "Address of the API; required for self-hosted systems" }),
    ),
    token: Type.String({ minLength: 1, maxLength: 2_000, description: "API key of the other system" }),
    from: Day("First day, of collections by date"),
    to: Day("Last day, of collections by date"),
  },
  { title: "OtherSystemQuery" },
)

export const ReadingSchema = Type.Object(
  {
    _id: Type.String(),
    system: Type.String(),
    collection: Type.String(),
    address: Type.Optional(Type.String()),
    filename: Type.Optional(Type.String({ description: "Of a dump" })),
    from: Type.Optional(Type.String()),
    to: Type.Optional(Type.String()),
    status: Type.Unsafe<ReadingRow["status"]>(Type.String({ enum: [...readingStatuses] })),
    rowCount: Type.Integer({ description: "Rows read so far" }),
    emptyCount: Type.Integer({ description: "Entries of the list without any value; they are in no row" }),
    requestCount: Type.Integer({ description: "Requests that the other system has answered" }),
    byteCount: Type.Number({ description: "Bytes read so far" }),
    waitsUntil: Type.Optional(Type.String({ description: "The other system has asked to wait until then" })),
    problem: Type.Optional(
      Type.Object({
        code: Type.Unsafe<(typeof problemCodes)[number]>(Type.String({ enum: [...problemCodes] })),
        message: Type.String(),
        httpStatus: Type.Optional(Type.Integer()),
        reason: Type.Optional(Type.String()),
      }),
    ),
    file: Type.Optional(Type.String({ description: "A signed link to the rows as CSV" })),
    createdBy: Type.String(),
    createdTime: Type.String(),
    updatedTime: Type.String(),
    endedTime: Type.Optional(Type.String()),
  },
  { title: "Reading" },
)

export const ReadingResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: ReadingSchema,
})
